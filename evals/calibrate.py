"""`python -m evals calibrate [--data DIR] [--out FILE]`: refit the gate on your feedback, or on a labelled folder.

Without a folder it reads the opinions given on the audits of the data folder, and writes the gate that recall uses
there from its next start.
Fitted are slope, intercept and the places of the gate; the weights stay, since a few dozen answers cannot carry them.
The fit is judged by five-fold cross-validation first, and nothing is written where there are fewer than 20 submissions
with a precedent and 20 without, or where the new gate is judged worse than the one in use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np

from evals.dataset import DataSet, find_sets
from evals.feedback import feedback_sets
from evals.memory import NOW, Remembering, asked_all
from evals.outcome import Fit, Outcome, fit
from memory.embed import MiniLmEmbedder
from memory.relevance import CALIBRATIONS, calibration
from settings import read_settings
from wiring import CALIBRATION, build_services

LEAST = 20
FOLDS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="a folder with memory.jsonl and queries*.jsonl")
    parser.add_argument("--out", type=Path, help="the calibration file to write")


def run(arguments: argparse.Namespace) -> int:
    """Refit the gate of every set in the folder; 1 where none could be."""
    if arguments.data:
        sets, out = find_sets(arguments.data, NOW), arguments.out or CALIBRATIONS
    else:
        sets, out = _own(arguments.out)
    if not sets:
        print("There is nothing to fit on: say on audits which records were useful and which not.", file=sys.stderr)
        return 1
    embedder = Remembering(MiniLmEmbedder())
    content = json.loads((out if out.is_file() else CALIBRATIONS).read_text(encoding="utf-8"))
    done = 0
    for each in sets:
        outcomes = asked_all(each, embedder)
        kind = each.kind.value
        if refusal := refuses(outcomes):
            print(f"{kind}: not fitted: {refusal}", file=sys.stderr)
            continue
        before = calibration(each.kind, embedder.id, out)
        loss, loss_before = cross_validated(outcomes), log_loss([(it.has, it.chance) for it in outcomes])
        if loss > loss_before:
            print(
                f"{kind}: kept: the gate in use is better ({loss_before:.3f}) than a new one ({loss:.3f})",
                file=sys.stderr,
            )
            continue
        made = fit(outcomes)
        near = near_from(outcomes, made) if before.confirmed_only else round(made.keep / 2, 3)
        gate = next(it for it in content["gates"] if it["kind"] == kind and it["embedder"] == embedder.id.name)
        gate |= {
            "date": date.today().isoformat(),
            "command": f"python -m evals calibrate{' --data DIR' if arguments.data else ''}",
            "fitted_on": {"with": sum(it.has for it in outcomes), "without": sum(not it.has for it in outcomes)},
            "cross_validated_log_loss": round(loss, 4),
            "slope": round(made.slope, 3),
            "intercept": round(made.intercept, 3),
            "size_at": len(each.records),
            "keep": round(made.keep, 3),
            "near": near,
            "named": near,
        }
        done += 1
        print(
            f"{kind}: fitted on {len(outcomes)} submissions; log loss {loss_before:.3f} -> {loss:.3f}", file=sys.stderr
        )
    if done:
        out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0 if done else 1


def _own(out: Path | None) -> tuple[list[DataSet], Path]:
    """Read the feedback of the data folder, and say where its gate is kept."""
    services = build_services(read_settings())
    try:
        return feedback_sets(services), out or services.settings.home / CALIBRATION
    finally:
        services.close()


def refuses(outcomes: Sequence[Outcome]) -> str:
    """Say why there is too little to fit on; "" where there is enough."""
    has = sum(it.has for it in outcomes)
    if has < LEAST or len(outcomes) - has < LEAST:
        return (
            f"{has} submissions with a precedent and {len(outcomes) - has} without; at least {LEAST} of each are needed"
        )
    return ""


def cross_validated(outcomes: Sequence[Outcome]) -> float:
    """Give the log loss of chances that were each fitted on the other four fifths."""
    ordered = sorted(outcomes, key=lambda it: (it.has, it.query.type, it.query.id))
    judged: list[tuple[bool, float]] = []
    for fold in range(FOLDS):
        rest = [it for at, it in enumerate(ordered) if at % FOLDS != fold]
        made = fit(rest)
        judged += [(it.has, made.chance(it.best)) for it in ordered[fold::FOLDS]]
    return log_loss(judged)


def log_loss(judged: Sequence[tuple[bool, float]]) -> float:
    """Give the mean surprise, in nats, of chances against what was true."""
    chances = np.clip([chance if has else 1 - chance for has, chance in judged], 1e-6, 1)
    return float(-np.log(chances).mean())


def near_from(outcomes: Sequence[Outcome], made: Fit) -> float:
    """Place "near" where 97 of 100 right records of the fitted submissions are still shown."""
    right = [made.chance(it.best_right) for it in outcomes if it.has]
    return round(float(np.quantile(right, 0.03)), 3)
