"""The records: search, read, add."""

from ui.shell import MEMORY, open_page

with open_page(MEMORY):
    from ui.views import memory

    memory.show()
