"""Past audits: find one and open it exactly as it was."""

from ui.shell import HISTORY, open_page
from ui.views import history

with open_page(HISTORY, history.LEAD):
    history.show()
