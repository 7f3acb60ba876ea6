"""A record's family as a plot and as a table: what it was derived from, and what was derived from it."""

from __future__ import annotations

from collections import defaultdict

import pandas as pd
import plotly.graph_objects as go

from memory.family import Family, Relative
from memory.records import Nature, Record, Status
from ui.components import palette
from ui.formats import percent
from ui.language import _, _n, paragraph
from ui.plain import as_html, shorten
from ui.said import said

# A shape for what a record is; a hollow one does not stand as active.
SHAPES = {
    Nature.FACT: "circle",
    Nature.EVALUATION: "square",
    Nature.OBSERVATION: "diamond",
    Nature.PREFERENCE: "triangle-up",
}
LONGEST_LABEL = 26
ROW = 84


def family_sentence(family: Family) -> str:
    """Say from how many records the one was derived, how many were derived from it, and which source binds it."""
    one = next(it.record for it in family.relatives if it.generation == 0)
    above = [it.record for it in family.relatives if it.generation < 0]
    below = sum(it.generation > 0 for it in family.relatives)
    parents = [it for it in above if it.id in one.provenance.derived_from]
    least = min(parents, key=lambda it: it.confidence, default=None)
    told = [_("{behind}, {hanging}.", behind=_behind(len(above)), hanging=_hanging(below))]
    if least:
        told.append(
            _(
                "It is worth at most 97% of its weakest source, which is trusted {share}.",
                share=percent(least.confidence),
            )
        )
    if family.cut:
        told.append(_("Not all are shown."))
    return paragraph(*told)


def _behind(count: int) -> str:
    if not count:
        return _("It was derived from no other record")
    return _n("It was derived from {count} record", "It was derived from {count} records", count)


def _hanging(count: int) -> str:
    if not count:
        return _("none was derived from it")
    return _n("{count} was derived from it", "{count} were derived from it", count)


def places(family: Family) -> dict[str, tuple[float, float]]:
    """Give each record its place: generations from left to right, each spread around the middle."""
    columns: defaultdict[int, list[str]] = defaultdict(list)
    for it in family.relatives:
        columns[it.generation].append(it.record.id)
    return {
        record_id: (float(generation), (len(ids) - 1) / 2 - row)
        for generation, ids in columns.items()
        for row, record_id in enumerate(ids)
    }


def family_figure(family: Family) -> go.Figure:
    """Draw the family, sources left, heirs right; the shape says what a record is, label and colour its worth."""
    at = places(family)
    lines_x: list[float | None] = []
    lines_y: list[float | None] = []
    for parent, child in family.links:
        lines_x += [at[parent][0], at[child][0], None]
        lines_y += [at[parent][1], at[child][1], None]
    traces: list[go.Scatter] = [
        go.Scatter(
            x=lines_x, y=lines_y, mode="lines", line={"color": palette.FRAME, "width": 1.5}, hoverinfo="skip",
            showlegend=False,
        )
    ]  # fmt: skip
    for nature, shape in SHAPES.items():
        mine = [it for it in family.relatives if it.record.kind.nature is nature]
        if mine:
            traces.append(_nodes(nature, shape, mine, at))
    tallest = max(sum(it.generation == level.generation for it in family.relatives) for level in family.relatives)
    first, last = min(x for x, _ in at.values()), max(x for x, _ in at.values())
    return go.Figure(traces).update_layout(
        height=110 + ROW * tallest,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"visible": False, "range": [first - 0.6, last + 0.6], "fixedrange": True},
        yaxis={"visible": False, "range": [-tallest / 2 - 0.2, tallest / 2 + 0.2], "fixedrange": True},
    )


def _nodes(nature: Nature, shape: str, relatives: list[Relative], at: dict[str, tuple[float, float]]) -> go.Scatter:
    records = [it.record for it in relatives]
    return go.Scatter(
        x=[at[it.id][0] for it in records],
        y=[at[it.id][1] for it in records],
        mode="markers+text",
        name=said(nature.value),
        text=[
            f"{'<b>' if it.generation == 0 else ''}{as_html(shorten(it.record.title, LONGEST_LABEL))}"
            f"{'</b>' if it.generation == 0 else ''}<br>{percent(it.record.confidence)}"
            for it in relatives
        ],
        textposition=[_side(at[it.id][1], it.id, at) for it in records],
        marker={
            "symbol": [shape if it.status is Status.ACTIVE else f"{shape}-open" for it in records],
            "size": [22 if it.generation == 0 else 15 for it in relatives],
            "color": [_colour(it.confidence) for it in records],
            "opacity": 1,
            "line": {"width": [3 if it.status is not Status.ACTIVE else 0 for it in records]},
        },
        hovertext=[_hover(it) for it in records],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _side(height: float, record_id: str, at: dict[str, tuple[float, float]]) -> str:
    """Say where a label is clear of the lines, which come from the middle: outwards, or beside a mark on its own."""
    across = at[record_id][0]
    if height:
        return "top center" if height > 0 else "bottom center"
    if any(x == across for name, (x, _) in at.items() if name != record_id):
        return "bottom center"
    if all(x >= across for x, _ in at.values()):
        return "middle left"
    return "middle right" if all(x <= across for x, _ in at.values()) else "bottom center"


def _colour(confidence: float) -> str:
    return palette.EARNED if confidence >= 0.7 else palette.WARN if confidence >= 0.35 else palette.LOST


def _hover(record: Record) -> str:
    made = record.provenance
    rows = (
        as_html(shorten(record.title, 60)),
        _("trusted {now}, {first} at first", now=percent(record.confidence), first=percent(made.first_confidence)),
        _(
            "{origin}, through the door {door}",
            origin=said(made.origin.value.replace("_", " ")),
            door=said(made.door.value),
        ),
        as_html(shorten(made.source, 60)) or _("no source"),
        said(record.status.value),
    )
    return "<br>".join(rows)


def family_rows(family: Family) -> pd.DataFrame:
    """Lay the family out as rows, sources first."""
    return pd.DataFrame(
        [
            {
                _("Place"): _place(it.generation),
                _("Title"): it.record.title,
                _("Trust"): round(100 * it.record.confidence),
                _("Origin"): said(it.record.provenance.origin.value.replace("_", " ")),
                _("Door"): said(it.record.provenance.door.value),
                _("Source"): it.record.provenance.source,
                _("Status"): said(it.record.status.value),
            }
            for it in family.relatives
        ]
    )


def _place(generation: int) -> str:
    if generation == 0:
        return _("this record")
    if abs(generation) == 1:
        return _("source") if generation < 0 else _("derived")
    return (
        _("source, {steps} steps away", steps=-generation)
        if generation < 0
        else _("derived, {steps} steps away", steps=generation)
    )
