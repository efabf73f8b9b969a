"""The golden games: whole games, one line a turn, to be read by people and compared by tests.

`python -m tests.support.goldens` writes them anew; whoever changes the rules reads the difference before committing it.

    R03 t05 s2 draw=pile 7* discard=Ks hand=5 pts=12

is seat 2 in turn 5 of round 3: it drew 7* from the pile, threw Ks, holds five cards that would cost 12.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.record.entries import ActionEntry, RetirementEntry
from referee.record.game_record import read_record
from referee.record.replay import ReplayStep, replay
from referee.rules.actions import Discard, Source
from referee.rules.cards import cards_of_ids, cards_text
from referee.rules.events import Discarded, Drew, Event, GameEnded, Reshuffled, RoundEnded, RoundStarted
from referee.rules.layout import best_points
from referee.rules.state import GameState, wild_rank_of
from tests.support.scripted import (
    Player,
    answers_garbage,
    chaotic,
    collector,
    hangs_up,
    played,
    playing,
    resigns,
    stalls,
    stumbling,
    taker,
    thrower,
    throws_what_it_does_not_hold,
)
from tests.support.solitaire_goldens import SOLITAIRE_GOLDENS

FOLDER = Path(__file__).parents[1] / "data" / "golden"


@dataclass(frozen=True, slots=True)
class Golden:
    name: str
    about: str
    players: Callable[[], tuple[Player, ...]]
    """New ones for each game: some remember how far they are."""
    turn_cap: int = 40
    playoff: bool = False
    draw: int = 0
    """Another seed for what seldom happens."""

    @property
    def seed(self) -> bytes:
        return hashlib.sha256(f"{self.name}{self.draw or ''}".encode()).digest()

    def text(self) -> str:
        record = played(*self.players(), seed=self.seed, turn_cap=self.turn_cap, playoff=self.playoff).record
        head = [f"# {self.about}", f"# seed {self.seed.hex()}, {self.turn_cap} turns a seat"]
        lines = (line for step in replay(read_record(record), self.seed) for line in _lines(step))
        return "\n".join([*head, *lines]) + "\n"


def _four() -> tuple[Player, ...]:
    slips = {
        7: stalls,
        20: throws_what_it_does_not_hold,
        33: answers_garbage,
        40: hangs_up(away_ms=500.0),
        60: resigns,
    }
    return playing(collector), playing(chaotic(4)), stumbling(collector, slips), playing(thrower)


def _seven() -> tuple[Player, ...]:
    return playing(collector), playing(taker), playing(chaotic(7)), *[playing(thrower)] * 4


def _eight() -> tuple[Player, ...]:
    return playing(collector), playing(taker), playing(chaotic(8)), *[playing(collector)] * 5


def _fourteen() -> tuple[Player, ...]:
    return playing(taker), playing(chaotic(14)), *[playing(thrower)] * 12


GOLDENS = (
    Golden("two", "two collectors", lambda: (playing(collector), playing(collector))),
    Golden("four", "collector, chaotic, a collector that stumbles and resigns, thrower", _four),
    Golden("seven", "collector, taker, chaotic, four throwers; few go out, so the last round is reshuffled", _seven, 6),
    Golden("eight", "two games of cards combined: collector, taker, chaotic, five collectors", _eight, 8),
    Golden(
        "fourteen",
        "taker, chaotic, twelve throwers; 49 cards are left in the last round, so it is reshuffled",
        _fourteen,
        5,
    ),
    Golden(
        "playoff",
        "three collectors, two of them tied for the first place",
        lambda: (playing(collector), playing(collector), playing(collector)),
        playoff=True,
        draw=16,
    ),
)


ALL_GOLDENS = (*GOLDENS, *SOLITAIRE_GOLDENS)


def _lines(step: ReplayStep) -> Iterator[str]:
    match step.entry:
        case RetirementEntry(seat, fault):
            yield f"{_moment(step.after, seat)} retires fault={fault.type.value}"
        case ActionEntry(action=Discard()):
            yield _turn_line(step)
        case ActionEntry(fault=fault) if fault is not None:
            yield f"{_moment(step.after, step.entry.seat)} drew by default fault={fault.type.value}"
    for event in step.events:
        yield from _event_lines(event)


def _moment(state: GameState, seat: int) -> str:
    return f"R{state.game_round:02} t{state.turn:02} s{seat}"


def _turn_line(step: ReplayStep) -> str:
    before, entry = step.before, step.entry
    assert before is not None
    assert isinstance(entry, ActionEntry)
    assert before.drawn is not None
    (thrown,) = [event for event in step.events if isinstance(event, Discarded)]
    drawn = cards_text(cards_of_ids([before.drawn]))
    kept = list(cards_of_ids(before.hands[entry.seat]))
    kept.remove(thrown.card)
    source = "pile" if before.drawn_from is Source.PILE else "up"
    line = f"{_moment(before, entry.seat)} draw={source} {drawn} discard={thrown.card.text}"
    line += f" hand={len(kept)} pts={best_points(kept, before.wild_rank)}"
    if thrown.went_out:
        line += " out"
    if entry.fault is not None:
        line += f" fault={entry.fault.type.value}"
    return line if entry.cause.value == "bot" else f"{line} by={entry.cause.value}"


def _event_lines(event: Event) -> Iterator[str]:
    match event:
        case RoundStarted():
            head = f"R{event.game_round:02} deal wild={wild_rank_of(event.game_round)}"
            yield f"{head} dealer=s{event.dealer} starter=s{event.starter} upcard={event.upcard.text}"
            for seat, hand in enumerate(event.hands):
                if event.players and seat not in event.players:
                    continue
                yield f"R{event.game_round:02} deal s{seat} {cards_text(hand)}"
        case Reshuffled():
            yield f"    reshuffled {event.draw_pile_size}"
        case RoundEnded():
            went_out = "nobody" if event.went_out is None else f"s{event.went_out}"
            yield f"R{event.game_round:02} end out={went_out} scores={_numbers(event.scores)}"
            yield f"R{event.game_round:02} end totals={_numbers(event.totals)}"
        case GameEnded():
            yield f"end totals={_numbers(event.totals)} places={_numbers(event.places)}"
        case Drew():
            pass


def _numbers(values: tuple[int, ...]) -> str:
    return ",".join(map(str, values))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for golden in ALL_GOLDENS:
        path = FOLDER / f"{golden.name}.txt"
        path.write_text(golden.text())
        print(f"wrote {path.relative_to(FOLDER.parents[2])}")


if __name__ == "__main__":
    main()
