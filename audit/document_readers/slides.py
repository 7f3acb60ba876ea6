"""PPTX: text, tables, charts and speaker notes of each slide, in the order a person reads them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

import pptx
from pptx.enum.shapes import MSO_SHAPE_TYPE

from audit.document_readers.page import Page, Pages, numbers, too_long

_MOST_POINTS = 40


def read_slides(content: bytes, max_pages: int) -> Pages:
    """Read every slide. Raises Unreadable where there are too many; a hidden slide is read and said."""
    deck = pptx.Presentation(io.BytesIO(content))
    slides = list(deck.slides)
    if len(slides) > max_pages:
        raise too_long(len(slides), "slides", max_pages)
    pages, hidden, pictures, unread = [], [], [], []
    for number, slide in enumerate(slides, start=1):
        shapes = list(_flat(slide.shapes))
        if slide._element.get("show") == "0":
            hidden.append(number)
        if any(shape.shape_type in {MSO_SHAPE_TYPE.PICTURE, MSO_SHAPE_TYPE.LINKED_PICTURE} for shape in shapes):
            pictures.append(number)
        if any(_is_unread(shape) for shape in shapes):
            unread.append(number)
        parts = [part for shape in _reading_order(shapes, slide) for part in _shape_text(shape)]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            spoken = slide.notes_slide.notes_text_frame.text.strip()
            parts += [f"Notes: {spoken}"] if spoken else []
        if any(part.strip() for part in parts):
            pages.append(Page(f"Slide {number}", "\n".join(parts)))
    notes = []
    if pictures:
        notes.append(f"Pictures were not read: slide {numbers(pictures)}.")
    if unread:
        notes.append(f"Diagrams or embedded objects were not read: slide {numbers(unread)}.")
    if hidden:
        notes.append(f"Hidden slides were read too: slide {numbers(hidden)}.")
    return Pages(tuple(pages), tuple(notes))


def _flat(shapes: Iterable[Any]) -> Iterator[Any]:
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _flat(shape.shapes)
        else:
            yield shape


def _reading_order(shapes: list[Any], slide: Any) -> list[Any]:
    """Order shapes as read: the title, then the left column before the right one, each from top to bottom."""
    title = slide.shapes.title
    rest = [shape for shape in shapes if title is None or shape.shape_id != title.shape_id]
    placed = [shape for shape in rest if shape.left is not None and shape.width is not None]
    loose = [shape for shape in rest if shape.left is None or shape.width is None]
    ordered = sorted(placed, key=lambda it: (it.top or 0, it.left))
    middle = _gutter(placed)
    if middle is not None:
        ordered = sorted(placed, key=lambda it: (it.left >= middle, it.top or 0, it.left))
    return ([title] if title is not None else []) + ordered + loose


def _gutter(shapes: list[Any]) -> int | None:
    """Find the place where a vertical line separates the shapes into two columns, or None."""
    texts = [shape for shape in shapes if list(_shape_text(shape))]
    for left in sorted({shape.left for shape in texts})[1:]:
        before = [shape for shape in texts if shape.left < left]
        after = [shape for shape in texts if shape.left >= left]
        if len(before) > 1 and len(after) > 1 and all(shape.left + shape.width <= left for shape in before):
            return int(left)
    return None


def _shape_text(shape: Any) -> Iterator[str]:
    if getattr(shape, "has_text_frame", False) and shape.has_text_frame:
        text = shape.text_frame.text.replace("\v", "\n").strip()
        if text:
            yield text
    elif getattr(shape, "has_table", False) and shape.has_table:
        for row in shape.table.rows:
            yield " | ".join(" ".join(cell.text.split()) for cell in row.cells)
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        yield from _chart_text(shape.chart)


def _chart_text(chart: Any) -> Iterator[str]:
    if chart.has_title and chart.chart_title.has_text_frame and chart.chart_title.text_frame.text.strip():
        yield f"Chart: {chart.chart_title.text_frame.text.strip()}"
    for plot in chart.plots:
        categories = [str(category) for category in plot.categories]
        for series in plot.series:
            values = list(series.values)[:_MOST_POINTS]
            names = categories if len(categories) >= len(values) else [""] * len(values)
            points = (f"{name} {_number(value)}".strip() for name, value in zip(names, values, strict=False))
            yield f"{series.name}: {', '.join(points)}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}"


def _is_unread(shape: Any) -> bool:
    """True for a frame that holds neither a table nor a chart: a diagram, an embedded sheet, a film."""
    return shape._element.tag.endswith("}graphicFrame") and not (shape.has_table or shape.has_chart)
