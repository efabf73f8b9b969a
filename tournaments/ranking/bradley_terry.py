"""The Bradley-Terry model, fitted by choix: who beats whom how often gives ratings on the scale of Elo."""

from __future__ import annotations

import math

import choix
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ELO = 400.0 / math.log(10.0)
"""Rating points per unit of log odds."""


def bradley_terry(wins: Floats, virtual_draws: float, *, start: Floats | None = None) -> Floats:
    """Ratings, their mean 0, that make these wins (`[i, j]`: of i over j) most likely.

    Everybody also drew `virtual_draws` times with one and the same imaginary opponent. Without that a field of which one
    part never won against the other has no fit: ValueError or RuntimeError. `start`: ratings to search from, then to a
    tenth of a point only.
    """
    n = len(wins)
    met = wins
    if virtual_draws:
        met = np.full((n + 1, n + 1), virtual_draws / 2)
        met[:n, :n] = wins
        met[n, n] = 0
    begin = None if start is None else np.append(start, [0.0] * (len(met) - n)) / ELO
    fitted = choix.ilsr_pairwise_dense(met, initial_params=begin, max_iter=10_000, tol=1e-8 if start is None else 1e-4)
    ratings = np.asarray(fitted[:n], dtype=np.float64) * ELO
    # Rounded, so that equals are equal: the fit is no more exact.
    return np.round(ratings - np.mean(ratings, dtype=np.float64), 6)


def likelihood_covariance(wins: Floats, ratings: Floats, virtual_draws: float) -> Floats:
    """Of the ratings less their mean, if all pair scores were independent: the inverse of the information in them."""
    expected = 1 / (1 + np.exp((ratings[None, :] - ratings[:, None]) / ELO))
    information = -(wins + wins.T) * expected * (1 - expected)
    imaginary = 1 / (1 + np.exp(-ratings / ELO))
    np.fill_diagonal(information, 0)
    np.fill_diagonal(information, virtual_draws * imaginary * (1 - imaginary) - information.sum(axis=1))
    covariance = np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64) * ELO**2
    from_mean = np.eye(len(wins)) - 1 / len(wins)
    return np.asarray(from_mean @ covariance @ from_mean, dtype=np.float64)
