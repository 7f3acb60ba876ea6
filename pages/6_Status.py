"""The state of each part."""

from ui.shell import STATUS, open_page
from ui.views import status

with open_page(STATUS, status.LEAD):
    status.show()
