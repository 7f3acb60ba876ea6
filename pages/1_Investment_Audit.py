"""Audit a pitch deck."""

from ui.looks import LOOKS
from ui.shell import INVESTMENT, open_page
from ui.views import audit

with open_page(INVESTMENT, LOOKS["investment"].promise):
    audit.show("investment")
