"""What is seen of each candidate: every number that goes into its chance, and the stretches that matched best."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory.background import Words
from memory.embed import Vectors
from memory.index import Entry
from memory.passages import passages
from memory.probes import Probe, Role
from memory.records import InvestmentFacts, Record, facets


@dataclass(frozen=True, slots=True)
class Evidence:
    """``features`` by name; ``similarity`` the best plain cosine; where probe and record met best, as text."""

    features: Mapping[str, float]
    similarity: float
    passage: str
    record_passage: str


class Comparison:
    """One submission ready to be compared with records: its probes, their vectors and the background's mean."""

    def __init__(self, probes: Sequence[Probe], vectors: Vectors, mean: Vectors) -> None:
        self._probes = probes
        self._vectors = vectors
        self._mean = mean
        self._rows = {role: [at for at, probe in enumerate(probes) if probe.role is role] for role in Role}

    def compare(self, records: Sequence[Record], entries: Mapping[str, Sequence[Entry]]) -> list[Evidence]:
        """Compare with each of ``records``. Likeness is the cosine less the record's cosine to the background."""
        flat = [entry for record in records for entry in entries[record.id]]
        if not flat:
            return [Evidence({}, 0.0, "", "") for _ in records]
        matrix = np.stack([entry.vector for entry in flat]).T
        plain = self._vectors @ matrix
        likeness = plain - self._mean @ matrix
        nearest = {role: likeness[rows].max(axis=0).tolist() for role, rows in self._rows.items() if rows}
        found: list[Evidence] = []
        start = 0
        for record in records:
            its = slice(start, start + len(entries[record.id]))
            of_roles = {role: values[its] for role, values in nearest.items()}
            found.append(self._one(record, flat[its], plain[:, its], of_roles))
            start = its.stop
        return found

    def _one(
        self, record: Record, entries: Sequence[Entry], plain: Vectors, nearest: Mapping[Role, Sequence[float]]
    ) -> Evidence:
        columns: dict[str, list[int]] = defaultdict(list)
        for at, entry in enumerate(entries):
            columns[entry.facet].append(at)

        def best(role: Role, facet: str) -> float:
            return max((nearest[role][at] for at in columns[facet]), default=0.0) if role in nearest else 0.0

        passage = best(Role.PASSAGE, "what")
        features = {
            "passage": passage,
            "sentence": max(best(Role.SENTENCE, "what"), passage),
            "why": best(Role.PASSAGE, "why"),
            "cue": max(best(Role.CUE, "what"), best(Role.CUE, "why")),
            "code": best(Role.PASSAGE, "code"),
        }
        if not entries:
            return Evidence(features, 0.0, "", "")
        row, column = divmod(int(plain.argmax()), len(entries))
        sides: dict[str, str] = {facet.name: facet.text for facet in facets(record)}
        met = entries[column]
        return Evidence(
            features,
            float(plain[row, column]),
            self._probes[row].quote,
            _stretch(sides.get(met.facet, ""), met.passage),
        )


def named_in(record: Record, text: str) -> bool:
    """Say whether ``text`` names the record's company: whole, with its capitals, and not just once as a plain word.

    A name that is one dictionary word (Tilt, Fancy) must be introduced as a name or be said at least twice.
    """
    if not isinstance(record.facts, InvestmentFacts):
        return False
    name = record.facts.company.strip()
    if len(name) < 2 or name not in text or not any(char.isalpha() for char in name):
        return False
    said = len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    if said == 0:
        return False
    if said > 1 or not name.isalpha() or Words.load().rarity(name.lower()) > 0.9:
        return True
    return (
        re.search(rf"(?i:company|name|start-?up|introducing|welcome to)\W{{1,3}}{re.escape(name)}(?!\w)", text)
        is not None
    )


def likened_to(record: Record, text: str) -> bool:
    """Say whether ``text`` likens itself to the record's company by name: "Woot for iPhone apps", "the Uber of tutors".

    A name that is an ordinary word counts only after an article, so that "Beam for schools" likens nothing.
    """
    if not isinstance(record.facts, InvestmentFacts):
        return False
    name = record.facts.company.strip()
    if len(name) < 3 or name not in text or not name[:1].isupper():
        return False
    article = r"(?:[Tt]he|[Aa]n?|[Ll]ike)\s+[\"“']?"
    own_word = not name.isalpha() or Words.load().rarity(name.lower()) >= 0.9
    before = rf"(?:{article}|(?:^|[.!?:]\s+|\n))" if own_word else article
    return re.search(rf"{before}{re.escape(name)}[\"”']?\s+(?:for|of)\s", text) is not None


def _stretch(text: str, number: int) -> str:
    parts = passages(text)
    return parts[number] if number < len(parts) else text[:700]
