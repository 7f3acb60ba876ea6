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

    def compare(self, record: Record, entries: Sequence[Entry]) -> Evidence:
        """Compare with one record. Likeness is the cosine less the record's cosine to the background."""
        by_facet: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            by_facet[entry.facet].append(entry)
        plain: dict[str, Vectors] = {}
        likeness: dict[str, Vectors] = {}
        for facet, group in by_facet.items():
            matrix = np.stack([entry.vector for entry in group]).T
            plain[facet] = self._vectors @ matrix
            likeness[facet] = plain[facet] - self._mean @ matrix
        features = {
            "passage": self._best(likeness, Role.PASSAGE, "what"),
            "sentence": self._best(likeness, Role.SENTENCE, "what"),
            "why": self._best(likeness, Role.PASSAGE, "why"),
            "cue": max(self._best(likeness, Role.CUE, "what"), self._best(likeness, Role.CUE, "why")),
            "code": self._best(likeness, Role.PASSAGE, "code"),
        }
        sides: dict[str, str] = {facet.name: facet.text for facet in facets(record)}
        similarity, passage, place = 0.0, "", ("what", 0)
        for facet, cosines in plain.items():
            row, column = np.unravel_index(int(cosines.argmax()), cosines.shape)
            if cosines[row, column] > similarity:
                similarity = float(cosines[row, column])
                passage = self._probes[int(row)].quote
                place = (facet, by_facet[facet][int(column)].passage)
        return Evidence(features, similarity, passage, _stretch(sides.get(place[0], ""), place[1]))

    def _best(self, likeness: Mapping[str, Vectors], role: Role, facet: str) -> float:
        rows = self._rows[role]
        return float(likeness[facet][rows].max()) if rows and facet in likeness else 0.0


def named_in(record: Record, text: str) -> bool:
    """Say whether ``text`` names the record's company: whole, with its capitals, and not just once as a plain word.

    A name that is one dictionary word (Tilt, Fancy) must be introduced as a name or be said at least twice.
    """
    if not isinstance(record.facts, InvestmentFacts):
        return False
    name = record.facts.company.strip()
    if len(name) < 2 or not any(char.isalpha() for char in name):
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
    if len(name) < 3 or not name[:1].isupper():
        return False
    article = r"(?:[Tt]he|[Aa]n?|[Ll]ike)\s+[\"“']?"
    own_word = not name.isalpha() or Words.load().rarity(name.lower()) >= 0.9
    before = rf"(?:{article}|(?:^|[.!?:]\s+|\n))" if own_word else article
    return re.search(rf"{before}{re.escape(name)}[\"”']?\s+(?:for|of)\s", text) is not None


def _stretch(text: str, number: int) -> str:
    parts = passages(text)
    return parts[number] if number < len(parts) else text[:700]
