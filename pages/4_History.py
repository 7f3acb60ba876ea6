"""Past audits: find one and open it exactly as it was."""

from ui.shell import HISTORY, open_page

with open_page(HISTORY):
    from ui.views import history

    history.show()
