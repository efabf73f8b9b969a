"""What local play draws from its seed."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from bots.cli.seeds import attempt_id, deal_seed, expand_seed, random_seed, seating


def test_published_vectors() -> None:
    """The expansion, written out."""
    assert expand_seed(7, "deal", 3) == sha256(b"crowns play|7|deal|3").digest()
    assert deal_seed(7, 3) == expand_seed(7, "deal", 3)
    assert attempt_id(7, 3) == sha256(b"crowns play|7|attempt|3").hexdigest()[:32]


def test_negative_seed() -> None:
    with pytest.raises(ValueError, match="seed -1 is negative: give 0 or more"):
        expand_seed(-1, "deal", 1)


def test_random_seed_is_no_habit() -> None:
    assert len({random_seed() for _ in range(20)}) > 1


@pytest.mark.parametrize("seats", range(2, 8))
def test_every_bot_sits_everywhere_once_a_block(seats: int) -> None:
    for block in range(5):
        games = [seating(11, seats, block * seats + game) for game in range(1, seats + 1)]
        assert all(sorted(sits) == list(range(seats)) for sits in games)
        assert all(len(set(column)) == seats for column in zip(*games, strict=True))


def test_neighbours_change_from_block_to_block() -> None:
    first_games = Counter(seating(11, 4, 4 * block + 1) for block in range(200))
    assert len(first_games) == 24
    assert seating(11, 4, 1) != seating(12, 4, 1) or seating(11, 4, 5) != seating(12, 4, 5)
