"""Audit a pitch deck."""

from ui.shell import INVESTMENT, open_page

with open_page(INVESTMENT):
    from ui.views import audit

    audit.show("investment")
