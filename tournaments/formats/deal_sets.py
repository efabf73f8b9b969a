"""Which games of a round share a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.values import Pairing


class DealMode(StrEnum):
    INDEPENDENT = "independent"
    """Every game is a set of its own."""


@dataclass(frozen=True, slots=True)
class GameRef:
    """A game of a round before rows exist."""

    table: int
    """Index into the round's tables, from 0."""
    game: int
    """Number within the match, from 1."""


@dataclass(frozen=True, slots=True)
class DealSet:
    """Games dealt from one seed."""

    number: int
    """From 1 within the tournament round; enters the seed."""
    games: tuple[GameRef, ...]


def deal_sets(tables: Sequence[Pairing], games: int, mode: DealMode = DealMode.INDEPENDENT) -> tuple[DealSet, ...]:
    """Cut the games of a round (`games` a match) into deal sets, numbered by table, then game."""
    if games < 1:
        raise ValueError(f"games a match is {games}: at least 1")
    match mode:
        case DealMode.INDEPENDENT:
            refs = (GameRef(table, game) for table in range(len(tables)) for game in range(1, games + 1))
            return tuple(DealSet(number, (ref,)) for number, ref in enumerate(refs, start=1))
