"""Names on a map: none lies on another, on a mark or beyond the edge, however wide the map is drawn."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.components.labels import _PLACES, HALF, LINE, MARK, WHOLE, box_of, place_labels

HEIGHT = 320.0
spots = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=25)


def meet(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])


@settings(max_examples=40)
@given(spots, st.integers(1, 8), st.sampled_from(["PaisaLoop", "Lumen Clinic Notes", "星期六素食外卖"]))
def test_no_name_lies_on_another_on_a_mark_or_beyond_the_edge(
    at: list[tuple[float, float]], most: int, name: str
) -> None:
    points = np.array(at)
    found = place_labels(points, [(it, name) for it in range(len(at))], HALF, HEIGHT, most)
    assert len(found) <= most
    for width in HALF:
        boxes = {it: box_of(points[it] * (width, HEIGHT), name, _PLACES[place]) for it, place in found.items()}
        for it, box in boxes.items():
            assert box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= HEIGHT
            assert not any(meet(box, other) for place, other in boxes.items() if place != it)
            for place, point in enumerate(points * (width, HEIGHT)):
                assert place == it or not meet(box, np.array([*(point - MARK), *(point + MARK)]))


def test_the_first_name_is_served_first_and_a_lone_mark_is_always_named() -> None:
    close = np.array([[0.5, 0.5], [0.5, 0.5 + 0.5 * LINE / HEIGHT], [0.52, 0.5]])
    assert next(iter(place_labels(close, [(2, "Wardlist"), (0, "Quaybox")], WHOLE, HEIGHT, 1))) == 2
    assert place_labels(np.array([[0.5, 0.5]]), [(0, "Wardlist")], HALF, HEIGHT, 8) == {0: "top center"}
