"""Records, submissions and recall reports for the guard's measure: made from a seed, owned by nobody."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256

from audit.modes import BUG, INVESTMENT, Mode
from audit.types import Submission
from memory.money import Money
from memory.records import BugFacts, Door, InvestmentFacts, Kind, Note, Origin, Outcome, Provenance, Record
from memory.report import Candidate, Cue, Decision, Gate, RecallReport, RecallState

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
_FIRST = (
    "Tavi",
    "Morru",
    "Kesh",
    "Lumo",
    "Brin",
    "Ossa",
    "Peri",
    "Valdo",
    "Nyra",
    "Quen",
    "Drava",
    "Solu",
    "Henna",
    "Jorbi",
)
_LAST = ("pay", "kart", "loop", "nest", "grid", "meal", "ride", "mart", "cash", "lane", "works", "sense")
_TWO_WORDS = (
    "Amber Kettle",
    "Copper Finch",
    "Quiet Harbour",
    "Plum Ledger",
    "Iron Lantern",
    "Maple Courier",
    "Velvet Anchor",
)
_TRADES = (
    (
        "payments",
        "a peer-to-peer payments app with fast user growth and no fees",
        "it never charged anybody while transfer costs grew",
    ),
    (
        "groceries",
        "groceries delivered in ten minutes from small city stores",
        "each order lost money and density never came",
    ),
    ("meal kits", "weekly meal kits for offices with a fixed plan", "customers cancelled after the discount ended"),
    ("scooters", "shared electric scooters parked on street corners", "repairs and theft ate every ride's margin"),
    (
        "tutoring",
        "live video tutoring for school children in small groups",
        "tutors left for direct contracts with parents",
    ),
    ("insurance", "micro insurance for parcels sold at checkout", "claims came in faster than premiums"),
    ("furniture", "furniture rented by the month to young tenants", "returned sofas could not be rented again"),
    ("farming", "soil sensors that tell farmers when to water", "the sensors failed in the second season"),
)
_FLAWS = (
    (
        "SQL injection in a login query",
        "CWE-89",
        "the query was built by string concatenation",
        'query = "SELECT * FROM users WHERE name = \'" + name + "\'"',
        "bind the parameters",
    ),
    (
        "Path traversal in a download handler",
        "CWE-22",
        "the file name came from the request unchecked",
        "path = BASE + request.args['file']",
        "resolve the path and check its base",
    ),
    (
        "Shell injection in an image converter",
        "CWE-78",
        "the shell parsed a file name from a form",
        "os.system('convert ' + upload.name)",
        "pass a list of arguments without a shell",
    ),
    (
        "Unsafe deserialisation of a session",
        "CWE-502",
        "the session cookie was unpickled",
        "session = pickle.loads(cookie_bytes)",
        "use signed JSON",
    ),
    (
        "Race in a stock counter",
        "CWE-362",
        "two workers read the same count",
        "count = read_count(); write_count(count - 1)",
        "update in one statement",
    ),
)
_CURRENCIES = ("INR", "USD", "EUR", "GBP", "CNY")


@dataclass(frozen=True, slots=True)
class World:
    """One situation: a mode, a submission, what recall answered, and the records a writer may honestly point at."""

    mode: Mode
    submission: Submission
    recall: RecallReport
    kept: tuple[Record, ...]
    passages: dict[str, str]
    facts: dict[str, str]


def invented_name(rng: random.Random) -> str:
    """Make up the name of a company: one that no record or submission has."""
    if rng.random() < 0.3:
        return rng.choice(_TWO_WORDS) + rng.choice(("", " Labs", " Foods", " Technologies"))
    return rng.choice(_FIRST) + rng.choice(("x", "z", "q", "v")) + rng.choice(("o", "a", "i", "")) + rng.choice(_LAST)


def make_world(rng: random.Random, mode: Mode, kept: int, *, state: RecallState | None = None) -> World:
    """Make a world of ``kept`` recalled records beside some near and dropped ones."""
    records = _investments(rng) if mode is INVESTMENT else _bugs(rng)
    rng.shuffle(records)
    close = records[:kept]
    text, passages, facts = _deck(rng, close) if mode is INVESTMENT else _code(rng, close)
    submission = Submission(
        mode.name, text, sha256(text.encode()).hexdigest(), language="" if mode is INVESTMENT else "python"
    )
    candidates = [_candidate(record, Decision.KEPT, passages[record.id], mode) for record in close]
    candidates += [_candidate(record, Decision.NEAR, "", mode) for record in records[kept : kept + 2]]
    candidates += [_candidate(record, Decision.DROPPED, "", mode) for record in records[kept + 2 : kept + 4]]
    candidates += [_candidate(_evaluation(rng, mode), Decision.DROPPED, "", mode)]
    if kept and rng.random() < 0.3:
        candidates.append(_candidate(_evaluation(rng, mode), Decision.KEPT, "", mode))
    found = state or (RecallState.FOUND if kept else rng.choice((RecallState.NONE_RELEVANT, RecallState.NO_RECORDS)))
    shown = () if found in {RecallState.NO_RECORDS, RecallState.UNAVAILABLE} else tuple(candidates)
    return World(
        mode,
        submission,
        RecallReport(found, "measured", shown, Gate(0.5, 0.2), len(records)),
        tuple(close),
        passages,
        facts,
    )


def investment(record: Record) -> InvestmentFacts:
    """Return the facts of an investment. Raises TypeError for another record."""
    if not isinstance(record.facts, InvestmentFacts):
        raise TypeError(f"{record.id} is no investment")
    return record.facts


def invested(facts: InvestmentFacts) -> Money:
    """Return what was invested: every made record has it."""
    return facts.invested or Money(Decimal(0), "")


def _candidate(record: Record, decision: Decision, passage: str, mode: Mode) -> Candidate:
    cue = None
    if mode is BUG and decision is Decision.KEPT and isinstance(record.facts, BugFacts):
        cue = Cue(record.facts.cwe, record.facts.title, passage)
    probability = {Decision.KEPT: 0.8, Decision.NEAR: 0.3, Decision.DROPPED: 0.05}[decision]
    return Candidate(record, probability, probability, decision, "measured", passage=passage, confirmed_by=cue)


def _record(rng: random.Random, kind: Kind, facts: InvestmentFacts | BugFacts | Note) -> Record:
    identifier = f"{kind.value[:3]}-{rng.randrange(16**6):06x}"
    confidence = rng.choice((0.5, 0.7, 0.9))
    provenance = Provenance(Door.FORM, Origin.OWN_RECORD, "measure", "measure", NOW, confidence)
    return Record(identifier, "measure", kind, facts, provenance, confidence)


def _money(rng: random.Random) -> Money:
    return Money(Decimal(rng.randrange(11, 99) * 1000), rng.choice(_CURRENCIES))


def _investments(rng: random.Random) -> list[Record]:
    names = rng.sample([first + last for first in _FIRST for last in _LAST], len(_TRADES))
    found = []
    for name, (sector, summary, cause) in zip(names, _TRADES, strict=True):
        year = rng.randrange(2009, 2016)
        facts = InvestmentFacts(
            company=name,
            sector=sector,
            summary=summary,
            year=year,
            year_end=year + 2,
            outcome=rng.choice((Outcome.SHUT_DOWN, Outcome.WRITTEN_OFF)),
            invested=_money(rng),
            cause=cause,
            lesson=f"Do not trust growth in {sector} before the margin is known.",
        )
        found.append(_record(rng, Kind.INVESTMENT, facts))
    return found


def _bugs(rng: random.Random) -> list[Record]:
    return [
        _record(
            rng,
            Kind.BUG,
            BugFacts(
                title=title,
                language="python",
                cwe=cwe,
                severity="high",
                year=rng.randrange(2009, 2016),
                symptom="customer data got out overnight",
                root_cause=cause,
                faulty_code=code,
                fix=fix,
                loss=_money(rng),
            ),
        )
        for title, cwe, cause, code, fix in _FLAWS
    ]


def _evaluation(rng: random.Random, mode: Mode) -> Record:
    name = rng.choice(_FIRST) + "dex"
    note = Note(
        name,
        mode.wording.evaluation_label,
        f"{name} was judged weak: no revenue, one founder, {_money(rng)} asked.",
        2024,
    )
    return _record(rng, mode.evaluation_kind, note)


def _deck(rng: random.Random, close: list[Record]) -> tuple[str, dict[str, str], dict[str, str]]:
    company = rng.choice(("Fendo", "Garu", "Wisp", "Tolla", "Bexley")) + rng.choice(("ly", "io", "hub"))
    facts = {
        "c": company,
        "u": f"{rng.randrange(20, 90)},000",
        "g": f"{rng.randrange(11, 39)}%",
        "r": f"₹{rng.randrange(2, 9)} crore",
        "f": str(rng.choice((2024, 2025))),
    }
    lines = [
        f"{company} has {facts['u']} users and grows {facts['g']} a month.",
        f"Founded in {facts['f']} by a single founder.",
    ]
    passages = {}
    for record in close:
        passages[record.id] = f"We offer {investment(record).summary} in our home city"
        lines.append(passages[record.id] + ".")
    if not close:
        lines.append("We make glass lenses for surveying drones and sell them to builders.")
    lines += ["We have no revenue yet.", f"We raise {facts['r']}.", "Our bank partner has not signed."]
    rng.shuffle(lines)
    return "\n".join(lines), passages, facts


def _code(rng: random.Random, close: list[Record]) -> tuple[str, dict[str, str], dict[str, str]]:
    lines = [
        "import os",
        "def handler(request, name, upload, cookie_bytes):",
        "    total = 0",
        "    for item in request.items:",
        "        total += item.price",
    ]
    passages = {}
    for record in close:
        code = record.facts.faulty_code if isinstance(record.facts, BugFacts) else ""
        passages[record.id] = code
        lines.append(f"    {code}")
    lines.append("    return total")
    return "\n".join(lines), passages, {"c": "handler", "u": "10", "g": "2%", "r": "$5", "f": str(2025)}


def with_evidence_of(world: World, text: str) -> World:
    """Return the world with ``text`` pasted into its submission, as an injection is."""
    pasted = f"{world.submission.text}\n{text}"
    return replace(world, submission=replace(world.submission, text=pasted, sha256=sha256(pasted.encode()).hexdigest()))
