"""Games in this process: the server's own session, driven without a clock.

Every call says that no time has passed, so nothing runs out and a record holds no time: the same seed and bots give the same
bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bots.cli.seeds import attempt_id, deal_seed, seating
from bots.sdk import Bot, BotFailure, Player
from referee.play.session import Session
from referee.play.spec import GameSpec
from referee.record.conditions import DealMode, Fault, SeatName
from referee.record.game_record import with_seed
from referee.rules.solitaire import Score
from referee.rules.state import GameConfig

NO_TIME = 0.0


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot at the table."""

    name: str
    bot_class: type[Bot]


@dataclass(frozen=True, slots=True)
class Failure:
    """What a bot raised, as text: see `BotFailure`."""

    summary: str
    where: str
    details: str


@dataclass(frozen=True, slots=True)
class PlannedGame:
    number: int
    """From 1."""
    deal_set: int
    """From 1; games of one set share the seed."""
    seed: bytes
    seating: tuple[int, ...]
    """The entrant's index at each seat."""
    spec: GameSpec


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game; scores, places and faults by entrant, not by seat."""

    number: int
    deal_set: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[tuple[Fault, ...], ...]
    failures: tuple[Failure, ...]
    """What bots raised, in order."""
    seed: bytes
    record: bytes
    """The whole file, sealed without the seed."""
    solitaire: Score | None = None
    """Of a solitaire."""

    def open_record(self) -> bytes:
        """The record with its seed, as it may be shown once the game is over."""
        return with_seed(self.record, self.seed)


def plan_games(entrants: Sequence[Entrant], games: int, seed: int, deal_mode: DealMode) -> Iterator[PlannedGame]:
    """Game after game."""
    for number in range(1, games + 1):
        yield plan_game(entrants, number, seed, deal_mode)


def plan_game(
    entrants: Sequence[Entrant], number: int, seed: int, deal_mode: DealMode, playoff: bool = False
) -> PlannedGame:
    """Any game by its number, from 1. With ROTATED deals the games of one round of seats play the same cards."""
    seats = len(entrants)
    set_size = seats if deal_mode is DealMode.ROTATED else 1
    deal_set = (number - 1) // set_size + 1
    game_seed, sits = deal_seed(seed, deal_set), seating(seed, seats, number)
    names = tuple(SeatName(entrants[bot].name, entrants[bot].bot_class.version) for bot in sits)
    spec = GameSpec(attempt_id(seed, number), GameConfig(seats, playoff=playoff), names, game_seed, deal_mode=deal_mode)
    return PlannedGame(number, deal_set, game_seed, sits, spec)


def play_game(game: PlannedGame, entrants: Sequence[Entrant]) -> PlayedGame:
    """One game from the first card to the sealed record."""
    failures: list[BotFailure] = []
    players = [Player(entrants[bot].bot_class, failures.append) for bot in game.seating]
    session = Session(game.spec)
    session.start(NO_TIME)
    while outgoing := session.take_outgoing():
        for seat, message in outgoing:
            for reply in players[seat].receive(message):
                session.receive(seat, reply, NO_TIME)
    result = session.result
    assert result is not None, "nobody has anything to say, but the game is not over"
    seat_of = [game.seating.index(bot) for bot in range(len(entrants))]
    return PlayedGame(
        number=game.number,
        deal_set=game.deal_set,
        scores=tuple(result.scores.totals[seat] for seat in seat_of),
        places=tuple(result.scores.places[seat] for seat in seat_of),
        faults=tuple(tuple(fault for fault in result.faults if fault.seat == seat) for seat in seat_of),
        failures=tuple(Failure(failure.summary, failure.where, failure.details) for failure in failures),
        seed=game.seed,
        record=result.record,
        solitaire=result.scores.solitaire,
    )


def play_games(
    entrants: Sequence[Entrant],
    games: int,
    seed: int,
    deal_mode: DealMode = DealMode.INDEPENDENT,
    on_game: Callable[[PlayedGame], None] = lambda game: None,
) -> list[PlayedGame]:
    """All games, in order; `on_game` is called after each."""
    played = []
    for planned in plan_games(entrants, games, seed, deal_mode):
        game = play_game(planned, entrants)
        on_game(game)
        played.append(game)
    return played
