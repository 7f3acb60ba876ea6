"""Read prose sentence by sentence: which may be shown, with which terms marked, and which claim a past. Pure, linear.

A heuristic that leans to refusing. Precedents, losses and history are safe by construction in ``audit.guard``; this
is what stands between a reader and a sentence such as "you lost money on this before".
"""

from __future__ import annotations

import base64
import html
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from audit.evidence import Evidence, RecordFacts
from audit.folding import scripts_mixed, skeleton, visible
from audit.mentions import COUNTS, Kind, Mention, quantities
from audit.names import language_of, names, ordinary, public
from audit.sentences import sentences
from audit.types import Mark, MarkedTerm, Refusal, Sentence

LONGEST_FIELD = 8000
LONGEST_SENTENCE = 1200
LONGEST_WHY = 300

_DATA = tomllib.loads((Path(__file__).parent / "data" / "past_claims.toml").read_text(encoding="utf-8"))


def _pattern(*tables: str) -> re.Pattern[str]:
    latin: list[str] = []
    other: list[str] = []
    for table in tables:
        for language, entries in _DATA[table].items():
            folded = [skeleton(entry) for entry in entries]
            (other if language in {"zh", "hi"} else latin).extend(folded)
    parts = [rf"(?<![a-z'])(?:{'|'.join(latin)})(?![a-z])"] if latin else []
    return re.compile("|".join(parts + other))


_CLAIMS = _pattern("claims", "claims_elsewhere")
_OUTCOMES = _pattern("outcomes")
_INVESTMENTS = _pattern("investments")
_LIKENESS = _pattern("likeness")
_TIMES = _pattern("times")
_READERS = _pattern("readers")
_MODAL = _pattern("modal")
_OTHERS = _pattern("others")
_ENDINGS = _pattern("endings")
_NEUTRAL = frozenset(word for words in _DATA["neutral"].values() for word in words)
_CONDITION = re.compile(
    r"(?:if|unless|whether|once|until|after|when|before|as soon as|make sure|ensure|provided|assuming|suppose)"
    r"(?: that)? (?:you|we)(?:'ve| have|'d| had)?(?: not| yet| actually| already)? $"
)
_PERFECT = re.compile(r"(?:'ve| have) (?:not |yet |actually |already )?\w+")
_ASKS = re.compile(
    r"^[^\w]*(?:\w+[,:] )?(?:and |but |so )?(?:how|what|which|who|whom|whose|why|when|where|have|has|had|did|do|does|are|is|were|was|can|could|"
    r"will|would|should|may)\b"
)
_PRESUMES = re.compile(
    r"(?:n't|not) (?:you|we|this|it)|remember|recall|again|last time|as before|same mistake|another|like (?:the|your|last)|"
    r"similar|before like|history|(?:19|20)\d\d|lose your|lost your|write-?off|wrote|money (?:in|on)"
)
_TAGS = re.compile(r"<!--|-->|</?[a-zA-Z][^<>]{0,300}>|&nbsp;")
_MARKDOWN = re.compile(r"[*_~`#|>\\]+")
_INSIDE = re.compile(r"(?<=[^\W\d_])[*_~`'’.\-|/\\^\"+=·•:,()\[\]{}<>]{1,3}(?=[^\W\d_])")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_](?:[ .\-_*|/,·•~+=]{1,3})){4,}[^\W\d_](?![^\W_])")
_SPACED_DIGITS = re.compile(
    r"(?<!\d)[12](?:[ .\-_*|/·•~]{1,2})[09](?:[ .\-_*|/·•~]{1,2})\d(?:[ .\-_*|/·•~]{1,2})\d(?!\d)"
)
_LEET_WORD = re.compile(r"[a-z0-9@$!|+€]*(?:[a-z][0-9@$!|€]|[0-9@$!|€][a-z])[a-z0-9@$!|+€]*")
_LEET = str.maketrans("0134578@$!|€+", "oieastbasilet")
_LEET_OTHER = str.maketrans("0134578@$!|€+", "oleastbasllet")
_REPEATED = re.compile(r"([a-z])\1{2,}")
_SQUEEZED = re.compile(
    r"you(?:have|had|ve|once|already|previously|also|all){0,2}(?:invested|backedthis|backeda|funded|losteverything|lostmoney|"
    r"lostit|wroteoff|wroteitoff|sawthis|remember|recall)|yourpast|yourprevious(?:investment|loss|bet)|lasttimeyou|"
    r"yourrecordsshow|historyshows"
)
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{16,}={0,2}(?![\w+/])")
_HEX = re.compile(
    r"(?<!\w)(?:0x)?(?:[0-9a-f]{2}[ :]?){8,}(?!\w)|(?:\\x[0-9a-f]{2}){3,}|(?:\\u[0-9a-f]{4}){2,}|(?:%[0-9a-f]{2}){4,}",
    re.I,
)
_NESTED = re.compile(
    r"[{\[,]\s*[\"'“”]\w[\w \-]*[\"'“”]\s*:|[\"'“”]\w+[\"'“”]\s*:\s*[\"'“”{\[\d]|\{\s*\w+\s*:\s*[\"'“”\d]|"
    r"(?:record|similar|historical|past)[ _\-]?(?:id|ids|idea|bug|loss|losses|cases?)(?:[ _\-]?found)?[\"'“”]?\s*[:=]|"
    r"similar[ _\-](?:idea|bug)[ _\-]found|similar[ _\-]past[ _\-]cases|historical[ _\-]loss\b|record[ _\-]?(?:quote|id)\b|submission[ _\-]quote\b",
    re.I,
)
_ID = re.compile(
    r"(?<![\w])(?:(?:inv|bug|rec|record|mem|case|investment|seed|prec|precedent)[-_#:. ]{0,2}\d{2,}|"
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}|"
    r"(?=[0-9a-hjkmnp-tv-z]*\d)0[0-9a-hjkmnp-tv-z]{25})(?!\w)",
    re.I,
)
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BETWEEN = re.compile(r"[\s!-/:-@\[-`{-~\da-hA-HivxIVX•‣◦▪●·○■□▸►➤✓✔→–—…“”‘’«»¿¡。！？，、：；（）「」]*")
_TRADE_MARKS = frozenset("™℠℃℉№®©ªº")
_FOREIGN = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u08ff\u0980-\u1fff\u3040-\u30ff\u1100-\u11ff\uac00-\ud7af\u2c00-\u2dff\ua000-\uabff]"
)


@dataclass(slots=True)
class Reading:
    """What a run of prose came to: the sentences that may be shown, and the refusals."""

    kept: list[Sentence] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    unread: bool = False

    @property
    def text(self) -> str:
        return " ".join(it.text for it in self.kept)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a sentence may not be shown."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence as read: shown text, folded text, and what it mentions."""

    text: str
    plain: str
    low: str
    found: tuple[Mention, ...]
    names: tuple[Mention, ...]
    language: str


CLAIM = "a claim about the past"
UNKNOWN = "a past with an unverified name, year or amount"
OTHER_RECORD = "a record that is not a proved precedent"
DIFFERENT = "differs from the record"
OBSCURED = "disguised or encoded text"
NESTED = "nested data or a record id"
UNREAD = "a language this reader cannot check"
BESIDE = "stands beside a refused claim"
TOO_LONG = "too long to check"


class Reader:
    """Reads the prose of one draft against its evidence. ``claims_made`` is True once a sentence claimed a past."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._tainted: set[str] = set()
        self.claims_made = False

    def taint(self, text: str) -> None:
        """Remember the unverified names and amounts of refused text: sentences with them are refused as well."""
        read = self._read(visible(text[:LONGEST_FIELD]))
        self._taint(read)

    def read(self, name: str, texts: Iterable[str]) -> Reading:
        """Read the texts of one field together, as one run of sentences."""
        reading = Reading()
        pending: list[_Read] = []
        for text in texts:
            shown = visible(text)
            if len(shown) > LONGEST_FIELD:
                reading.refused.append(
                    Refusal(name, shown[:LONGEST_FIELD], TOO_LONG, "more text than this field may hold")
                )
                self.taint(shown)
                continue
            whole = self._obscured(text) if _OVERRIDES.search(text) else _pictured(shown)
            before = 0
            for start, end in sentences(shown):
                reading.unread = reading.unread or not _BETWEEN.fullmatch(shown[before:start])
                before = end
                read = self._read(shown[start:end])
                verdict = whole or self._judge(read)
                if verdict is None:
                    pending.append(read)
                else:
                    self._refuse(name, read, verdict, reading)
            reading.unread = reading.unread or not _BETWEEN.fullmatch(shown[before:])
        pending = self._joined(name, pending, reading)
        if reading.refused:
            pending = self._beside(name, pending, reading, years=True)
        reading.kept = [self._marked(read) for read in pending]
        return reading

    def again(self, name: str, reading: Reading) -> Reading:
        """Read a field again once the whole draft is known: what stands with a refused claim is refused too."""
        if not self._tainted and not self.claims_made:
            return reading
        second = Reading(refused=list(reading.refused), unread=reading.unread)
        pending = self._beside(name, [self._read(it.text) for it in reading.kept], second, years=False)
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
        if extra := _not_quoted(skeleton(shown), skeleton(" \n ".join(quotes))):
            reason = f"“{extra}” is in neither quote"
            return Reading(refused=[Refusal(name, shown, "why says more than the quotes", reason)])
        return reading

    # One sentence -----------------------------------------------------------------------------------------------

    def _read(self, text: str) -> _Read:
        plain = skeleton(html.unescape(text))
        clean = _MARKDOWN.sub("", _TAGS.sub(" ", plain))
        low = " ".join(clean.lower().split())
        language = language_of(low)
        return _Read(text, clean, low, tuple(quantities(clean)), tuple(names(clean, language)), language)

    def _judge(self, read: _Read) -> Verdict | None:
        if len(read.text) > LONGEST_SENTENCE:
            return Verdict(TOO_LONG, f"a sentence of more than {LONGEST_SENTENCE} characters")
        return self._structure(read) or self._past(read)

    def _structure(self, read: _Read) -> Verdict | None:
        if (found := self._obscured(read.text)) is not None:
            return found
        ids = self._evidence.ids_in(read.plain)
        if ids or any(it.group().lower() not in self._evidence.proved_ids for it in _ID.finditer(read.plain)):
            return Verdict(NESTED, "names a record by id that is not a proved precedent")
        if _NESTED.search(skeleton(html.unescape(read.text))):
            return Verdict(NESTED, "holds data in the shape of a reply, not prose")
        if self._unread(read):
            return Verdict(UNREAD, "not checked: written in a language or script that this reader does not know")
        return None

    def _obscured(self, text: str) -> Verdict | None:
        if _OVERRIDES.search(text):
            return Verdict(OBSCURED, "holds marks that change the direction of the text")
        raw = html.unescape(text)
        if not raw.isascii() and any(scripts_mixed(word) for word in _WORDS.findall(raw)):
            return Verdict(OBSCURED, "mixes look-alike letters of different alphabets in one word")
        plain = skeleton(raw)
        if _SPACED.search(plain) or _SPACED_DIGITS.search(plain):
            return Verdict(OBSCURED, "spells words letter by letter")
        if _HEX.search(plain) or any(_decodes(it.group()) for it in _BASE64.finditer(plain)):
            return Verdict(OBSCURED, "holds encoded text")
        return None

    def _unread(self, read: _Read) -> bool:
        letters = sum(char.isalpha() for char in read.text)
        if letters == 0 or self._evidence.in_submission(read.text):
            return False
        foreign = len(_FOREIGN.findall(read.text))
        if foreign and foreign * 4 > letters:
            return True
        found = [word.lower() for word in _WORDS.findall(read.plain) if len(word) > 2]
        if len(found) < 4 or read.language != "en" or not read.low.isascii():
            return False
        known = sum(ordinary(word.replace("'", "")) or self._evidence.has_word(word) for word in found)
        return known * 2 < len(found)

    def _past(self, read: _Read) -> Verdict | None:
        evidence = self._evidence
        other = self._other_record(read)
        if other is not None:
            return other
        claims = any(
            _claims(low, asks=low.endswith(("?", "？")) and _ASKS.match(low) is not None) for low in _variants(read.low)
        )
        if claims and evidence.states_itself(read.text):
            claims = False
        about = [record for record in evidence.proved if record.named_in(read.low)]
        unknown = [it for it in (*read.found, *read.names) if not self._known(it)]
        if about:
            return self._agrees(read, about, claims=claims)
        if claims:
            return self._bare_claim(read, unknown)
        if self._ending(read):
            return Verdict(CLAIM, "says how something ended that neither the submission nor a proved record names")
        return self._suspicious(read, unknown)

    def _other_record(self, read: _Read) -> Verdict | None:
        for record in self._evidence.unproved:
            if record.named_in(read.low) and not self._evidence.names_submission(record.title_key):
                return Verdict(OTHER_RECORD, f"names a record ({record.title}) that was not proved to be a precedent")
        for it in read.found:
            if it.kind is Kind.AMOUNT and not self._evidence.amount_known(it):
                for record in self._evidence.unproved:
                    if record.has_amount(it):
                        return Verdict(
                            OTHER_RECORD, "states the amount of a record that was not proved to be a precedent"
                        )
        return None

    def _known(self, it: Mention) -> bool:
        if it.kind is Kind.NAME:
            return self._evidence.name_known(it.key)
        if it.kind is Kind.YEAR:
            return self._evidence.year_known(int(it.value))
        return self._evidence.amount_known(it)

    def _agrees(self, read: _Read, about: list[RecordFacts], *, claims: bool) -> Verdict | None:
        """Check a sentence that names proved records against them."""
        evidence = self._evidence
        for it in read.found:
            if it.kind is Kind.YEAR:
                years = set().union(*(record.years for record in about))
                if int(it.value) not in years and (claims or not evidence.submission_has_year(int(it.value))):
                    said = ", ".join(map(str, sorted(years))) or "no year"
                    return Verdict(DIFFERENT, f"the record says {said}")
            elif not any(record.has_amount(it) for record in about) and (
                claims or not evidence.submission_has_amount(it)
            ):
                if it.kind is Kind.NUMBER and not claims and any(record.has_number(it) for record in about):
                    continue
                said = ", ".join(str(money) for record in about for money in record.amounts) or "no amount"
                return Verdict(DIFFERENT, f"the record says {said}")
        for outcome in _OUTCOMES.finditer(read.low):
            if not any(record.allows_outcome(outcome.group()) for record in about):
                said = ", ".join(record.outcome_label for record in about)
                return Verdict(DIFFERENT, f"says “{outcome.group()}”; the record says {said}")
        for it in read.names:
            if not evidence.name_known(it.key) and not public(it.key):
                return Verdict(
                    UNKNOWN, f"names {read.plain[it.start : it.end]}, which is in neither the record nor the submission"
                )
        return None

    def _bare_claim(self, read: _Read, unknown: list[Mention]) -> Verdict | None:
        """Judge a claim that names no proved record: only a plain remark of likeness to proved records may stand."""
        proved = self._evidence.proved
        if proved and not unknown and not read.found:
            new = [
                word
                for word in (it.lower() for it in _WORDS.findall(read.plain))
                if len(word) > 3 and word not in _NEUTRAL and not self._evidence.has_word(word)
            ]
            outcomes = [it.group() for it in _OUTCOMES.finditer(read.low)]
            agrees = all(any(record.allows_outcome(word) for record in proved) for word in outcomes)
            if (
                len(new) == 0
                and agrees
                and not re.search(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|times)\b", read.low)
            ):
                return None
        return Verdict(CLAIM, "claims a past that no proved record states")

    def _ending(self, read: _Read) -> bool:
        found = _ENDINGS.search(read.low)
        if found is None or _MODAL.search(read.low) or self._evidence.in_submission_words(found.group()):
            return False
        return not any(record.allows_outcome(found.group()) for record in self._evidence.proved)

    def _suspicious(self, read: _Read, unknown: list[Mention]) -> Verdict | None:
        named = [it for it in unknown if it.kind is Kind.NAME and not public(it.key)]
        years = [it for it in unknown if it.kind is Kind.YEAR]
        amounts = [it for it in unknown if it.kind in {Kind.AMOUNT, Kind.NUMBER}]
        record_years = [
            it for it in read.found if it.kind is Kind.YEAR and self._evidence.only_record_year(int(it.value))
        ]
        low = read.low
        modal = _MODAL.search(low) is not None
        others = _OTHERS.search(low) is not None
        outcome, invest = _OUTCOMES.search(low), _INVESTMENTS.search(low)
        like, time = _LIKENESS.search(low), _TIMES.search(low)
        reason = (
            "names "
            + ", ".join(read.plain[it.start : it.end] for it in unknown[:3])
            + ", found in neither the submission nor a proved record"
        )
        if named and (outcome or invest or like or time or years or amounts):
            return Verdict(UNKNOWN, reason)
        if (
            amounts
            and any(it.kind is Kind.AMOUNT for it in amounts)
            and not modal
            and (outcome or (invest and time) or (like and outcome) or (time and not others) or years)
        ):
            return Verdict(UNKNOWN, reason)
        if (
            (years or record_years)
            and (outcome or like or invest or _READERS.search(low))
            and not (others and not like and not invest)
        ):
            return Verdict(UNKNOWN, reason if unknown else "joins a record's year to a past that is not proved")
        if (years or amounts) and like and outcome:
            return Verdict(UNKNOWN, reason)
        if like and outcome and time and not modal and not others:
            return Verdict(CLAIM, "likens this to a past that no proved record states")
        if outcome and time and not modal and not others and not self._evidence.in_submission_words(outcome.group()):
            return Verdict(CLAIM, "states an outcome in the past that neither the submission nor a proved record holds")
        if (
            unknown
            and not any(len(word) > 3 for word in _WORDS.findall(_without(read.plain, [*named, *years, *amounts])))
            and (named or years or amounts)
        ):
            return Verdict(UNKNOWN, reason)
        if like and (word := self._unknown_after(low)):
            return Verdict(UNKNOWN, f"likens this to “{word}”, which is in neither the submission nor a proved record")
        return None

    def _unknown_after(self, low: str) -> str:
        for match in _LIKENESS.finditer(low):
            following = re.match(
                r"(?: (?:to|of|with|as|the|a|an|what|how|that|at|from))* ([^\W\d_]{4,})",
                low[match.end() : match.end() + 60],
            )
            if following and low.isascii():
                word = following.group(1)
                if not ordinary(word) and not self._evidence.has_word(word) and not public(word):
                    return word
        return ""

    # A run of sentences -----------------------------------------------------------------------------------------

    def _joined(self, name: str, pending: list[_Read], reading: Reading) -> list[_Read]:
        """Read fragments that end without a full stop together with what follows them."""
        kept: list[_Read] = []
        group: list[_Read] = []
        for read in [*pending, None]:
            if (
                read is not None
                and group
                and not _closed(group[-1].text)
                and sum(len(it.text) for it in group) < LONGEST_SENTENCE - 200
            ):
                group.append(read)
                continue
            if len(group) > 1 and any(len(it.low.split()) < 5 for it in group):
                whole = self._read(" ".join(it.text for it in group))
                if any(_claims(low, asks=False) for low in _variants(whole.low)) and (verdict := self._past(whole)):
                    for it in group:
                        self._refuse(name, it, verdict, reading)
                    group = []
            kept += group
            group = [read] if read is not None else []
        return kept

    def _beside(self, name: str, pending: list[_Read], reading: Reading, *, years: bool) -> list[_Read]:
        kept = []
        for read in pending:
            unknown = [
                it
                for it in (*read.found, *read.names)
                if not self._known(it) and not (it.kind is Kind.NAME and public(it.key))
            ]
            if not years:
                unknown = [it for it in unknown if it.kind in {Kind.NAME, Kind.AMOUNT}]
            hit = (
                any(word in self._tainted for word in map(str.lower, _WORDS.findall(read.plain)))
                if self._tainted
                else False
            )
            if hit or (unknown and self.claims_made):
                self._refuse(
                    name,
                    read,
                    Verdict(BESIDE, "holds unverified names, years or amounts beside a refused claim"),
                    reading,
                )
            else:
                kept.append(read)
        return kept

    def _refuse(self, name: str, read: _Read, verdict: Verdict, reading: Reading) -> None:
        reading.refused.append(Refusal(name, read.text, verdict.rule, verdict.reason))
        if verdict.rule in {CLAIM, UNKNOWN, DIFFERENT, OBSCURED, NESTED, OTHER_RECORD}:
            self.claims_made = True
        self._taint(read)

    def _taint(self, read: _Read) -> None:
        for it in read.names:
            if not self._evidence.name_known(it.key) and not public(it.key):
                words = _WORDS.findall(it.key)
                self._tainted.update(word.lower() for word in words if len(word) > 3 and not ordinary(word.lower()))

    def _marked(self, read: _Read) -> Sentence:
        terms: dict[str, Mark] = {}
        same = len(read.plain) == len(read.text)
        for it in sorted((*read.found, *read.names), key=lambda it: it.start):
            text = (read.text if same else read.plain)[it.start : it.end]
            terms.setdefault(text, self._mark(it))
        return Sentence(read.text, tuple(MarkedTerm(text, mark) for text, mark in terms.items()))

    def _mark(self, it: Mention) -> Mark:
        evidence = self._evidence
        if it.kind is Kind.NAME:
            where = evidence.names_submission(it.key), any(record.holds_name(it.key) for record in evidence.proved)
        elif it.kind is Kind.YEAR:
            where = (
                evidence.submission_has_year(int(it.value)),
                any(int(it.value) in record.years for record in evidence.proved),
            )
        else:
            where = evidence.submission_has_amount(it), any(record.has_amount(it) for record in evidence.proved)
        return Mark.IN_RECORD if where[1] else Mark.IN_SUBMISSION if where[0] else Mark.UNVERIFIED


def _claims(low: str, *, asks: bool) -> bool:
    for match in _CLAIMS.finditer(low):
        if asks and not _PRESUMES.search(low):
            continue
        head = low[max(0, match.start() - 40) : match.start()]
        if re.search(r"(?:if|unless|whether|suppose|assuming)(?: that)? $", head):
            continue
        if re.search(
            r"(?:once|until|after|when|before|as soon as|ensure|make sure|unless)(?: that)? $", head
        ) and _PERFECT.match(match.group().removeprefix("you").removeprefix("we")):
            continue
        return True
    return False


def _variants(low: str) -> list[str]:
    """Return the readings of a sentence that a disguise could hide: plain, unleeted, without marks within words."""
    found = [low]
    leet = _LEET_WORD.sub(lambda it: it.group().translate(_LEET), low)
    if leet != low:
        found += [leet, _LEET_WORD.sub(lambda it: it.group().translate(_LEET_OTHER), low)]
    if _INSIDE.search(low):
        found += [_INSIDE.sub("", low), _INSIDE.sub(" ", low)]
    if _REPEATED.search(low):
        found.append(_REPEATED.sub(r"\1", low))
    squeezed = re.sub(r"[\W\d_]+", "", low)
    if hit := _SQUEEZED.search(squeezed):
        found.append("you invested" if hit else "")
    return found


def _decodes(token: str) -> bool:
    if token.isalpha() and (token.islower() or token.isupper() or token.istitle()):
        return False
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), validate=True)
    except ValueError:
        return False
    return len(raw) >= 8 and all(32 <= byte < 127 or byte in {9, 10, 13} for byte in raw)


def _closed(text: str) -> bool:
    return text.rstrip("\"'”’»)] ")[-1:] in set(".!?…。！？।")


def _without(text: str, found: Iterable[Mention]) -> str:
    for it in sorted(found, key=lambda it: -it.start):
        text = f"{text[: it.start]} {text[it.end :]}"
    return text


def _pictured(text: str) -> Verdict | None:
    """Refuse letters that are drawn as symbols, such as circled or flag letters: they pass by every reader of words."""
    if text.isascii():
        return None
    drawn = any(
        not char.isalnum() and char not in _TRADE_MARKS and any(map(str.isalnum, skeleton(char))) for char in set(text)
    )
    return Verdict(OBSCURED, "spells words with symbols") if drawn else None


def _not_quoted(why: str, quotes: str) -> str:
    """Name the first number, year, amount or proper name of ``why`` that ``quotes`` does not hold, or ""."""
    held = {(it.value, it.currency) for it in quantities(quotes)}
    low = quotes.lower()
    for it in quantities(why):
        if (it.value, it.currency) not in held:
            return why[it.start : it.end]
    words = set(re.findall(r"[^\W_]+", low))
    for token in re.findall(r"\d[\d.,]*", why):
        if token.strip(".,") not in re.findall(r"\d[\d.,]*\d|\d", low):
            return str(token)
    for word in map(str.lower, _WORDS.findall(why)):
        if word in COUNTS and word not in words:
            return str(word)
    for name in names(why, language_of(why.lower())):
        if not all(word in words for word in re.findall(r"[^\W_]+", name.key)):
            return why[name.start : name.end]
    return ""
