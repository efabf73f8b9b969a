"""Games to look at: real ones by the rules, with bots that are careless, late and absent on purpose."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from referee.record.conditions import Budgets, DealMode, Fault, FaultType, GameScores, SeatName
from referee.record.entries import ActionEntry, Cause, Entry, Footer, GameRecord, Header, RetirementEntry, Seal
from referee.record.transcript import ALL, Viewer, transcript
from referee.rules.actions import Discard, Draw, Retire, Source
from referee.rules.cards import cards_of_ids
from referee.rules.layout import best_discards, best_points, discard_points
from referee.rules.shuffle import SHUFFLE_VERSION, commitment
from referee.rules.state import RULES_VERSION, GameConfig, GameState, Phase, apply, default_action, new_game

NAMES = ("greedy", "planner", "simple", "greedy", "cautious-collector", "x", "random") * 2
FAULTY = {
    FaultType.MOVE_TIMEOUT: ("", "", 2000, 2104),
    FaultType.ILLEGAL: ("seat 2 at round 2 discarded Kh: not in hand", '{"discard": "Kh"} <b>&', 0, 0),
    FaultType.MALFORMED: ("no action in the reply", "0x00ff", 0, 0),
}


def replay_of(
    seats: int, *, number: int = 1, viewer: Viewer = ALL, rounds: int | None = None, **how: Any
) -> dict[str, Any]:
    """A whole game as the page gets it; `rounds` keeps its first rounds alone."""
    events = transcript(record(seats, number=number, **how), _seed(number), viewer)
    if rounds is not None:
        ends = [i for i, event in enumerate(events) if event["type"] == "round_end"]
        events = events[: ends[rounds - 1] + 1]
    return {"game": f"game-{number}", "seats": seat_list(seats), "view": viewer, "events": events}


def seat_list(seats: int) -> list[dict[str, Any]]:
    return [
        {"seat": i, "bot": NAMES[i], "version": "1", "owner": f"owner{i + 1}", "url": f"/bots/{i + 1}"}
        for i in range(seats)
    ]


def record(
    seats: int,
    *,
    number: int = 1,
    faults: Mapping[int, FaultType] | None = None,
    retire_at: Mapping[int, FaultType] | None = None,
    carelessness: float = 0.15,
    turn_cap: int = 40,
) -> GameRecord:
    """`faults` and `retire_at` give, by number of the decision (from 1), what goes wrong there."""
    config, seed, luck = GameConfig(seats, turn_cap), _seed(number), random.Random(number)
    state, _ = new_game(config, seed)
    entries: list[Entry] = []
    while not state.is_over:
        entry = _entry(state, len(entries) + 1, faults or {}, retire_at or {}, luck, carelessness)
        entries.append(entry)
        state, _ = apply(state, Retire((entry.seat,)) if isinstance(entry, RetirementEntry) else entry.action)
    return _sealed(config, seed, entries)


def _entry(
    state: GameState,
    number: int,
    faults: Mapping[int, FaultType],
    retire_at: Mapping[int, FaultType],
    luck: random.Random,
    carelessness: float,
) -> Entry:
    seat = state.seat
    if state.retired_in_round[seat]:
        return ActionEntry(seat, default_action(state), Cause.RETIRED, 0, 0)
    if number in retire_at:
        return RetirementEntry(seat, _fault(state, retire_at[number], retires=True), 0)
    if number in faults:
        return ActionEntry(seat, default_action(state), Cause.FAULT, 0, 0, _fault(state, faults[number]))
    return ActionEntry(seat, _choice(state, luck, carelessness), Cause.BOT, 0, 1)


def _choice(state: GameState, luck: random.Random, carelessness: float) -> Draw | Discard:
    hand, wild = cards_of_ids(state.hands[state.seat]), state.wild_rank
    if state.phase is Phase.DRAW:
        upcard = cards_of_ids(state.discard_pile[-1:])
        takes = best_discards((*hand, *upcard), wild).points < best_points(hand, wild)
        return Draw(Source.DISCARD if takes and luck.random() > carelessness / 2 else Source.PILE)
    points = discard_points(hand, wild)
    if luck.random() < carelessness:
        return Discard(luck.choice(list(points)))
    least = min(points.values())
    card = max((card for card in points if points[card] == least), key=lambda card: card.points(wild))
    return Discard(card, go_out=least == 0)


def _fault(state: GameState, kind: FaultType, *, retires: bool = False) -> Fault:
    detail, reply, budget, used = FAULTY.get(kind, ("", "", 30_000, 31_250))
    return Fault(kind, state.seat, state.game_round, state.turn, 7, budget, used, (4, 5, 6), detail, reply, retires)


def _seed(number: int) -> bytes:
    return sha256(f"sample {number}".encode()).digest()


def _sealed(config: GameConfig, seed: bytes, entries: Sequence[Entry]) -> GameRecord:
    """A transcript reads the header and the entries alone: footer and seal are left empty."""
    header = Header(
        "sample",
        config,
        DealMode.INDEPENDENT,
        tuple(SeatName(NAMES[i], "1") for i in range(config.seats)),
        commitment(seed),
        Budgets(),
        0,
        RULES_VERSION,
        SHUFFLE_VERSION,
    )
    return GameRecord(header, tuple(entries), Footer(GameScores((), (), (), ()), 0), Seal(b""), b"")
