"""Home: two doors, the memory at a glance, the last audits."""

from ui.shell import HOME, open_page
from ui.views import home

with open_page(HOME):
    home.show()
