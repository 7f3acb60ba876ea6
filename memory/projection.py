"""A flat picture of vectors: the two directions in which they differ most. Pure.

Principal component analysis by the eigenvectors of the covariance (Pearson, Philosophical Magazine 2, 1901), which are
the right singular vectors of the centred vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memory.embed import Vectors


@dataclass(frozen=True, slots=True)
class Projection:
    """A plane through vectors: its centre, two axes of length 1, and the share (0..1) of their variance it keeps."""

    centre: Vectors
    axes: Vectors
    kept: float

    def place(self, vectors: Vectors) -> Vectors:
        """Place vectors (n, dimension) on the plane: shape (n, 2)."""
        return np.asarray((vectors - self.centre) @ self.axes.T, dtype=np.float32)


def project(vectors: Sequence[Vectors]) -> Projection:
    """Find the plane that keeps most of what tells ``vectors`` apart; at least one vector.

    Axes point so that their largest part is positive: the same vectors always give the same picture.
    """
    stacked = np.stack(list(vectors)).astype(np.float64)
    centre = stacked.mean(axis=0)
    turned = stacked - centre
    strengths, directions = np.linalg.eigh(turned.T @ turned)
    axes = directions[:, ::-1][:, :2].T
    axes = axes * np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1, 1)[:, None]
    whole = float(np.maximum(strengths, 0).sum())
    kept = float(np.maximum(strengths[-2:], 0).sum()) / whole if whole > 1e-12 else 1.0
    return Projection(centre.astype(np.float32), axes.astype(np.float32), min(1.0, kept))
