"""What a draft's prose may rest on: the submission's and the proved records' names, years and amounts. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from audit.folding import skeleton
from audit.mentions import Kind, Mention, quantities
from audit.transliteration import heard_at
from audit.types import Submission
from memory.money import Money
from memory.records import GAINED, LOST, BugFacts, InvestmentFacts, Note, Outcome, Record, render

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_COMMON_ROW = re.compile(r"(?:severity|language|cwe): ")
_TOKEN = re.compile(r"[^\W_]+")
_ENDED = LOST | {Outcome.UNKNOWN}
_OUTCOME_WORDS: tuple[tuple[re.Pattern[str], frozenset[Outcome]], ...] = tuple(
    (re.compile(pattern), frozenset(outcomes))
    for pattern, outcomes in (
        (r"acquired|acqui|adquirid|ubernommen|rachet|收购", {Outcome.ACQUIRED, Outcome.EXITED}),
        (r"sold|vendi|bik|बिक", {Outcome.ACQUIRED, Outcome.SOLD_AT_A_LOSS, Outcome.EXITED}),
        (r"exit|退出", {*GAINED, Outcome.SOLD_AT_A_LOSS}),
        (r"ipo|went public|上市", {Outcome.WENT_PUBLIC}),
        (r"profit|earned|made money|盈利|回报|लाभ|मुनाफा|\dx", GAINED),
        (r"returned|recovered|repaid|paid back", {*GAINED, Outcome.SOLD_AT_A_LOSS}),
        (r"fixed|patched", {Outcome.FIXED}),
        (
            r"gone|went (?:wrong|down|dark|south|nowhere)|end(?:ed)?|fate|demise|downfall|failed|failure|post",
            {*LOST, Outcome.FIX_FAILED},
        ),
        (r"cost|loss|lost|losing|亏|损失|赔|perd|perte|perda|verl|नुकसान|घाटा|गंवा|prejuizo", LOST),
        (r"wr|shut|shutter|collapsed|fold|bust|under|bankrupt|zero|insolv|liquid|wound|die|dead|defunct|burn|wipe|implod|"
         r"crater|tank|sank|sunk|flop|close|cease|vanish|evapor|squander|kill|doom|ruin|sunset|倒闭|破产|失败|核销|注销|清算|"
         r"关停|关闭|归零|解散|停运|血本|quebr|cerr|fracas|hundi|colaps|pleite|scheiter|bankrott|abgeschr|geschlossen|eingestellt|"
         r"faillite|ferme|echou|echec|effondr|coul|fali|fech|encerr|afund|बंद|डूब|दिवालिया|विफल|असफल", LOST),
    )
)  # fmt: skip


@dataclass(frozen=True)
class RecordFacts:
    """One record's facts, as prose is compared with them."""

    record: Record

    @property
    def title(self) -> str:
        return self.record.title

    @cached_property
    def title_key(self) -> str:
        return " ".join(skeleton(self.record.title).lower().split())

    @cached_property
    def _title_pattern(self) -> re.Pattern[str] | None:
        """A record's name; None where its title is a description and names nothing."""
        key = self.title_key
        if isinstance(self.record.facts, BugFacts) or len(key) < 2:
            return None
        if isinstance(self.record.facts, Note) and len(key.split()) > 4:
            return None
        inner = re.escape(key).replace(r"\ ", r"[\s\-_.]*")
        return re.compile(rf"(?<![^\W_]){inner}(?![^\W_])")

    @cached_property
    def _title_begins(self) -> str:
        return self.title_key.split(" ", 1)[0]

    @cached_property
    def _plain(self) -> str:
        return skeleton(render(self.record))

    @cached_property
    def text(self) -> str:
        return self._plain.lower()

    @cached_property
    def rows(self) -> frozenset[str]:
        """The record's rows as prose could repeat them: with their labels, or alone where they are long."""
        rows = {" ".join(row.split()).strip(" .") for row in self.text.split("\n")}
        alone = {row.split(": ", 1)[-1] for row in rows}
        return frozenset(row for row in rows if len(row) >= 12 and not _COMMON_ROW.match(row)) | {
            row for row in alone if len(row.split()) >= 7
        }

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.text))

    @cached_property
    def years(self) -> frozenset[int]:
        facts = self.record.facts
        own = {facts.year, facts.year_end} if isinstance(facts, InvestmentFacts) else {facts.year}
        said = {int(it.value) for it in self._quantities if it.kind is Kind.YEAR}
        return frozenset({year for year in own if year is not None} | said)

    @cached_property
    def amounts(self) -> tuple[Money, ...]:
        match self.record.facts:
            case InvestmentFacts() as it:
                own = [it.invested, it.returned, it.loss]
            case BugFacts() as it:
                own = [it.loss]
            case _:
                own = []
        return tuple(dict.fromkeys(money for money in own if money is not None))

    @cached_property
    def _quantities(self) -> list[Mention]:
        return quantities(self._plain)

    @property
    def outcome_label(self) -> str:
        outcome = self.record.outcome
        return outcome.label if outcome is not None else "no outcome"

    def named_in(self, low: str) -> bool:
        """True where the folded sentence names this record by its title, in its writing or as another spells it."""
        if self._title_begins not in low:
            return not low.isascii() and self.heard_at(low) is not None
        pattern = self._title_pattern
        return pattern is not None and pattern.search(low) is not None

    def heard_at(self, text: str) -> tuple[int, int] | None:
        """Say where a folded text names this record as Devanagari or Chinese spells it."""
        return heard_at(self.title_key, text) if self._title_pattern is not None else None

    def holds_name(self, key: str) -> bool:
        return all(word in self.words or word in self.text for word in _TOKEN.findall(key))

    def has_amount(self, it: Mention) -> bool:
        return any(it.same_amount(money) for money in self.amounts) or self.has_number(it)

    def has_number(self, it: Mention) -> bool:
        return any(
            other.value == it.value and it.currency in {"", other.currency}
            for other in self._quantities
            if other.kind is not Kind.YEAR
        )

    def allows_outcome(self, word: str) -> bool:
        """True where the record says ``word``, or ended in a way that ``word`` can mean."""
        if word in self.text:
            return True
        outcome = self.record.outcome
        fitting = next((outcomes for pattern, outcomes in _OUTCOME_WORDS if pattern.search(word)), frozenset[Outcome]())
        if outcome in fitting:
            return True
        return fitting == LOST and self.record.loss is not None


class Evidence:
    """The submission, the proved records, and the records that were recalled or named but not proved.

    ``looked`` says that the memory was searched; ``code`` that records are of code, where unknown names are tools.
    """

    def __init__(
        self,
        submission: Submission,
        proved: Iterable[Record],
        unproved: Iterable[Record],
        *,
        looked: bool,
        code: bool = False,
    ) -> None:
        self.looked = looked
        self.code = code
        self._plain = skeleton(submission.text)
        self._low = " ".join(self._plain.lower().split())
        once = " ".join(set(self._low.split(" ")))  # a word of a text stands in it many times, and none spans a space
        self._tokens = frozenset(_TOKEN.findall(once))
        self._words = frozenset(_WORD.findall(once))
        self.proved = tuple(RecordFacts(record) for record in proved)
        self.proved_ids = (
            frozenset(record.id.lower() for record in proved)
            if isinstance(proved, tuple)
            else frozenset(it.record.id.lower() for it in self.proved)
        )
        self.unproved = tuple(RecordFacts(record) for record in unproved if record.id.lower() not in self.proved_ids)
        self._ids = tuple(it.record.id.lower() for it in self.unproved if len(it.record.id) >= 3)

    @cached_property
    def _quantities(self) -> list[Mention]:
        return quantities(self._plain)

    @cached_property
    def _years(self) -> frozenset[int]:
        return frozenset(int(it.value) for it in self._quantities if it.kind is Kind.YEAR)

    @cached_property
    def _amounts(self) -> frozenset[tuple[object, str]]:
        return frozenset((it.value, it.currency) for it in self._quantities if it.kind is not Kind.YEAR)

    @cached_property
    def _values(self) -> frozenset[object]:
        return frozenset(value for value, _ in self._amounts)

    def ids_in(self, text: str) -> list[str]:
        """Ids of unproved records that stand in ``text``."""
        low = text.lower()
        return [it for it in self._ids if it in low and re.search(rf"(?<!\w){re.escape(it)}(?!\w)", low)]

    def repeats_unproved(self, low: str) -> bool:
        """True where a folded sentence is, word for word, a row of an unproved record and of no proved one."""
        row = low.strip(" .-*•")
        if not any(row in record.rows for record in self.unproved) or self.has_phrase(row):
            return False
        return not any(row in record.rows for record in self.proved)

    def names_submission(self, key: str) -> bool:
        """True where every word of the name stands in the submission, next to each other."""
        key = key.strip(" '’.")
        return bool(key) and all(word in self._tokens for word in _TOKEN.findall(key)) and key in self._low

    def name_known(self, key: str) -> bool:
        return self.names_submission(key) or any(record.holds_name(key) for record in self.proved)

    def has_word(self, word: str) -> bool:
        """True where the submission or a proved record has ``word``, or one with the same beginning."""
        return word in self._words or any(word in record.words for record in self.proved) or word[:5] in self._stems

    @cached_property
    def _stems(self) -> frozenset[str]:
        words = set(self._words).union(*(record.words for record in self.proved))
        return frozenset(word[:5] for word in words if len(word) > 4)

    def submission_has_year(self, year: int) -> bool:
        return year in self._years

    def submission_has_amount(self, it: Mention) -> bool:
        if (it.value, it.currency) in self._amounts:
            return True
        return it.currency == "" and it.value in self._values

    def year_known(self, year: int) -> bool:
        return year in self._years or any(year in record.years for record in self.proved)

    def amount_known(self, it: Mention) -> bool:
        return self.submission_has_amount(it) or any(record.has_amount(it) for record in self.proved)

    def only_record_year(self, year: int) -> bool:
        """True where a year is that of an unproved record and of nothing else."""
        return not self.year_known(year) and any(year in record.years for record in self.unproved)

    def in_submission(self, text: str) -> bool:
        """True where the whole of ``text`` stands in the submission."""
        low = " ".join(skeleton(text).lower().split()).strip(" \"'.")
        inner = _TOKEN.findall(low)[1:-1]  # the outer ones may be parts of a word
        return len(low) > 1 and all(it in self._tokens for it in inner) and low in self._low

    def has_text(self, text: str) -> bool:
        """True where the submission or a proved record holds ``text``, folded and lower case, anywhere."""
        return text in self._low or any(text in record.text for record in self.proved)

    def has_phrase(self, phrase: str) -> bool:
        """True where a folded phrase stands in the submission."""
        return bool(phrase) and phrase in self._low

    def states_itself(self, text: str) -> bool:
        """True where ``text`` repeats, as a first-person statement, a sentence of the submission."""
        low = " ".join(skeleton(text).lower().split()).strip(" \"'.")
        return not re.search(r"\b(?:you|your|yours|user|investor)\b", low) and self.in_submission(text)
