"""Judge a sentence without an outright claim by the company its words keep. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from audit.addressed import ORDERS, of_submission, speaks_to
from audit.evidence import Evidence
from audit.mentions import Kind, Mention
from audit.names import ordinary, public
from audit.questions import asked, asks
from audit.reading import CLAIM, UNKNOWN, WORDS, Read, Verdict
from audit.vocabulary import (
    DATED,
    HAPPENED,
    LIKENESS,
    MODAL,
    NEUTRAL,
    OF_MANY,
    OUTCOMES,
    PAST_OUTCOME,
    YOU_PAST,
    pattern,
)
from audit.word_kinds import Told, Word

_OF_A_CASE = Word.CASE | Word.INVEST | Word.HOLDER | Word.TWIN | Word.KEPT | Word.INCIDENT
_NO_ADVICE = Word.OUTCOME | Word.HOLDER | Word.KEPT | Word.TWIN | Word.RECALL | Word.REPEAT | Word.INCIDENT
_WEAK_CLAIMS = pattern("weak_claims")
_INVESTMENTS = pattern("investments")
_TIMES = pattern("times")
_OTHERS = pattern("others")
_RECALLS = pattern("recalls")
_SOFT_ENDINGS = pattern("soft_endings")
_TOLD_OF = pattern("told_of")
_KEEPS_COMPANY = pattern("company_kept")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LORE = re.compile(
    r"\b(?:owasp|cwe|cve|nist|rfc|top (?:10|ten|25)|standard|languages?|librar(?:y|ies)|protocols?|algorithms?|"
    r"ciphers?|md5|sha-?1|tls|ssl|python|java|javascript|php|node|openssl|go|rust|browsers?|deprecated|described|"
    r"documented|published|specification|conferences?|researchers?|advisor(?:y|ies)|talks?|black hat|def ?con|"
    r"popular\w*|vat|tax(?:es)?|laws?|regulations?|directives?)\b"
)
_INFERRED = re.compile(r"\b(?:suggest|impl[iy]|indicat|mean)(?:s|es|ing) that\b")
_CODE = re.compile(r"[_(){}\[\]=;<>`]")
_FOLLOWING = re.compile(r"(?: (?:to|of|with|as|the|a|an|what|how|that|at|from))* ([^\W\d_]{4,})")


# Where no capitals tell a name: what something is likened to, and the words that show it is none.
_LIKENED = re.compile(
    r"(?:又是一?[个家]|像|如同|好比|酷似|翻版是|类似于?(?!的)|跟|和|与)(?P<zh>[\u3400-\u9fff]{2,6}?)(?:一样|那样|一般|相似|如出一辙|的翻版|[。,，]|$)|"
    r"(?P<hi>[\u0900-\u0963]+) (?:जैस[ाीे]|की तरह|के समान|की याद)(?![\u0900-\u0963])"
)
_COMMON = re.compile(
    r"[这那它其他们许多很大同类传统任何竞争公司企业项目产品平台应用用户市场行业银行钱包支付模式收入增长问题之前以往对手材料创始团队客户计划数据此本该各每]"
    r"|^(?:यह|वह|इस|उस|इन|उन|कई|अन्य|दूसर.*|किसी|कोई|सभी|बाकी|ऐस.*|कंपन.*|ऐप.*|बैंक.*|बाज़ार|बाजार|उत्पाद|मॉडल|सेवा.*|प्रतियोग.*|ग्राहक.*|वॉलेट.*|पहले|इसी|उसी|हमेशा|स्टार्टअप.*)$"
)
_SCALED = re.compile(r"[a-z]", re.IGNORECASE)
_IT = re.compile(r"(?:and |but |so )?(?:it|this|that|they)\b")
_DAY = re.compile(
    r"\b(?:(?:january|february|march|april|june|july|august|september|october|november|december)\b|in may\b|\d+ may\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|yesterday\b|"
    r"last (?:week|weekend|month|quarter|year|night|sprint|release)\b|"
    r"(?:days?|weeks?|months?|quarters?|years?|sprints?|releases?) ago\b)"
)
_SEASON = pattern("seasons")
_ATTRIBUTED = re.compile(
    r"\b(?:comments?|changelog|header|docstring|release notes|todo|fixme|according|kommentar|comentario|commentaire)\b"
    r"|注释"
)
_COUNTED = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|times|another|second|third|fourth|fifth|again)\b|"
    r"\bthe (?:previous|prior|earlier|last|former) (?:incident|outage|breach|bug|case|loss|deal|bet)\b"
)


def only_alike(read: Read, evidence: Evidence) -> bool:
    new = (word for word in read.words if len(word) > 3 and word not in NEUTRAL and not _held(word, evidence))
    if not read.low.isascii() or any(new) or _COUNTED.search(read.low):
        return False
    ends = [it.group() for it in OUTCOMES.finditer(read.low)]
    return all(any(record.allows_outcome(word) for record in evidence.proved) for word in ends)


def _held(word: str, evidence: Evidence) -> bool:
    """True where the submission or a proved record has the word, or one that it is made of ("binding" of "bind")."""
    if evidence.has_word(word):
        return True
    return len(word) > 5 and any(word[:4] in record.words for record in evidence.proved)


def of_record(read: Read, evidence: Evidence) -> bool:
    """True where a sentence uses a word of a proved record's that says more than that something is alike."""
    return any(
        len(word) > 3 and word not in NEUTRAL and any(word in record.words for record in evidence.proved)
        for word in read.words
    )


def suspicious(read: Read, unknown: list[Mention], evidence: Evidence, told: Told) -> Verdict | None:
    """Judge a sentence without an outright claim by the company its words keep."""
    low = read.low
    named = [it for it in unknown if it.kind is Kind.NAME and not public(it.key)]
    if read.language != "en":
        named = [it for it in named if " " in it.key or not ordinary(it.key)]
    amounts = [it for it in unknown if it.kind in {Kind.AMOUNT, Kind.NUMBER}]
    money = any(it.kind is Kind.AMOUNT for it in amounts)
    dated = any(it.kind is Kind.YEAR and not evidence.submission_has_year(int(it.value)) for it in read.found)
    lore = evidence.code and _LORE.search(low) is not None and not told.has(_OF_A_CASE | Word.READER | Word.SITE)
    dated = dated and not lore
    scaled = any(_SCALED.search(read.plain[it.start : it.end]) for it in amounts)
    money = money or (scaled and told.has(Word.OUTCOME) and not told.has(Word.OWNER | Word.GENERIC))
    if _of_others(told, low) and not (named or speaks_to(read) or LIKENESS.search(low)):
        dated = dated and bool(money and told.has(Word.OUTCOME))
        money = money and told.has(Word.OUTCOME)
    modal = MODAL.search(low) is not None if read.language == "en" and low.isascii() else told.has(Word.MODAL)
    modal = modal and (asks(low) or not asked(low))
    modal = modal or (ORDERS.match(low) is not None and not told.has(_NO_ADVICE))
    others, readers = _OTHERS.search(low), speaks_to(read) and not of_submission(read, told, evidence)
    outcome, invest, like, time = (it.search(low) for it in (OUTCOMES, _INVESTMENTS, LIKENESS, _TIMES))
    happened = _happened(low, evidence)
    foreign = read.language != "en" or not low.isascii()
    case = told.has(Word.CASE | Word.COMPANY | Word.INCIDENT | Word.EARLIER | Word.ALIKE)
    if not named and asks(low) and not told.has(_OF_A_CASE) and not (money and told.has(Word.OUTCOME)):
        return None
    said = ", ".join(read.plain[it.start : it.end] for it in unknown[:3])
    unverified = Verdict(UNKNOWN, f"names {said}, found in neither the submission nor a proved record")
    unnamed = read.plain.isupper() or _odd(read, evidence)
    if unnamed and like and (readers or outcome):
        return Verdict(UNKNOWN, "likens this to something whose name cannot be told from words")
    if not modal and not low.endswith(("?", "？")):
        if _WEAK_CLAIMS.search(low) and (outcome or time or named or dated or amounts):
            return Verdict(CLAIM, "claims a past that no proved record states")
        if (money or dated) and YOU_PAST.search(low):
            return unverified
        if (did := YOU_PAST.search(low)) and not evidence.code and not _grounded(low[did.start() :], evidence):
            return Verdict(CLAIM, "says what the reader did, which neither the submission nor a proved record holds")
        if time and (YOU_PAST.search(low) or (readers and happened and (foreign or told.has(Word.PAST)))):
            return Verdict(CLAIM, "claims a past that no proved record states")
        if (
            unnamed
            and (PAST_OUTCOME.search(low) or (told.has(Word.PAST) and not evidence.code))
            and not evidence.in_submission(read.text)
        ):
            return Verdict(UNKNOWN, "tells of an ending where names cannot be told from words")
        if readers and unnamed and (happened or like):
            return Verdict(
                UNKNOWN, "says of the reader what cannot be read with certainty: names cannot be told from words"
            )
        if not others and (ending := _SOFT_ENDINGS.search(low)) and not evidence.has_phrase(ending.group()):
            return Verdict(CLAIM, "says how something ended that neither the submission nor a proved record names")
        if readers and outcome and (PAST_OUTCOME.search(low) or foreign):
            return Verdict(CLAIM, "claims an outcome of the reader's that no proved record states")
    if dated and DATED.search(low):
        return Verdict(UNKNOWN, "dates an event that neither the submission nor a proved record holds")
    happening = told.has(Word.PAST) and told.has(Word.OUTCOME | Word.INCIDENT | Word.FLAW) and not modal
    if evidence.code and happening and _DAY.search(low) and not (_TOLD_OF.search(low) or told.has(Word.GENERIC)):
        return Verdict(CLAIM, "dates an event that neither the submission nor a proved record holds")
    season = _SEASON.search(low) if evidence.code and told.has(Word.PAST) and not modal else None
    if (
        season
        and not lore
        and not (evidence.has_phrase(season.group()) or _ATTRIBUTED.search(low) or told.has(Word.GENERIC))
    ):
        return Verdict(CLAIM, "dates an event that neither the submission nor a proved record holds")
    if evidence.code:
        plain = any(
            _plain_name(read.plain[it.start : it.end]) and (" " in it.key or not ordinary(it.key)) for it in named
        )
        if plain and (outcome or time or (readers and not modal) or len(read.words) == 1):
            return unverified
        if named and (
            dated or amounts or invest or _RECALLS.search(low) or (time and outcome) or (readers and happened)
        ):
            return unverified
    elif named and (outcome or invest or like or time or dated or amounts or not _KEEPS_COMPANY.search(low)):
        return unverified
    general = told.has(Word.GENERIC) and not readers and not named
    if dated and happened and not general and not _TOLD_OF.search(low):
        ended = outcome and not told.has(Word.OWNER | Word.GENERIC)
        ended = ended or (evidence.code and not told.has(Word.OWNER)) or _IT.match(low) is not None
        if ended or like or invest or readers or named or case or len(low) < 20:
            return unverified
    nobodys = not _TOLD_OF.search(low) or (told.has(Word.PAST) and told.has(Word.OUTCOME))
    if dated and case and nobodys and not modal and not told.has(Word.OWNER | Word.GENERIC):
        return unverified
    fated = told.has(Word.PAST) and told.has(Word.OUTCOME | Word.INVEST) and not _TOLD_OF.search(low)
    if dated and fated and not modal and not told.has(Word.OWNER | Word.GENERIC):
        return unverified
    if dated and money and told.has(Word.PAST | Word.OUTCOME) and not modal and not told.has(Word.GENERIC):
        return unverified
    if (
        money
        and not modal
        and not general
        and (happened or outcome or like or dated or (time and (invest or not others)))
    ):
        return unverified
    if dated and not general and ((readers and not modal) or like or invest or (outcome and not others)):
        return unverified
    many = (OF_MANY.search(low) or general) and not unknown and not readers
    told_once = (
        not many
        and outcome
        and time
        and not modal
        and not (others or (asks(low) and told.has(Word.OWNER)))
        and (like or not evidence.has_phrase(outcome.group()))
        and not (evidence.code and not told.has(Word.PAST | Word.READER | Word.INCIDENT))
        and not (ORDERS.match(low) and not told.has(_OF_A_CASE & ~Word.CASE | Word.PAST | Word.READER))
        and not (_INFERRED.search(low) and not told.has((_OF_A_CASE & ~Word.KEPT) | Word.READER))
    )
    if told_once and not (evidence.proved and of_record(read, evidence) and only_alike(read, evidence)):
        return Verdict(CLAIM, "states an outcome in the past that neither the submission nor a proved record holds")
    if dated and len(low.split()) <= 3 and not _HAN.search(low) and not _TOLD_OF.search(low):
        return unverified
    if (amounts or dated or (named and not evidence.code)) and _bare(_without(read.plain, unknown)):
        return unverified
    if like and (word := _unknown_after(read, evidence)):
        return Verdict(UNKNOWN, f"likens this to “{word}”, which is in neither the submission nor a proved record")
    return None


def _of_others(told: Told, low: str) -> bool:
    """True where a sentence tells of somebody else: of a founder, a market, a tool, or of many."""
    if told.has(Word.INVEST | Word.STORE | Word.HOLDER | Word.INCIDENT | Word.TWIN | Word.KEPT):
        return False
    if told.has(Word.CASE) and told.has(Word.OUTCOME):
        return False
    return told.has(Word.OWNER | Word.GENERIC) or OF_MANY.search(low) is not None


def _grounded(did: str, evidence: Evidence) -> bool:
    """True where what the reader is said to have done is in good part the submission's: the founder may read it."""
    found = [word for word in WORDS.findall(did) if len(word) > 3 and word not in NEUTRAL]
    return bool(found) and sum(map(evidence.has_word, found)) * 2 >= len(found)


def _happened(low: str, evidence: Evidence) -> bool:
    """True where something is said to have happened, less adjectives of the submission's such as "registered"."""
    return any(len(it.group()) < 6 or not evidence.has_word(it.group()) for it in HAPPENED.finditer(low))


def _odd(read: Read, evidence: Evidence) -> bool:
    """True for a sentence without capitals that has a word of no language, the submission or a record."""
    if read.plain != read.low or not read.low.isascii() or read.language != "en" or _CODE.search(read.text):
        return False
    return any(
        len(word) > 4 and not ordinary(word.replace("'", "")) and not evidence.has_word(word) for word in read.words
    )


def _unknown_after(read: Read, evidence: Evidence) -> str:
    """Return the word that follows a word of likeness where it is no word of a language, the submission or a record."""
    for match in _LIKENED.finditer(read.low):
        word = match.group("zh") or match.group("hi")
        if _COMMON.search(word) is None and not evidence.has_text(word):
            return word
    advised = evidence.code and ORDERS.match(read.low) is not None  # "compare with hash_equals"
    for match in LIKENESS.finditer(read.low) if read.language == "en" and read.low.isascii() and not advised else ():
        following = _FOLLOWING.match(read.low, match.end(), match.end() + 60)
        word = following.group(1) if following else ""
        another = evidence.code and match.group() == "another"
        if word and not (another or ordinary(word) or evidence.has_word(word) or public(word)):
            return word
    return ""


def _plain_name(name: str) -> bool:
    """True for a name that is written as a company's is, not as a tool, a class or an acronym."""
    return all(word[:1].isupper() and word[1:].islower() for word in name.split())


def _bare(text: str) -> bool:
    """True where next to nothing is said."""
    if text.isascii():
        return not any(len(word) > 3 for word in WORDS.findall(text))
    return len("".join(text.split())) < 6


def _without(text: str, found: Iterable[Mention]) -> str:
    for it in sorted(found, key=lambda it: -it.start):
        text = f"{text[: it.start]} {text[it.end :]}"
    return text
