"""Triage a piece of code."""

from ui.looks import LOOKS
from ui.shell import BUG, open_page
from ui.views import audit

with open_page(BUG, LOOKS["bug"].promise):
    audit.show("bug")
