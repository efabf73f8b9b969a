"""The values a pairing is made of. Entrants are numbers; names never appear here."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

MOST_SEATS = 14
"""Two games of cards combined serve no more (RULES 4)."""


class NotEnoughEntrants(ValueError):
    """Too few are left to pair a round: the caller ends the stage and shows the reason."""

    code = "not_enough_entrants"

    def __init__(self, active: int, needed: int) -> None:
        super().__init__(f"{active} active entrants: a round needs at least {needed}")
        self.active = active
        self.needed = needed


@dataclass(frozen=True, slots=True)
class Pairing:
    """One table: its entrants in seat order. `entrants[0]` sits in seat 0 and deals first (RULES 12)."""

    entrants: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(set(self.entrants)) != len(self.entrants):
            raise ValueError(f"table {self.entrants} seats an entrant twice")

    @property
    def size(self) -> int:
        return len(self.entrants)

    def seat_order(self, game: int) -> tuple[int, ...]:
        """Who sits where in a game of the match (numbered from 1): everybody moves one seat on from game to game.

        After as many games as seats everybody has sat in every seat.
        """
        turn = (game - 1) % self.size
        return self.entrants[-turn:] + self.entrants[:-turn] if turn else self.entrants


@dataclass(frozen=True, slots=True)
class Bye:
    """A free round in a two-seat Swiss: one point, unrated, outside tiebreaks."""

    entrant: int


class NoteKind(StrEnum):
    """What a pairing could not keep, in order of importance."""

    SAME_OWNER = "same_owner"
    """Two bots of one owner at a table, in a field that is not trusted."""
    REMATCH = "rematch"
    """Two who have met meet again."""
    SHORT_TABLE_AGAIN = "short_table_again"
    """One entrant sits at a short table again although others have done so less often."""
    SEAT_SPREAD = "seat_spread"
    """One entrant has sat in some seat three times or more above another seat of tables of that size."""


_WORDS = {
    NoteKind.SAME_OWNER: "{} of one owner at a table",
    NoteKind.REMATCH: "rematch of {}",
    NoteKind.SHORT_TABLE_AGAIN: "{} at a short table again",
    NoteKind.SEAT_SPREAD: "{} in one seat more often than in another by three or more",
}


@dataclass(frozen=True, slots=True)
class Note:
    """Something that could not be kept, to be shown with the round."""

    kind: NoteKind
    entrants: tuple[int, ...]
    """The pair (SAME_OWNER, REMATCH) or the one entrant concerned."""
    is_proved: bool
    """True: no pairing does better (all were looked at). False: none better was found in the steps allowed."""

    def text(self, name: Callable[[int], str] = str) -> str:
        """One line for people: `rematch of 3 and 8: unavoidable`; `name` turns ids into names."""
        who = " and ".join(name(entrant) for entrant in self.entrants)
        return f"{_WORDS[self.kind].format(who)}: {'unavoidable' if self.is_proved else 'none better found'}"


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """One tournament round before rows exist. Everyone active is at one table, has a bye or sits out, exactly once."""

    tables: tuple[Pairing, ...]
    """Best table first in a Swiss."""
    byes: tuple[Bye, ...] = ()
    """At most one, in a two-seat Swiss only."""
    sitting_out: tuple[int, ...] = ()
    """Round robin only: no table this round; scores nothing and is not a bye."""
    notes: tuple[Note, ...] = ()


def without_entrants(pairing: RoundPairing, gone: Collection[int]) -> RoundPairing:
    """The prepared round after withdrawals: those gone disappear, a table left with one entrant lets it sit out.

    For plans made ahead (round robin). A Swiss round that is not yet open is paired anew instead.
    """
    left = [tuple(entrant for entrant in table.entrants if entrant not in gone) for table in pairing.tables]
    alone = tuple(entrant for entrants in left if len(entrants) == 1 for entrant in entrants)
    return RoundPairing(
        tables=tuple(Pairing(entrants) for entrants in left if len(entrants) > 1),
        byes=tuple(bye for bye in pairing.byes if bye.entrant not in gone),
        sitting_out=tuple(sorted({*pairing.sitting_out, *alone} - set(gone))),
        notes=tuple(note for note in pairing.notes if not set(note.entrants) & set(gone)),
    )
