"""A row of a tracker as the facts of a bug. Pure."""

from __future__ import annotations

import re

from memory.importers.row_reading import Reading, RowReader
from memory.importers.vocabulary import fold, set_aside_words, severity_words
from memory.records import BugFacts, Outcome, Severity

_CWE = re.compile(r"\bCWE[-\s]?(\d{1,5})\b", re.IGNORECASE)
_PULL_REQUEST = ("pull_request", "pull request", "ispullrequest")


class BugReader(RowReader):
    """Reads rows into ``BugFacts``."""

    def facts(self, reading: Reading) -> BugFacts:
        """Make the facts of one row; what is no bug of its own becomes a doubt."""
        row = reading.row
        reported = self.date(reading, "year")
        resolved = self.date(reading, "year_end")
        changed = self.date(reading, "changed") if not reported and not resolved else None
        if changed:
            reading.remarks.append("only the date of the last change is known; its year is taken")
        when = reported or resolved or changed
        labels = self.text(row, "labels")
        loss = self.amount(reading, "loss")
        outcome = self._outcome(reading)
        self._doubt_no_bug(reading, labels)
        cwe = _CWE.search(f"{self.text(row, 'cwe')} {labels}") or re.fullmatch(r"(\d{1,5})", self.text(row, "cwe"))
        return BugFacts(
            title=self.text(row, "title"),
            language=self.text(row, "language").lower(),
            cwe=f"CWE-{cwe[1]}" if cwe else "",
            severity=self._severity(reading),
            year=when.year if when else None,
            outcome=outcome,
            symptom=self.text(row, "symptom"),
            root_cause=self.text(row, "root_cause"),
            faulty_code=self.text(row, "faulty_code"),
            fixed_code=self.text(row, "fixed_code"),
            fix=self.text(row, "fix"),
            loss=type(loss.money)(abs(loss.money.amount), loss.money.currency) if loss else None,
            impact=self.text(row, "impact"),
        )

    def _outcome(self, reading: Reading) -> Outcome:
        """Read the resolution where there is one, else the status; a ticket that is not closed is open."""
        resolution = fold(self.text(reading.row, "resolution"))
        if resolution in set_aside_words("resolutions"):
            reason = f"it was resolved as {resolution}: no bug of its own"
            reading.hold(self.header("resolution"), reason, resolution, f"they were resolved as {resolution}")
            return Outcome.UNKNOWN
        status = self.text(reading.row, "status")
        for name in ("resolution", "status") if resolution else ("status",):
            found = self.outcome_of(reading, name)
            if found is not None and found is not Outcome.UNKNOWN:
                return found
            if found is not None and name == "resolution":
                return found
        return Outcome.OPEN if not status and "status" in self.mapping.columns else self.mapping.outcome

    def _severity(self, reading: Reading) -> Severity:
        text = self.text(reading.row, "severity")
        words = severity_words()
        known = words.get(fold(text)) or next((words[word] for word in fold(text).split() if word in words), None)
        if text and known is None:
            reading.remarks.append(f"the severity {text!r} is not a known one; it is taken as medium")
        return known or "medium"

    def _doubt_no_bug(self, reading: Reading, labels: str) -> None:
        for position, column in enumerate(self.table.columns):
            if fold(column.split(".")[0]) in _PULL_REQUEST and reading.row.cell(position) not in ("", "no", "false"):
                reading.hold(column, "it is a pull request, not an issue", "", "they are pull requests, not issues")
        kind = fold(self.text(reading.row, "type"))
        if kind in set_aside_words("types"):
            reading.hold(self.header("type"), f"its type is {kind}, not a bug", kind, f"their type is {kind}")
        names = {fold(label) for label in re.split(r"[,\n;]", labels)}
        if names & set_aside_words("not_bug_labels") and not names & set_aside_words("bug_labels"):
            reason = f"its labels ({labels}) are not those of a bug"
            reading.hold(self.header("labels"), reason, labels, "their labels are not those of a bug")
