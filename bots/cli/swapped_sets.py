"""Deal sets in which two bots hold the same cards at the same seats, and what such a set says about them.

Without a field A and B sit by turns, and the cards are played twice: A where B sat (A B A B, then B A B A). With a field one of the
two sits among others at each seat in turn, and each of these games is played twice, once with A and once with B. A set is
whole when all of this was played; bots are made afresh for every game, so none can remember the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from bots.cli.local_play import Entrant, PlannedGame, PlayedGame, play_game
from bots.cli.seeds import attempt_id, deal_seed, expand_seed
from bots.compare import Measure
from bots.compare.margins import counted_gap
from referee.play.spec import GameSpec
from referee.record.conditions import DealMode, SeatName
from referee.rules.state import GameConfig

A, B = 0, 1
"""The two come first among the entrants, the field after them."""


@dataclass(frozen=True, slots=True)
class SwappedSets:
    """How the games of every set are seated."""

    seats: int
    has_field: bool

    @property
    def games(self) -> int:
        """Of one set."""
        return 2 * self.seats if self.has_field else 2

    def seating(self, entrants: int, number: int, seed: int) -> tuple[int, ...]:
        """The entrant at each seat of a game numbered from 1."""
        deal_set, game = divmod(number - 1, self.games)
        place, bot = divmod(game, 2)
        if not self.has_field:
            return tuple((seat + bot) % 2 for seat in range(self.seats))
        others = self._others(entrants, seed, deal_set + 1)
        return tuple(bot if seat == place else others[(seat - place - 1) % self.seats] for seat in range(self.seats))

    def _others(self, entrants: int, seed: int, deal_set: int) -> list[int]:
        """Who of the field sits there, in the order of play after the bot compared: drawn for each set."""
        drawn = sorted(range(2, entrants), key=lambda bot: expand_seed(seed, f"field {deal_set}", bot))
        return [drawn[other % len(drawn)] for other in range(self.seats - 1)]

    def play(self, entrants: Sequence[Entrant], number: int, seed: int, deal_mode: DealMode) -> PlayedGame:
        """One game; its scores, places and faults are by seat, for a bot may sit at several."""
        deal_set = (number - 1) // self.games + 1
        table = [entrants[bot] for bot in self.seating(len(entrants), number, seed)]
        names = tuple(SeatName(entrant.name, entrant.bot_class.version) for entrant in table)
        game_seed = deal_seed(seed, deal_set)
        spec = GameSpec(attempt_id(seed, number), GameConfig(self.seats), names, game_seed, deal_mode=deal_mode)
        return play_game(PlannedGame(number, deal_set, game_seed, tuple(range(self.seats)), spec), table)

    def result(self, measure: Measure, games: Sequence[PlayedGame], seatings: Sequence[Sequence[int]]) -> float:
        """What one whole set says: B's less A's margin in points a game, or B's win share in 0..1."""
        if self.has_field:
            value = _table_share if measure is Measure.WINS else _table_margin
            a, b = (
                fmean(
                    value(game, seating.index(bot))
                    for game, seating in zip(games, seatings, strict=True)
                    if bot in seating
                )
                for bot in (A, B)
            )
            return (1 + b - a) / 2 if measure is Measure.WINS else b - a
        compared = _pair_share if measure is Measure.WINS else _score_gap
        return fmean(compared(game, seating) for game, seating in zip(games, seatings, strict=True))


def _table_margin(game: PlayedGame, seat: int) -> float:
    """The mean of the others' scores less one's own."""
    margin = fmean(_others_of(game.scores, seat)) - game.scores[seat]
    return counted_gap(margin, a_retired=False, b_retired=_has_retired(game, seat))


def _table_share(game: PlayedGame, seat: int) -> float:
    """The share of the others one has beaten."""
    return fmean(_beats(game.places[seat], other) for other in _others_of(game.places, seat))


def _score_gap(game: PlayedGame, seating: Sequence[int]) -> float:
    """How many fewer points B's seats scored than A's, on average."""
    a, b = _seats_of(seating, A), _seats_of(seating, B)
    gap = fmean(game.scores[seat] for seat in a) - fmean(game.scores[seat] for seat in b)
    a_retired, b_retired = (any(_has_retired(game, seat) for seat in seats) for seats in (a, b))
    return counted_gap(gap, a_retired=a_retired, b_retired=b_retired)


def _pair_share(game: PlayedGame, seating: Sequence[int]) -> float:
    """The share of pairs of one seat of each that B won."""
    return fmean(_beats(game.places[b], game.places[a]) for b in _seats_of(seating, B) for a in _seats_of(seating, A))


def _beats(place: int, other: int) -> float:
    return 0.5 if place == other else float(place < other)


def _has_retired(game: PlayedGame, seat: int) -> bool:
    return any(fault.retires for fault in game.faults[seat])


def _seats_of(seating: Sequence[int], bot: int) -> list[int]:
    return [seat for seat, sits in enumerate(seating) if sits == bot]


def _others_of(values: Sequence[int], seat: int) -> list[int]:
    return [*values[:seat], *values[seat + 1 :]]
