"""What local play draws from the number given as `--seed`: deals, seating and names of games, each by SHA-256.

    value(number, purpose, index) = SHA-256("crowns play|" number "|" purpose "|" index)      all as decimal ASCII

So the same number gives the same games on every machine, and what one purpose draws never shifts another.
"""

from __future__ import annotations

import secrets
from hashlib import sha256


def expand_seed(number: int, purpose: str, index: int) -> bytes:
    """32 bytes. Raises ValueError for a negative number."""
    if number < 0:
        raise ValueError(f"seed {number} is negative: give 0 or more")
    return sha256(f"crowns play|{number}|{purpose}|{index}".encode()).digest()


def deal_seed(number: int, deal_set: int) -> bytes:
    """The seed of the games of a deal set, numbered from 1."""
    return expand_seed(number, "deal", deal_set)


def attempt_id(number: int, game: int) -> str:
    """The name of a game, numbered from 1: 128 bits as text."""
    return expand_seed(number, "attempt", game)[:16].hex()


def seating(number: int, seats: int, game: int) -> tuple[int, ...]:
    """Which bot, by its index, sits at each seat of a game numbered from 1.

    The order at the table is drawn afresh for every `seats` games and moves on by one seat from game to game, so within them
    every bot sits at every seat once.
    """
    block, moved = divmod(game - 1, seats)
    order = sorted(range(seats), key=lambda bot: expand_seed(number, f"seating {block + 1}", bot))
    return tuple(order[(seat - moved) % seats] for seat in range(seats))


def random_seed() -> int:
    """A number for who gave none; it is always said, so that the games can be played again."""
    return secrets.randbelow(1 << 32)
