"""Colours of plots, chosen to read on light and on dark; shape or hatching always says the same thing again."""

from __future__ import annotations

EARNED = "#2f8f86"
LOST = "#c2553f"
WARN = "#c98a1e"
COOL = "#5b8fc9"
MUTED = "#8a918e"
FRAME = "rgba(128,128,128,0.6)"
WASH = "rgba(128,128,128,0.14)"
SEVERITY = {"critical": "#c2443f", "high": "#cf7a2a", "medium": "#c9a227", "low": "#5b8fc9", "info": "#8a918e"}
