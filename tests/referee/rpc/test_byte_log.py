"""A bot that keeps every byte of its games cannot compute a card that it did not see; what is true is taken from the seed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean, pvariance

import pytest
from google.protobuf.message import Message

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.play import rounds
from referee.record import codec
from referee.record.conditions import Budgets, DealMode
from referee.record.game_record import read_record
from referee.rules.cards import CARDS, CardId, card_of_id, deck_ids
from referee.rules.events import RoundStarted
from referee.rules.shuffle import deal_label, shuffle_keys, shuffled
from referee.rules.state import GAME_ROUNDS, GameConfig, Step, apply, new_game, wild_rank_of
from tests.support.byte_log import ByteLogger
from tests.support.clockless import without_clocks
from tests.support.referee import game_spec, running_referee
from tournaments.seeds import deal_seed, entropy

SECRET = sha256(b"a tournament").digest()
ENTROPY = entropy([("e1", "n1"), ("e2", "n2"), ("e3", "n3")])
PATIENT = Budgets(start_ms=60_000, decision_ms=60_000, bank_ms=0, thinking_ms=600_000)
DEALS = 40
SIGMAS = 4.0
"""Deals and bots are the same every time, so the figures are too."""
WINDOW = 5
"""Bytes: so many of a secret in a row are no chance."""


def seed_of(deal_set: int) -> bytes:
    return deal_seed(SECRET, ENTROPY, tournament="t1", stage=1, tournament_round=1, deal_set=deal_set)


@dataclass(frozen=True)
class Played:
    log: ByteLogger
    """Of the first bot."""
    specs: list[referee_pb2.GameSpec]
    records: list[bytes]


async def played(folder: Path, bots: int, games: Sequence[tuple[bytes, int]], turn_cap: int, mode: DealMode) -> Played:
    """Games between bots that throw what they draw, each with its seed and so many seats further."""
    names = [f"bot-{number}" for number in range(bots)]
    specs = []
    for number, (seed, shift) in enumerate(games):
        seated = [*names[-shift % bots :], *names[: -shift % bots]]
        spec = game_spec(seated, budgets=PATIENT, seed=seed, attempt_id=f"attempt-{number:04}")
        spec.config.CopyFrom(codec.config_message(GameConfig(bots, turn_cap), mode))
        specs.append(spec)
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(running_referee(folder))
        await site.sync(names)
        logs = [ByteLogger(site.referee.bots_port, name) for name in names]
        for log in logs:
            await stack.enter_async_context(log.connected())
        await site.start(*specs)
        for log in logs:
            await log.wait_for_ends(len(specs))
        records = [(await site.result(spec.attempt_id)).record for spec in specs]
    return Played(logs[0], specs, records)


# -- what is true ------------------------------------------------------------------------------------------------------


def dealt(seed: bytes, game_round: int) -> tuple[CardId, ...]:
    """All cards of a round in the order in which they are dealt (RULES 13)."""
    return shuffled(map(CardId, deck_ids()), seed, deal_label(game_round))


def faces(card_ids: Sequence[CardId]) -> Counter[int]:
    return Counter(card_of_id(card_id).code for card_id in card_ids)


DECK = faces([CardId(card_id) for card_id in deck_ids()])


# -- a deal set --------------------------------------------------------------------------------------------------------


def seen_in(messages: Sequence[bot_pb2.RefereeMessage], game_round: int) -> Counter[int]:
    """The cards of a round that the messages show, by face: as many of each as were seen at once in one game, hands at several
    seats of one deal together."""
    hands: dict[int, Counter[int]] = {}
    open_cards: Counter[int] = Counter()
    seats: dict[str, int] = {}
    for message in messages:
        match message.WhichOneof("message"):
            case "game_start":
                seats[message.game_start.game_id] = message.game_start.seat
            case "round_start" if message.round_start.game_round == game_round:
                start = message.round_start
                hands[seats[start.game_id]] = Counter(start.hand)
                open_cards |= Counter([start.upcard])
            case "decision" if message.decision.game_round == game_round:
                # Who throws what he draws shows his lane; the last cards thrown come with no request of this seat.
                decision = message.decision
                drawn = [decision.drawn_face] if decision.kind == bot_pb2.DECISION_KIND_DISCARD else []
                open_cards |= Counter([*decision.discard_pile, *drawn])
    return sum(hands.values(), open_cards)


def values_of(message: bot_pb2.RefereeMessage) -> tuple[str, list[tuple[str, object]]]:
    kind = str(message.WhichOneof("message"))
    return kind, list(scalars(getattr(message, kind)))


def scalars(message: Message, path: str = "") -> Iterator[tuple[str, object]]:
    """Every number, text and byte string in a message, by the name of its field."""
    for field, value in message.ListFields():
        name = f"{path}.{field.name}" if path else field.name
        for each in value if field.is_repeated else [value]:
            if isinstance(each, Message):
                yield from scalars(each, name)
            else:
                yield name, each


TOLD = {
    "welcome": {
        "bot_id",
        "bot_name",
        "limits.max_games",
        "limits.max_frame_bytes",
        "limits.ping_interval_ms",
        "site_url",
    }
    | {f"default_budgets.{name}" for name in game_pb2.Budgets.DESCRIPTOR.fields_by_name},
    "game_start": {"game_id", "config.seats", "config.turn_cap", "config.deal_mode", "seat", "commitment"}
    | {f"budgets.{name}" for name in game_pb2.Budgets.DESCRIPTOR.fields_by_name},
    "round_start": set(bot_pb2.RoundStart.DESCRIPTOR.fields_by_name),
    "decision": {
        *("game_id", "decision_id", "kind", "game_round", "wild_rank", "turn", "seat", "dealer", "starter", "turn_cap"),
        *("hand", "discard_pile", "draw_pile_size", "drawn_face", "drawn_from", "totals", "hand_sizes"),
        *("deadline_ms", "bank_ms", "last_latency_ms"),
        *("events.drew.seat", "events.drew.source", "events.discarded.seat", "events.discarded.face"),
    },
    "round_end": {
        *("game_id", "scores.game_round", "scores.scores", "totals", "melds.faces", "leftover"),
    },
    "game_end": {
        *("game_id", "reason", "record_digest", "scores.totals", "scores.places", "scores.retired_in_round"),
        *("scores.rounds.game_round", "scores.rounds.scores"),
    },
}
"""All that a bot is told in a game without faults in which nobody goes out. What is added to it has to be judged here: may every
seat know it, and does nothing of the seed follow?"""


def holds_part_of(data: bytes, secret: bytes) -> bool:
    """Whether some bytes of the secret in a row are in the data, forwards, backwards or in hexadecimal."""
    parts = {part[at : at + WINDOW] for part in (secret, secret[::-1]) for at in range(len(secret) - WINDOW + 1)}
    texts = {part.hex().encode() for part in parts}
    length = 2 * WINDOW
    return any(data[at : at + WINDOW] in parts or data[at : at + length].lower() in texts for at in range(len(data)))


async def deal_set(folder: Path) -> Played:
    """Three tables with one seed; the bot sits at each, in another seat every time, which is more than any bot may."""
    return await played(folder, 3, [(seed_of(1), shift) for shift in range(3)], 2, DealMode.ROTATED)


async def test_the_bytes_of_a_deal_set_hold_nothing_of_the_seed(tmp_path: Path) -> None:
    game = await deal_set(tmp_path)
    seed, messages = seed_of(1), game.log.messages
    told = {(kind, name) for kind, values in map(values_of, messages) for name, _ in values}
    assert {(kind, name) for kind, name in told if name not in TOLD[kind]} == set()

    keys = [shuffle_keys(seed, deal_label(number), len(deck_ids())) for number in range(1, GAME_ROUNDS + 1)]
    stream = b"".join(key.to_bytes(8, "big") for of_round in keys for key in of_round)
    secrets = {"secret": SECRET, "entropy": ENTROPY, "seed": seed, "shuffle keys": stream}
    received = b"".join(game.log.frames) + "\n".join(game.log.metadata).encode()
    for data in (received, *game.records):
        assert [name for name, secret in secrets.items() if holds_part_of(data, secret)] == []
    assert holds_part_of(received, sha256(seed).digest()), "what is there is found"

    byte_strings = {
        (kind, value) for kind, values in map(values_of, messages) for _, value in values if type(value) is bytes
    }
    # The digest is that of a record without the seed, which was searched above.
    digests = {("game_end", read_record(record).digest) for record in game.records}
    assert byte_strings == {("game_start", sha256(seed).digest())} | digests


async def test_a_deal_set_shows_the_cards_that_were_turned_up_and_leaves_the_others_open(tmp_path: Path) -> None:
    game = await deal_set(tmp_path / "one")
    for number in range(1, GAME_ROUNDS + 1):
        order = dealt(seed_of(1), number)
        assert seen_in(game.log.messages, number) == faces(order[: turned_up(number)])
    with unseen_cards_reversed():
        other = await deal_set(tmp_path / "other")
    assert messages_by_game(game.log) == messages_by_game(other.log)


def turned_up(game_round: int) -> int:
    """How many cards of the deal the bot has seen: three hands, the upcard, and what three seats draw in two turns."""
    return 3 * wild_rank_of(game_round) + 1 + 3 * 2


@contextmanager
def unseen_cards_reversed() -> Iterator[None]:
    """Sessions in which the cards that nobody gets to see lie the other way round."""

    def turned(step: Step) -> Step:
        state, events = step
        if not any(isinstance(event, RoundStarted) for event in events):
            return step
        lanes = tuple((*reversed(lane[:-2]), *lane[-2:]) for lane in state.lanes)
        return replace(state, lanes=lanes), events

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "new_game", lambda config, seed: turned(new_game(config, seed)))
        patch.setattr(rounds, "apply", lambda state, action: turned(apply(state, action)))
        yield


def messages_by_game(log: ByteLogger) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for message in map(without_clocks, log.messages):
        game_id = getattr(getattr(message, str(message.WhichOneof("message"))), "game_id", "")
        found.setdefault(game_id, []).append(message.SerializeToString(deterministic=True))
    return found


# -- guessing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PileDraw:
    """A card that the bot drew from the pile, and what it knew before."""

    game_id: str
    game_round: int
    place: int
    """Of the card in the deal."""
    unseen: Counter[int]
    card: int
    """Its face."""

    @property
    def left(self) -> list[int]:
        return sorted(self.unseen.elements())


def pile_draws(messages: Sequence[bot_pb2.RefereeMessage]) -> Iterator[PileDraw]:
    """By what the messages say alone. At two seats hand and discard pile are all that was ever seen."""
    unseen: dict[str, Counter[int]] = {}
    for message in messages:
        if message.WhichOneof("message") != "decision":
            continue
        decision = message.decision
        if decision.kind == bot_pb2.DECISION_KIND_DRAW:
            unseen[decision.game_id] = DECK - Counter([*decision.hand, *decision.discard_pile])
        else:
            place = 2 * decision.wild_rank + decision.turn
            yield PileDraw(decision.game_id, decision.game_round, place, unseen[decision.game_id], decision.drawn_face)


Guess = Callable[[PileDraw], int]
"""The face that a bot would bet on."""


def most_copies(draw: PileDraw) -> int:
    return max(draw.unseen, key=lambda face: (draw.unseen[face], -face))


def as_if_seeded_by(seeds: Mapping[str, bytes]) -> Guess:
    """Deals the round from what is taken for the seed of the game, and reads the card off."""

    def guess(draw: PileDraw) -> int:
        return card_of_id(dealt(seeds[draw.game_id], draw.game_round)[draw.place]).code

    return guess


class Learning:
    """Bets on what came most often in this place so far."""

    def __init__(self) -> None:
        self._came: dict[tuple[int, int], Counter[int]] = {}

    def __call__(self, draw: PileDraw) -> int:
        came = self._came.setdefault((draw.game_round, draw.place), Counter())
        guess = max(draw.unseen, key=lambda face: (came[face], draw.unseen[face]))
        came[draw.card] += 1
        return guess


def excess(draws: Sequence[PileDraw], guess: Guess) -> float:
    """By how many standard deviations the guesses come true more often than by chance, which knows only what is unseen."""
    hits = expected = variance = 0.0
    for draw in draws:
        face = guess(draw)
        chance = draw.unseen[face] / draw.unseen.total()
        hits += face == draw.card
        expected += chance
        variance += chance * (1 - chance)
    return (hits - expected) / math.sqrt(variance)


def drift(values: Iterable[tuple[float, Sequence[float]]]) -> float:
    """By how many standard deviations a sum lies from what it is if each value is drawn from its own possible ones."""
    difference = spread = 0.0
    for value, possible in values:
        difference += value - fmean(possible)
        spread += pvariance(possible)
    return difference / math.sqrt(spread)


async def test_the_next_card_is_guessed_no_better_than_by_chance(tmp_path: Path) -> None:
    games = [(seed_of(number), number % 2) for number in range(1, DEALS + 1)]
    game = await played(tmp_path, 2, games, 4, DealMode.FIELD)
    draws = sorted(pile_draws(game.log.messages), key=lambda draw: draw.game_id)  # one game after the other
    assert len(draws) == DEALS * GAME_ROUNDS * 4

    seeds = {spec.attempt_id: spec.seed for spec in game.specs}
    starts = [message.game_start for message in game.log.messages if message.HasField("game_start")]
    commitments = dict(sorted((start.game_id, start.commitment) for start in starts))
    guesses: dict[str, Guess] = {
        "most copies": most_copies,
        "what came before": Learning(),
        "the lowest face": lambda draw: min(draw.unseen),
        "commitment": as_if_seeded_by(commitments),
        "commitment of the next game": as_if_seeded_by(
            dict(zip(commitments, [*[*commitments.values()][1:], SECRET], strict=True))
        ),
        "game id": as_if_seeded_by({game_id: sha256(game_id.encode()).digest() for game_id in seeds}),
        "seed of the game before": as_if_seeded_by(dict(zip(seeds, [SECRET, *seeds.values()], strict=False))),
    }
    found = {name: excess(draws, guess) for name, guess in guesses.items()}
    assert {name: value for name, value in found.items() if abs(value) > SIGMAS} == {}
    assert excess(draws, as_if_seeded_by(seeds)) > 100, "who has the seed is right every time"

    faces_drawn = [(draw.card, draw.left) for draw in draws]
    assert abs(drift(faces_drawn)) < SIGMAS
    points = [[CARDS[face].points(3) for face in left] for _, left in faces_drawn]
    assert abs(drift((CARDS[card].points(3), own) for (card, _), own in zip(faces_drawn, points, strict=True))) < SIGMAS
