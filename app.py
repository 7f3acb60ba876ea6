"""Home: two doors, the memory at a glance, the last audits."""

from ui.shell import HOME, open_page

with open_page(HOME):
    from ui.views import home

    home.show()
