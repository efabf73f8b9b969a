"""The calibration in short, with fixed seeds: `crowns compare` finds what is there."""

from __future__ import annotations

import pytest

from tests.bench.compare_calibration import CASES, Case, one_end


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.name)
def test_right(case: Case) -> None:
    ends = [one_end(case, seed, 0.0) for seed in range(4)]
    assert sum(end.verdict is case.right for end in ends) >= 3
