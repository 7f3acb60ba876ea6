"""What the audits said over time."""

from ui.shell import TRACK_RECORD, open_page

with open_page(TRACK_RECORD):
    from ui.views import track_record

    track_record.show()
