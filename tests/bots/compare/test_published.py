"""Evidence as others published it: runs of a large testing site, read to one percent (shared/data/rating_values.md, section 6)."""

from __future__ import annotations

from math import log, sqrt

import pytest

from bots.compare import Plan
from bots.compare.counts import logistic_llr, normalized_llr

ELO_A_DEVIATION = 800 / log(10)


def share(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def trinomial(wins: int, losses: int, draws: int) -> dict[float, float]:
    return {0.0: losses, 0.5: draws, 1.0: wins}


def pentanomial(*counts: int) -> dict[float, float]:
    """LL, LD, WL, DD, WD, WW: two games that share a point are one kind, however they do."""
    ll, ld, wl, dd, wd, ww = counts
    return {0.0: ll, 0.25: ld, 0.5: wl + dd, 0.75: wd, 1.0: ww}


def test_bounds() -> None:
    assert (Plan().lower, Plan().upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert (Plan(alpha=0.01, beta=0.2).lower, Plan(alpha=0.01, beta=0.2).upper) == pytest.approx(
        (-1.599, 4.382), abs=1e-3
    )


@pytest.mark.parametrize(
    ("counts", "games", "elo0", "elo1", "published"),
    [
        (trinomial(36433, 36027, 68692), 1, 0.0, 2.0, 0.92),
        (pentanomial(365, 16618, 36029, 200, 16974, 390), 2, 0.0, 2.0, 2.25),
    ],
)
def test_normalized(counts: dict[float, float], games: int, elo0: float, elo1: float, published: float) -> None:
    t0, t1 = (elo / ELO_A_DEVIATION * sqrt(games) for elo in (elo0, elo1))
    assert normalized_llr(counts, t0, t1) == pytest.approx(published, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "published"),
    [
        (trinomial(21404, 21184, 40708), -1.57),
        (pentanomial(223, 9863, 20279, 1000, 10037, 246), -3.07),
    ],
)
def test_logistic(counts: dict[float, float], published: float) -> None:
    assert logistic_llr(counts, share(0.5), share(2.5)) == pytest.approx(published, rel=0.01)
