"""Triage a piece of code."""

from ui.shell import BUG, open_page

with open_page(BUG):
    from ui.views import audit

    audit.show("bug")
