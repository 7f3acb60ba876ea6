"""An app whose pages are used without pause until it is killed, and that says what it will do and what it did.

``python -m tests.adversarial.enduring NAME SEED`` serves the pages to one person, without a browser. Its lines are
``will STATUS ID WORD``, ``did STATUS ID WORD``, ``counted CHORE`` and ``problem TEXT``; what was said to be done is
acknowledged. Each record is named by a word of its own, so that it can be searched for once it is forgotten.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

from streamlit.testing.v1 import AppTest

from memory.records import Kind, Status
from memory.report import RecallQuery
from memory.terms import tokens
from tests.ui.looking import words
from tests.ui.test_audit_pages import send
from tests.ui.test_bulk import tick
from ui import runtime, state
from wiring import Services

ROOT = Path(__file__).parents[2]
PAGES = sorted(str(it.relative_to(ROOT)) for it in (ROOT / "pages").glob("*.py"))
MEMORY, DECKS, BUGS = "pages/3_Memory.py", "pages/1_Investment_Audit.py", "pages/2_Bug_Triage.py"
WHAT = (
    "solar lamps", "sewing machines", "drum kits", "bee hives", "wedding tents", "microscopes", "fishing boats",
    "oxygen tanks", "piano lessons", "forklifts", "school buses", "wigs", "telescopes", "grain silos", "ice rinks",
)  # fmt: skip
WHOM = (
    "kiosks", "tailors", "orchestras", "orchards", "hotels", "laboratories", "harbours", "hospitals", "pensioners",
    "breweries", "villages", "theatres", "campsites", "bakeries", "prisons",
)  # fmt: skip
CODE = 'def {word}(db, name):\n    return db.execute("SELECT * FROM users WHERE name = \'" + name + "\'").fetchone()\n'
ADD = "Add an investment"
PAUSE_S = 0.3
KEPT = 12


def told(word: str) -> str:
    """Say in a sentence what the company of that name does; the same each time."""
    draw = Random(word)
    return f"{word} rents {draw.choice(WHAT)} to {draw.choice(WHOM)} by the day."


def deck(word: str) -> str:
    """Write the deck of the company of that name."""
    return f"{told(word)} Two thousand of them pay, and churn is 3 % a month. We raise $1m for three years."


def where_found(services: Services, record_id: str, word: str) -> set[str]:
    """Search for a record by its deck, its name and its vectors, and say which of those found it.

    Recall gives no more than twelve that are alike, so it need not be among them.
    """
    report = services.recaller.recall(RecallQuery("local", (Kind.INVESTMENT,), deck(word)), runtime.now())
    named = services.ledger.keywords("local", Kind.INVESTMENT, tokens(word), 12)
    found = {
        "recall": record_id in {it.record.id for it in report.candidates},
        "keywords": record_id in {it.record_id for it in named},
        "vectors": record_id in services.index.holds("local", Kind.INVESTMENT, [record_id]),
        "nothing, as no search was possible": not report.state.looked,
    }
    return {way for way, seen in found.items() if seen}


def as_it_should(status: Status, seen: set[str]) -> bool:
    """Say whether a record that stands so may be found in just those ways."""
    return {"keywords", "vectors"} <= seen <= {"keywords", "vectors", "recall"} if status is Status.ACTIVE else not seen


def say(*parts: str) -> None:
    print(*parts, flush=True)


class Sitting:
    """One person at one app, session after session; its seed says what they do and names what they make."""

    def __init__(self, name: str, seed: int) -> None:
        self.random = Random(f"{name}{seed}")
        self.reload()
        runtime.warm_up().join(120)
        self.services = runtime.services()
        self.standing: dict[str, tuple[str, Status]] = {}

    def sit(self) -> None:
        chores: list[Callable[[], None]] = [
            self.look, self.look, self.add, self.add, self.archive, self.restore, self.forget, self.search,
            self.search, self.audit_deck, self.triage,
        ]  # fmt: skip
        say("ready")
        while True:
            chore = self.random.choice(chores if self.random.random() > 0.02 else [self.purge, self.reload])
            chore()
            say("counted", chore.__name__)
            time.sleep(PAUSE_S)

    def reload(self) -> None:
        """Load the app anew, as who comes back to it does: what the session before held is to be let go."""
        self.page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()

    def look(self) -> None:
        self.open(self.random.choice(PAGES))

    def add(self) -> None:
        word = self.word()
        self.open(MEMORY)
        self.page.session_state[state.MEMORY_VIEW] = ADD
        self.page.run()
        form = f"add-{Kind.INVESTMENT.value}-{self.page.session_state['memory-turn']}"
        self.page.text_input(key=f"{form}-company").set_value(word)
        self.page.text_area(key=f"{form}-summary").set_value(told(word))
        say("will", "active", word, word)
        next(it for it in self.page.button if it.label == "Remember it").click().run()
        self.look_over()
        found = self.services.ledger.find("local", search=word.lower(), statuses=tuple(Status)).records
        if len(found) != 1:
            say("problem", f"{len(found)} records of {word} after it was saved")
            return
        record = found[0]
        say("did", record.status.value, record.id, word)
        self.standing[record.id] = word, record.status
        self.page.session_state[state.MEMORY_VIEW] = "Browse"

    def archive(self) -> None:
        for record_id, word in self.some(Status.ACTIVE):
            self.open(MEMORY)
            self.page.text_input(key="memory-search").set_value(word.lower()).run()
            tick(self.page, 0)
            say("will", "archived", record_id, word)
            self.page.button(key="bulk-archive").click().run()
            self.look_over()
            if "Archived: 1." not in words(self.page):
                say("problem", f"the archive of {record_id} was not acknowledged")
            self.did(Status.ARCHIVED, record_id, word)
            self.page.text_input(key="memory-search").set_value("").run()

    def restore(self) -> None:
        self.move(Status.ARCHIVED, Status.ACTIVE)

    def forget(self) -> None:
        if sum(status is Status.ACTIVE for _, status in self.standing.values()) > 1:
            self.move(Status.ACTIVE, Status.FORGOTTEN)

    def move(self, standing: Status, to: Status) -> None:
        for record_id, word in self.some(standing):
            say("will", to.value, record_id, word)
            self.services.lifecycle.move("local", [record_id], to, author="ana", reason="", now=runtime.now())
            self.did(to, record_id, word)

    def search(self) -> None:
        for status in (Status.FORGOTTEN, Status.ACTIVE):
            for record_id, word in self.some(status):
                seen = where_found(self.services, record_id, word)
                if not as_it_should(status, seen):
                    say("problem", f"{status.value} {record_id} was found in: {sorted(seen)}")

    def audit_deck(self) -> None:
        self.judge(DECKS, "investment", deck(self.word()))

    def triage(self) -> None:
        self.judge(BUGS, "bug", CODE.format(word=self.word().lower()))

    def judge(self, place: str, mode: str, text: str) -> None:
        self.page.switch_page(place).run()
        send(self.page, mode, text)
        self.page.query_params.clear()
        self.open(place)

    def purge(self) -> None:
        self.services.lifecycle.purge("local", author="ana", now=runtime.now() + timedelta(days=8))

    def open(self, place: str) -> None:
        self.page.switch_page(place).run()
        self.look_over()

    def look_over(self) -> None:
        if self.page.exception or self.page.error:
            say("problem", " ".join(words(self.page).split())[-600:])

    def did(self, status: Status, record_id: str, word: str) -> None:
        self.standing[record_id] = word, status
        say("did", status.value, record_id, word)

    def word(self) -> str:
        return f"Vex{self.random.randrange(16**8):08x}"

    def some(self, status: Status) -> list[tuple[str, str]]:
        found = [(record_id, word) for record_id, (word, at) in self.standing.items() if at is status]
        return self.random.sample(found[-KEPT:], 1) if found else []


if __name__ == "__main__":
    Sitting(sys.argv[1], int(sys.argv[2])).sit()
