"""What the audits said over time."""

from ui.shell import TRACK_RECORD, open_page
from ui.views import track_record

with open_page(TRACK_RECORD, track_record.LEAD):
    track_record.show()
