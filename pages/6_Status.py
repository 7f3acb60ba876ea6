"""The state of each part."""

from ui.shell import STATUS, open_page

with open_page(STATUS):
    from ui.views import status

    status.show()
