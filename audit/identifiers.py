"""Ids and tickets in a sentence that neither the submission nor a proved record holds. Pure."""

from __future__ import annotations

import re

from audit.evidence import Evidence
from audit.folding import skeleton
from audit.reading import NESTED, Read, Verdict

_ID = re.compile(
    r"(?<![\w-])(?:inv|rec|mem|prec)[-_#:](?!\d+\b)[a-z0-9][\w-]{2,40}|"
    r"(?<![\w])(?:(?:inv|bug|rec|record|mem|case|investment|seed|prec|precedent)[-_#:. ]{0,2}\d{2,}|"
    r"(?:rec|mem|inv|bug|case|investment)[-_](?=[a-z]*\d)[a-z0-9]{4,40}|"
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,64}|"
    r"(?=[a-z]*\d)0[0-9a-hjkmnp-tv-z]{25})(?!\w)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:incidents?|tickets?|outages?|post-?mortems?|pull requests?|pr|issues?|bugs?)(?: no\.?| number)? ?#?\d{2,}\b|"
    r"\bcommit [0-9a-f]{7,40}\b|\binc-?\d{4,}\b|(?<![&\w])#\d{3,}\b",
    re.IGNORECASE,
)
_TICKET = re.compile(
    r"(?<![\w-])(?!CWE|CVE|UTF|SHA|ISO|RFC|PEP|AES|RSA|GPT|HTTP|TLS|SSL|CAPEC|ASVS|COVID|MD|IEC|IEEE|EN|BIP|EIP|ERC|UTC|GMT|H|Q|F)"
    r"[A-Z][A-Z0-9]{1,9}-\d{2,}(?![\w-])"
)


def unheld_id(read: Read, evidence: Evidence) -> Verdict | None:
    """Refuse a sentence with the id of a record that is not a proved precedent, or a ticket nobody pasted."""
    if evidence.ids_in(read.plain) or any(
        it.group().lower() not in evidence.proved_ids for it in _ID.finditer(read.plain)
    ):
        return Verdict(NESTED, "names a record by id that is not a proved precedent")
    tickets = (*_TICKET.finditer(read.plain), *_NUMBERED.finditer(skeleton(read.text)))
    if any(not evidence.has_phrase(it.group().lower()) for it in tickets):
        return Verdict(NESTED, "names a ticket that the submission does not hold")
    return None
