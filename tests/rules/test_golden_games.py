"""Whole games against files that people have read. `make goldens` writes them anew; here they are only compared."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.support.goldens import ALL_GOLDENS, FOLDER, Golden
from tests.support.solitaire_goldens import SolitaireGolden


@pytest.mark.parametrize("golden", ALL_GOLDENS, ids=lambda golden: golden.name)
def test_a_game_comes_out_as_written(golden: Golden | SolitaireGolden) -> None:
    written = (FOLDER / f"{golden.name}.txt").read_text().splitlines()
    for number, (line, expected) in enumerate(zip_longest(golden.text().splitlines(), written), start=1):
        assert line == expected, f"{golden.name}.txt:{number}"


def test_there_are_no_other_golden_files() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {golden.name for golden in ALL_GOLDENS}
