"""How every plot looks: colours that read on light and on dark, one frame, one sentence each.

Shape, hatching or words always say the same thing again as a colour does.
"""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from ui.formats import compact

EARNED = "#2f8f86"
LOST = "#c2553f"
WARN = "#c98a1e"
COOL = "#5b8fc9"
MUTED = "#8a918e"
FRAME = "rgba(128,128,128,0.6)"
WASH = "rgba(128,128,128,0.14)"
SEVERITY = {"critical": "#c2443f", "high": "#cf7a2a", "medium": "#c9a227", "low": "#5b8fc9", "info": "#8a918e"}
HATCH = {"critical": "x", "high": "/", "medium": "", "low": ".", "info": "-"}
SYMBOL = {"critical": "x", "high": "diamond", "medium": "square", "low": "circle", "info": "circle-open"}

MOST_TICKS = 6
LEGEND_ABOVE: dict[str, Any] = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
_MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}
_AXIS = {"automargin": True, "zerolinecolor": FRAME}


def amounts(low: float, high: float) -> dict[str, Any]:
    """Mark an axis that reaches from ``low`` to ``high`` at round numbers, written as the reader's locale does."""
    reach = (high - low) / MOST_TICKS or 1.0
    power = 10.0 ** math.floor(math.log10(reach))
    step = next(it * power for it in (1, 2, 5, 10) if it * power >= reach)
    marks = [step * at for at in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return {"tickvals": marks, "ticktext": [compact(it) for it in marks]}


def framed(
    figure: go.Figure, *, height: int, x: dict[str, Any] | None = None, y: dict[str, Any] | None = None, **layout: Any
) -> go.Figure:
    """Give a plot the common frame; ``x`` and ``y`` add to its axes, ``layout`` to the rest. Height in pixels."""
    return figure.update_layout(
        height=height,
        margin=_MARGIN | layout.pop("margin", {}),
        xaxis=_AXIS | (x or {}),
        yaxis=_AXIS | (y or {}),
        legend=LEGEND_ABOVE | layout.pop("legend", {}),
        **layout,
    )


def draw(said: str, figure: go.Figure, key: str) -> None:
    """Show a plot under the sentence (Markdown) that says what it shows, which also tells it to who cannot see it."""
    st.markdown(said)
    st.plotly_chart(figure, key=key, alt=said.replace("\\", "").replace("**", ""), config={"displayModeBar": False})
