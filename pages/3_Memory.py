"""The records: search, read, add."""

from ui.shell import MEMORY, open_page
from ui.views import memory

with open_page(MEMORY, memory.LEAD):
    memory.show()
