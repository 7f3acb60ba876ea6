"""A map of the memory: records that are alike lie near each other, and what is audited lies among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from audit.modes import MODES
from audit.types import GroundedAudit
from memory.embed import Vectors
from memory.errors import StoreError
from memory.passages import passages
from memory.patterns import ended_badly
from memory.projection import Projection, project
from memory.records import Kind, Record
from ui import runtime
from ui.components import palette
from ui.components.labels import HALF, WHOLE, place_labels
from ui.facts import facts_now, here, sides_now
from ui.formats import number, percent
from ui.language import _
from ui.looks import LOOKS, PLURALS
from ui.messages import N_
from ui.plain import as_html, as_markdown, quiet, shorten
from ui.said import said

LEAST = 3
MOST_READ = 6
MOST_DRAWN = 1_500
MOST_NAMED, MOST_TRIED = 8, 24
LONGEST_NAME = 22
ROOM = 0.12  # around the marks, as a share of how far they reach
AREA_HIGH = 320  # of the 400 pixels of a map, what legend and margins leave at the least

TOO_SMALL = N_("A map takes at least {least} {noun}; there are {count}.")
MAP = N_(
    "Each mark is one of {count} {noun}; marks that lie near each other are alike in what they are. The flat picture "
    "keeps {kept} of the differences; a search uses all of them."
)
NEAREST = N_(
    "The star is {this}. Of {count} {noun}, **{title}** is most like it in what it is (cosine {cosine}). "
    "The flat picture keeps {kept} of the differences; the search used all of them."
)
PLACED = N_("Nearness here is likeness of wording alone: whether a record is a precedent is decided by the gate.")
OTHER_EMBEDDER = N_("The records were indexed with another reading model, so nothing can be placed among them.")
_LOOKS: Mapping[Kind, Mapping[bool | None, tuple[str, str, str]]] = {
    Kind.INVESTMENT: {
        True: (N_("ended badly"), "x", palette.LOST),
        False: (N_("ended well"), "circle", palette.EARNED),
        None: (N_("open"), "circle-open", palette.MUTED),
    },
    Kind.BUG: {
        True: (N_("serious"), "x", palette.LOST),
        False: (N_("lesser"), "circle", palette.COOL),
        None: (N_("open"), "circle-open", palette.MUTED),
    },
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """The records on a map, their vectors by id, and how they are laid flat: None where they are too few for it."""

    records: list[Record]
    vectors: Mapping[str, Vectors]
    plane: Projection | None


def show_map(kind: Kind) -> None:
    """Show the map of the records of a kind."""
    drawn = map_now(kind)
    if drawn.plane is None:
        _say_too_small(kind, len(drawn.records))
        return
    told = _(MAP, count=number(len(drawn.records)), noun=said(PLURALS[kind]), kept=percent(drawn.plane.kept))
    grave_first = sorted(drawn.records, key=lambda it: (ended_badly(it) is not True, -(it.year or 0)))
    named = [it.id for it in grave_first[:MOST_TRIED]]
    palette.draw(told, map_figure(drawn.records, drawn.vectors, drawn.plane, named=named), f"map-{kind.value}")


def show_place(audit: GroundedAudit, key: str) -> None:
    """Show where what was audited lies among the records of its kind, its precedents named."""
    kind, this = MODES[audit.mode].fact_kind, _(LOOKS[audit.mode].this)
    drawn = map_now(kind)
    if drawn.plane is None:
        _say_too_small(kind, len(drawn.records))
        return
    found, records = drawn.vectors, drawn.records
    services = runtime.services()
    if services.ledger.embedder() != services.embedder.id:
        st.markdown(quiet(_(OTHER_EMBEDDER)))
        return
    try:
        asked = _vector(key, audit)
    except StoreError as error:
        st.warning(as_markdown(said(str(error))), icon=":material/warning:")
        return
    nearest = max(records, key=lambda it: float(found[it.id] @ asked))
    plane = _plane_with(*here(), kind, key, asked)
    told = _(
        NEAREST,
        this=this,
        count=number(len(found)),
        noun=said(PLURALS[kind]),
        title=as_markdown(nearest.title),
        cosine=number(float(found[nearest.id] @ asked), 2),
        kept=percent(plane.kept),
    )
    named = [it.record.id for it in audit.precedents] or [nearest.id]
    figure = map_figure(records, found, plane, asked, this, named, WHOLE)
    palette.draw(told, figure, f"place-{key}")
    st.caption(_(PLACED))


def map_figure(
    records: Sequence[Record],
    vectors: Mapping[str, Vectors],
    plane: Projection,
    asked: Vectors | None = None,
    star: str = "",
    named: Sequence[str] = (),
    widths: Sequence[float] = HALF,
) -> go.Figure:
    """Draw records as marks whose shape says how they ended, ``asked`` as a star.

    The star and those ``named`` that have room, the first first, carry their names; the others tell it on hover.
    ``widths`` are those in pixels that it may be drawn in.
    """
    at = plane.place(np.stack([vectors[it.id] for it in records] + ([asked] if asked is not None else [])))
    low, high = at.min(axis=0), at.max(axis=0)
    room = np.where(high > low, high - low, 1.0) * ROOM
    spots = (at - low + room) / (high - low + 2 * room)
    spots[:, 1] = 1 - spots[:, 1]
    places = {it.id: place for place, it in enumerate(records)}
    wanted = [(len(records), star)] if asked is not None else []
    wanted += [(places[name], shorten(records[places[name]].title, LONGEST_NAME)) for name in named if name in places]
    labels = place_labels(spots, wanted, widths, AREA_HIGH, MOST_NAMED)
    texts = {place: _beside(as_html(name), labels[place]) for place, name in wanted if place in labels}
    figure = go.Figure()
    for ended, (name, symbol, color) in _LOOKS[records[0].kind].items():
        chosen = [place for place, it in enumerate(records) if ended_badly(it) is ended]
        if not chosen:
            continue
        figure.add_scatter(
            x=at[chosen, 0],
            y=at[chosen, 1],
            mode="markers+text",
            name=_(name),
            marker={"symbol": symbol, "color": color, "size": 10, "line": {"width": 1.5, "color": color}},
            text=[texts.get(place, "") for place in chosen],
            textposition=[labels.get(place, "top center") for place in chosen],
            customdata=[
                [as_html(shorten(records[place].title, 60)), str(records[place].year or "")] for place in chosen
            ],
            hovertemplate="%{customdata[0]} %{customdata[1]}<extra>" + _(name) + "</extra>",
        )
    if asked is not None:
        figure.add_scatter(
            x=at[-1:, 0],
            y=at[-1:, 1],
            mode="markers+text",
            name=star,
            text=[texts.get(len(records), "")],
            textposition=labels.get(len(records), "bottom center"),
            marker={"symbol": "star", "size": 20, "color": palette.WARN, "line": {"width": 1, "color": palette.FRAME}},
            hovertemplate="%{fullData.name}<extra></extra>",
        )
    plain = {"showticklabels": False, "showgrid": False, "zeroline": False, "title": None}
    ranges = [[float(low[axis] - room[axis]), float(high[axis] + room[axis])] for axis in (0, 1)]
    return palette.framed(figure, height=400, x=plain | {"range": ranges[0]}, y=plain | {"range": ranges[1]})


def _beside(name: str, place: str) -> str:
    """Keep a name that stands level with its mark clear of it."""
    gap = "\u2002" if place.startswith("middle") else ""
    return f"{gap if place.endswith('right') else ''}{name}{gap if place.endswith('left') else ''}"


def _say_too_small(kind: Kind, count: int) -> None:
    st.markdown(quiet(_(TOO_SMALL, least=number(LEAST), noun=said(PLURALS[kind]), count=number(count))))


def map_now(kind: Kind) -> Drawn:
    """Lay the records of a kind flat as they stand; worked out anew only after the memory has changed.

    Raises StoreError.
    """
    return _drawn(*here(), kind)


@st.cache_resource(max_entries=8, show_spinner=False)
def _drawn(home: str, workspace: str, place: tuple[int, str], kind: Kind) -> Drawn:
    what = sides_now().what
    records = [it for it in facts_now().records if it.kind is kind and it.id in what][:MOST_DRAWN]
    vectors = {it.id: what[it.id] for it in records}
    return Drawn(records, vectors, project(list(vectors.values())) if len(records) >= LEAST else None)


@st.cache_resource(max_entries=20, show_spinner=False)
def _plane_with(home: str, workspace: str, place: tuple[int, str], kind: Kind, key: str, _asked: Vectors) -> Projection:
    return project([*map_now(kind).vectors.values(), _asked])


@st.cache_data(max_entries=100, show_spinner=False)
def _vector(key: str, _audit: GroundedAudit) -> Vectors:
    """Read what a submission is: a deck by its own words; code by what was found in it, as a record of a bug is."""
    told = "\n".join(f"{it.title}. {it.explanation}" for it in _audit.findings)
    text = told if LOOKS[_audit.mode].shows_code and told else _audit.submission.text
    read = runtime.services().embedder.embed(list(passages(text, at_most=MOST_READ)))
    mean: Vectors = read.mean(axis=0)
    return (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)
