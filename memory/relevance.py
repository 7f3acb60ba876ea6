"""From what is seen of a candidate to the chance that it is a precedent, and the gate on that chance. Pure.

score = sum of weight x feature; chance = sigmoid(slope x (score - size_step x (g(records) - g(size_at))) + intercept),
where g(n) = (1 - n^-size_shape) / size_shape, and ln n at shape 0. The size term keeps the promise of the gate as a
memory grows: the best of many strangers looks closer than the best of few, and g is how the largest of n draws grows
where what is drawn is bounded, as likeness is (the generalised extreme value law; Fisher and Tippett, 1928). The
numbers are data, fitted for one kind of record and one embedder, the slope, intercept and gate by
``python -m evals calibrate``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from memory.embed import EmbedderId
from memory.records import Kind
from memory.report import Gate

CALIBRATIONS = Path(__file__).parent / "data" / "calibration.json"
# Records trusted less than this are never shown as a precedent nor to a model, however alike: what nobody has vouched
# for (0.3) and what was derived from it stay below.
CONFIDENCE_FLOOR = 0.35
# Beside a record that passed its gate, one that is more likely than not is a precedent too. A submission without any
# precedent is not touched by it: nothing has passed.
BESIDE = 0.5
# The size term was measured from here on; a smaller memory gets no easier gate.
FEWEST = 14


@dataclass(frozen=True, slots=True)
class Calibration:
    """The numbers of one gate.

    ``named`` is the chance (0..1) that suffices where the submission names the company; ``confirmed_only`` says that
    no chance suffices, only a confirmation.
    """

    weights: Mapping[str, float]
    slope: float
    intercept: float
    size_step: float
    size_shape: float
    size_at: int
    keep: float
    near: float
    named: float
    confirmed_only: bool

    @property
    def gate(self) -> Gate:
        return Gate(keep=self.keep, near=self.near)

    def score(self, features: Mapping[str, float]) -> float:
        """Weigh and sum ``features``; those without a weight do not count."""
        return sum(weight * features.get(name, 0.0) for name, weight in self.weights.items())

    def probability(self, features: Mapping[str, float], records: int) -> float:
        """Give the chance (0..1) that a candidate with ``features`` in a memory of ``records`` is a precedent."""
        logit = self.slope * (self.score(features) - self.grown(records)) + self.intercept
        return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))

    def grown(self, records: int) -> float:
        """Say how much closer the best stranger looks in a memory of ``records`` than in one of ``size_at``."""
        return self.size_step * (self._largest_of(max(records, FEWEST)) - self._largest_of(self.size_at))

    def _largest_of(self, draws: int) -> float:
        return (1 - draws**-self.size_shape) / self.size_shape if self.size_shape else math.log(draws)


def calibration(kind: Kind, embedder: EmbedderId, path: Path = CALIBRATIONS) -> Calibration:
    """Read the gate for ``kind`` and ``embedder`` from ``path``, or from the product's own file where that is missing.

    Where none was fitted for ``embedder`` it is that of the default embedder.
    """
    gates = _read(path if path.is_file() else CALIBRATIONS)
    wanted = [gate for gate in gates if gate["kind"] == kind.value]
    fitted = [gate for gate in wanted if gate["embedder"] == embedder.name]
    # A gate that a user fitted before the shape was data grows by the logarithm, as it did then.
    values = {"size_shape": 0.0} | (fitted or wanted)[0]
    return Calibration(**{name: values[name] for name in Calibration.__slots__})


@cache
def _read(path: Path) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["gates"]
    return content
