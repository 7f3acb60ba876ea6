"""Read a draft's prose: strike the sentences that may not be shown, mark the terms of the others. Pure, linear.

``audit.claims`` judges one sentence; this module reads runs of them, so that a lie cut over lines, list entries and
fields is met as a whole, and what stands with a refused claim is refused with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from audit.claims import judge, judge_past
from audit.disguise import obscured, unescaped
from audit.evidence import Evidence
from audit.folding import skeleton, visible
from audit.mentions import Kind, Mention, counted, quantities
from audit.names import language_of, names, ordinary, public
from audit.names_elsewhere import names_elsewhere
from audit.number_words import COUNTS
from audit.outright import claims
from audit.reading import (
    CLAIM,
    DIFFERENT,
    LONGEST_SENTENCE,
    NESTED,
    OBSCURED,
    OTHER_RECORD,
    TOO_LONG,
    UNKNOWN,
    Read,
    Verdict,
    known,
    read_sentence,
)
from audit.sentences import sentences
from audit.types import Mark, MarkedTerm, Refusal, Sentence
from audit.vocabulary import refers_back

LONGEST_FIELD = 8000
LONGEST_WHY = 300
BESIDE = "stands beside a refused claim"

_PAST = frozenset({CLAIM, UNKNOWN, DIFFERENT, OBSCURED, NESTED, OTHER_RECORD})
_BETWEEN = re.compile(r"[\s!-/:-@\[-`{-~\da-hA-HivxIVX•‣◦▪●·○■□▸►➤✓✔→–—…“”‘’«»¿¡。！？，、：；（）「」]*")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+")
_WHOLE = re.compile(r"(?<![\d.,])\d{1,12}(?![\d]|[.,]\d)")
_QUOTED = re.compile(r"[\"'《〈]([\u0900-\u0963\u3400-\u9fff]{2,12})[\"'》〉]")
_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")


@dataclass(slots=True)
class Reading:
    """What a run of prose came to.

    ``whole`` is all that was read; ``loose`` is True where something between its sentences was not read.
    """

    kept: list[Sentence] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    whole: str = ""
    loose: bool = False

    @property
    def text(self) -> str:
        """What may be shown: the whole with its line breaks where nothing was struck, else the sentences left."""
        if self.refused or self.loose:
            return " ".join(it.text for it in self.kept)
        return self.whole


class Reader:
    """Reads the prose of one draft against its evidence, and remembers what was refused in it."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._tainted: set[str] = set()
        self._claimed = False

    def taint(self, text: str) -> None:
        """Remember the unverified names of refused text: sentences with them are refused as well."""
        self._taint(read_sentence(visible(text[:LONGEST_FIELD])))

    def read(self, name: str, texts: Iterable[str]) -> Reading:
        """Read the texts of one field together, as one run of sentences."""
        reading = Reading()
        pending: list[Read] = []
        for text in texts:
            pending += self._read_text(name, text, reading)
        pending = self._joined(name, pending, reading)
        if reading.refused:
            pending = self._beside(name, pending, reading, field_alone=True)
        reading.kept = [self._marked(read) for read in pending]
        return reading

    def again(self, name: str, reading: Reading) -> Reading:
        """Read a field again once the whole draft is known: what stands with a refused claim is refused too."""
        if not self._tainted and not self._claimed:
            return reading
        second = Reading(refused=list(reading.refused), whole=reading.whole, loose=reading.loose)
        pending = self._beside(name, [read_sentence(it.text) for it in reading.kept], second, field_alone=False)
        second.kept = [self._marked(read) for read in pending]
        return second

    def read_why(self, name: str, text: str, quotes: tuple[str, str]) -> Reading:
        """Read the writer's reason for a precedent: short, with no number or name that neither quote holds."""
        shown = " ".join(visible(text).split())
        if not shown:
            return Reading()
        if len(shown) > LONGEST_WHY:
            return Reading(refused=[Refusal(name, shown, TOO_LONG, f"a reason has at most {LONGEST_WHY} characters")])
        reading = self.read(name, [text])
        if reading.refused:
            left = [Refusal(name, it.text, BESIDE, "stands beside a refused claim") for it in reading.kept]
            return Reading(refused=[*reading.refused, *left])
        if extra := _not_quoted(skeleton(shown), skeleton("\n".join(quotes))):
            reason = f"“{extra}” is in neither quote"
            return Reading(refused=[Refusal(name, shown, "the reason says more than the quotes", reason)])
        return reading

    def _read_text(self, name: str, text: str, reading: Reading) -> list[Read]:
        shown = visible(unescaped(text[: 2 * LONGEST_FIELD]))
        reading.whole = f"{reading.whole}\n{shown}".strip()
        if len(shown) > LONGEST_FIELD:
            reason = f"a field has at most {LONGEST_FIELD:,} characters"
            reading.refused.append(Refusal(name, shown[:LONGEST_FIELD], TOO_LONG, reason))
            self.taint(shown)
            return []
        how = obscured(text)
        passed: list[Read] = []
        before = 0
        after_claim = bool(reading.refused)
        for start, end in sentences(shown):
            reading.loose = reading.loose or not _BETWEEN.fullmatch(shown[before:start])
            before = end
            read = read_sentence(shown[start:end])
            verdict = Verdict(OBSCURED, how) if how else judge(read, self._evidence)
            short = bool(reading.refused) and not _closed(reading.refused[-1].text) and len(read.low.split()) < 4
            if verdict is None and after_claim and (short or refers_back(read.low)):
                verdict = Verdict(BESIDE, "goes on from a refused claim")
            after_claim = verdict is not None and verdict.rule in {*_PAST, BESIDE}
            if verdict is None:
                passed.append(read)
            else:
                self._refuse(name, read, verdict, reading)
        reading.loose = reading.loose or not _BETWEEN.fullmatch(shown[before:])
        return passed

    def _joined(self, name: str, pending: list[Read], reading: Reading) -> list[Read]:
        """Read fragments that end without a full stop together with what follows them."""
        kept: list[Read] = []
        for group in _fragments(pending):
            verdict = None
            if len(group) > 1 and any(len(it.low.split()) < 5 for it in group):
                whole = read_sentence(" ".join(it.text for it in group))
                torn = sum(len(it.low.split()) < 3 for it in group) * 2 > len(group) > 3
                told = torn or (claims(whole.low) and not any(claims(it.low) for it in group))
                verdict = judge_past(whole, self._evidence) if told else None
            if verdict is None:
                kept += group
            else:
                for it in group:
                    self._refuse(name, it, verdict, reading)
        return kept

    def _beside(self, name: str, pending: list[Read], reading: Reading, *, field_alone: bool) -> list[Read]:
        """Refuse what holds unverified terms beside a refused claim: years and bare titles in its own field only."""
        kept = []
        reason = "holds unverified names, years or amounts beside a refused claim"
        for read in pending:
            hit = not self._tainted.isdisjoint(read.words)
            if self._claimed and not hit:
                kinds = frozenset(Kind) if field_alone else frozenset({Kind.NAME, Kind.AMOUNT})
                hit = any(it.kind in kinds for it in self._unknown(read)) or (field_alone and self._bare_title(read))
            if hit:
                self._refuse(name, read, Verdict(BESIDE, reason), reading)
            else:
                kept.append(read)
        return kept

    def _unknown(self, read: Read) -> list[Mention]:
        found = (it for it in read.mentions if not known(it, self._evidence))
        return [it for it in found if it.kind is not Kind.NAME or not public(it.key)]

    def _bare_title(self, read: Read) -> bool:
        words = _WORD.findall(read.plain)
        titled = bool(words) and all(word[0].isupper() for word in words)
        return titled and len(words) <= 4 and not _closed(read.text) and not self._evidence.in_submission(read.text)

    def _refuse(self, name: str, read: Read, verdict: Verdict, reading: Reading) -> None:
        reading.refused.append(Refusal(name, read.text, verdict.rule, verdict.reason))
        self._claimed = self._claimed or verdict.rule in _PAST
        self._taint(read)

    def _taint(self, read: Read) -> None:
        for it in read.names:
            if not self._evidence.name_known(it.key) and not public(it.key):
                self._tainted.update(word for word in _WORD.findall(it.key) if len(word) > 3 and not ordinary(word))

    def _marked(self, read: Read) -> Sentence:
        terms: dict[str, Mark] = {}
        source = read.text if len(read.plain) == len(read.text) else read.plain
        heard = [span for record in self._evidence.proved if (span := record.heard_at(read.plain))]
        spelt = (Mention(Kind.NAME, *span, key=read.plain[slice(*span)].lower()) for span in heard)
        mentions = (*read.mentions, *spelt, *names_elsewhere(read.plain))
        for it in sorted(mentions, key=lambda it: it.start):
            terms.setdefault(unicodedata.normalize("NFC", source[it.start : it.end]), self._mark(it))
        return Sentence(read.text, tuple(MarkedTerm(text, mark) for text, mark in terms.items()))

    def _mark(self, it: Mention) -> Mark:
        evidence = self._evidence
        match it.kind:
            case Kind.NAME:
                submitted = evidence.names_submission(it.key) or (not it.key.isascii() and evidence.has_phrase(it.key))
                recorded = any(record.holds_name(it.key) or record.named_in(it.key) for record in evidence.proved)
            case Kind.YEAR:
                submitted = evidence.submission_has_year(int(it.value))
                recorded = any(int(it.value) in record.years for record in evidence.proved)
            case _:
                submitted = evidence.submission_has_amount(it)
                recorded = any(record.has_amount(it) for record in evidence.proved)
        return Mark.IN_RECORD if recorded else Mark.IN_SUBMISSION if submitted else Mark.UNVERIFIED


def _fragments(pending: list[Read]) -> list[list[Read]]:
    """Group sentences so that each but a group's last ends without a full stop; each about a long sentence at most."""
    groups: list[list[Read]] = []
    length = 0
    for read in pending:
        if groups and not _closed(groups[-1][-1].text) and length < LONGEST_SENTENCE:
            groups[-1].append(read)
        else:
            groups.append([read])
            length = 0
        length += len(read.text)
    return groups


def _closed(text: str) -> bool:
    return text.rstrip("\"'”’»)] ")[-1:] in set(".!?…。！？।")


def _not_quoted(why: str, quotes: str) -> str:
    """Name the first number, year, amount or proper name of ``why`` that ``quotes`` does not hold, or ""."""
    held = {(it.value, it.currency) for it in quantities(quotes)}
    for it in quantities(why):
        if (it.value, it.currency) not in held:
            return why[it.start : it.end]
    digits = frozenset(_DIGITS.findall(quotes))
    tokens = frozenset(_TOKEN.findall(quotes.lower()))
    values = {it.value for it in (*counted(quotes), *quantities(quotes))} | {
        Decimal(it) for it in _WHOLE.findall(quotes)
    }
    for it in counted(why):
        if it.value not in values:
            return why[it.start : it.end]
    for number in _DIGITS.findall(why):
        if number not in digits:
            return str(number)
    for word in _WORD.findall(why.lower()):
        if word in COUNTS and word not in tokens:
            return str(word)
    for quoted in _QUOTED.findall(why):
        if quoted not in quotes:
            return str(quoted)
    for name in names(why, language_of(why)):
        if not tokens.issuperset(_TOKEN.findall(name.key)):
            return why[name.start : name.end]
    return ""
