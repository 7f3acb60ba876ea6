"""Where the names of marks stand on a plot so that none lies on another, on a mark, or beyond the edge. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
HALF, WHOLE = (260, 320, 400, 500, 620), (500, 620, 760, 920, 1_100)
"""How wide, in pixels, the area of a plot may be drawn in half a page and in all of it."""
LETTER, WIDE_LETTER, LINE, MARK = 6.8, 12.5, 16.0, 8.0
_PLACES = {
    "top center": (0, -1), "bottom center": (0, 1), "middle right": (1, 0), "middle left": (-1, 0),
    "top right": (1, -1), "top left": (-1, -1), "bottom right": (1, 1), "bottom left": (-1, 1),
}  # fmt: skip


def place_labels(
    points: Points, names: Iterable[tuple[int, str]], widths: Sequence[float], height: float, most: int
) -> dict[int, str]:
    """Give the text position, in Plotly's words, of each mark whose name has room; at most ``most``, the first first.

    ``points`` are marks from the upper left corner, both coordinates in 0..1; ``names`` says which of them are to be
    named how; a place is taken only where it is free at each of ``widths`` of the plot's area and its ``height``, in
    pixels.
    """
    marks = [_boxes(points * (width, height), MARK, MARK) for width in widths]
    taken: list[list[Points]] = [[] for _ in widths]
    found: dict[int, str] = {}
    for at, name in names:
        if len(found) == most:
            break
        for place, side in _PLACES.items():
            boxes = [box_of(points[at] * (width, height), name, side) for width in widths]
            if all(
                _inside(box, width, height) and not _meets(box, [*seen, *np.delete(around, at, axis=0)])
                for box, width, seen, around in zip(boxes, widths, taken, marks, strict=True)
            ):
                found[at] = place
                for box, seen in zip(boxes, taken, strict=True):
                    seen.append(box)
                break
    return found


def box_of(mark: Points, name: str, side: tuple[int, int]) -> Points:
    """Give left, top, right and bottom, in pixels, of a name beside its mark; ``side`` is -1..1 across and down."""
    half = sum(WIDE_LETTER if east_asian_width(it) in "WF" else LETTER for it in name) / 2
    across, down = side
    offset = np.array([across * (half + (MARK if down == 0 else 0)), down * (MARK + LINE / 2)])
    box: Points = _boxes((mark + offset)[None, :], half, LINE / 2)[0]
    return box


def _boxes(centers: Points, half_width: float, half_height: float) -> Points:
    half = (half_width, half_height)
    return np.hstack([centers - half, centers + half])


def _inside(box: Points, width: float, height: float) -> bool:
    return bool(box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height)


def _meets(box: Points, others: Sequence[Points]) -> bool:
    if not others:
        return False
    it = np.asarray(others)
    return bool(np.any((it[:, 0] < box[2]) & (it[:, 2] > box[0]) & (it[:, 1] < box[3]) & (it[:, 3] > box[1])))
