"""Whether the referee's reply time tells if a hand could go out: it must not look at a claim that is not made.

    python -m tests.bench.reply_time        prints the rows

Two bots play the last round, thirteen cards each, and throw what they draw. In one game of a pair both hands lie in melds whole, so
that every discard could go out; in the other no card drawn lets them. Measured is each discard: the same reply, from the moment it
is handed to the transport until the next request is there. The outbox waits for nothing (a window of 0), which hides least.

The interval comes from drawing pairs of games anew, since the replies of one game are alike.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from unittest import mock

import grpc

from bots.faulty.raw import default_reply
from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.referee.v1 import referee_pb2
from referee.play import rounds
from referee.play.session import Session
from referee.play.spec import GameSpec
from referee.record import codec
from referee.record.conditions import SeatName
from referee.record.messages import GameReady
from referee.rules.cards import JOKER, MIN_RANK, CardId, card_of_id, cards_of_ids, deck_ids
from referee.rules.events import RoundStarted
from referee.rules.layout import best_points, going_out_discards
from referee.rules.state import GAME_ROUNDS, GameConfig, GameState, Phase, Step, dealer_of, wild_rank_of
from tests.bench.report import Row
from tests.support.referee import RawBot, Site, bot_token, game_spec, running_referee

DISCARDS = 10_000
"""Of each kind."""
BOTS = ("b1", "b2")
SEATS = 2
TURN_CAP = 40
PAIRS = -(-DISCARDS // (SEATS * TURN_CAP - 1))
"""Of games; the last discard of each, which ends it, is not measured."""
WARM_UP = 2
"""Pairs that do not count."""
WILD_RANK = wild_rank_of(GAME_ROUNDS)
SIZE = WILD_RANK
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
MOST_MS = 0.1
RESAMPLES = 1_000
CONFIDENCE = 0.99


# -- deals -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deal:
    hands: tuple[tuple[CardId, ...], ...]
    rest: tuple[CardId, ...]
    """The upcard, then the draw pile."""


def deals(*, can_go_out: bool) -> Iterator[Deal]:
    """The last round for two, dealt again and again."""
    dice = random.Random(1)
    while True:
        deck = list(map(CardId, deck_ids()))
        dice.shuffle(deck)
        hands = tuple(_melds(dice, deck) if can_go_out else _odds(dice, deck) for _ in range(SEATS))
        dice.shuffle(deck)
        yield Deal(hands, tuple(deck))


def _melds(dice: random.Random, deck: list[CardId]) -> tuple[CardId, ...]:
    """Three melds of three and one of four, without wilds, taken from the deck."""
    hand: list[CardId] = []
    for size in (3, 3, 3, 4):
        while not (meld := _meld(dice, deck, size)):
            pass
        for card_id in meld:
            deck.remove(card_id)
        hand += meld
    assert best_points(cards_of_ids(hand), WILD_RANK) == 0
    return _in_order(hand)


def _meld(dice: random.Random, deck: Sequence[CardId], size: int) -> list[CardId]:
    """A book or a run of cards of the deck; empty if they are not there."""
    natural = [card_id for card_id in deck if not card_of_id(card_id).is_wild(WILD_RANK)]
    if dice.random() < 0.5:
        rank = dice.randrange(MIN_RANK, WILD_RANK)
        of_rank = [card_id for card_id in natural if card_of_id(card_id).rank == rank]
        return of_rank[:size] if len(of_rank) >= size else []
    suit, lowest = dice.randrange(5), dice.randrange(MIN_RANK, WILD_RANK - size + 1)
    faces = {card_of_id(card_id): card_id for card_id in natural}
    wanted = [card for card in faces if card.suit == suit and lowest <= card.rank < lowest + size]
    return [faces[card] for card in wanted] if len(wanted) == size else []


def _odds(dice: random.Random, deck: list[CardId]) -> tuple[CardId, ...]:
    """A hand that cannot go out whatever is drawn, since not even a joker would let it; taken from the deck."""
    while going_out_discards((*cards_of_ids(hand := dice.sample(deck, SIZE)), JOKER), WILD_RANK):
        pass
    for card_id in hand:
        deck.remove(card_id)
    return _in_order(hand)


def _in_order(hand: Sequence[CardId]) -> tuple[CardId, ...]:
    return tuple(sorted(hand, key=lambda card_id: (card_of_id(card_id), card_id)))


def dealt(deal: Deal, config: GameConfig, seed: bytes) -> Step:
    """What `new_game` would answer if the game had but its last round."""
    upcard, *pile = deal.rest
    dealer = dealer_of(GAME_ROUNDS, SEATS)
    starter = (dealer + 1) % SEATS
    state = GameState(
        config=config,
        seed=seed,
        game_round=GAME_ROUNDS,
        phase=Phase.DRAW,
        seat=starter,
        turn=1,
        hands=deal.hands,
        lanes=tuple(tuple(pile[seat::SEATS]) for seat in range(SEATS)),
        discard_pile=(upcard,),
        drawn=None,
        drawn_from=None,
        went_out=None,
        reshuffles=0,
        round_scores=(),
        retired_in_round=(0,) * SEATS,
    )
    hands = tuple(map(cards_of_ids, deal.hands))
    return state, (RoundStarted(GAME_ROUNDS, dealer, starter, hands, card_of_id(upcard)),)


# -- the time of a reply -----------------------------------------------------------------------------------------------

Times = list[float]
"""Of the discards of one game, in milliseconds."""
Play = Callable[[Deal], Awaitable[Times]]


async def pairs_of_games(play: Play) -> list[tuple[Times, Times]]:
    """Of each pair, the game in which one could go out and the one in which one could not; which comes first changes."""
    kinds = [deals(can_go_out=True), deals(can_go_out=False)]
    pairs = []
    for number in range(WARM_UP + PAIRS):
        pair: dict[int, Times] = {}
        for kind in (0, 1) if number % 2 else (1, 0):
            pair[kind] = await play(next(kinds[kind]))
        pairs.append((pair[0], pair[1]))
    return pairs[WARM_UP:]


class Wire:
    """Two bots of one process at a real referee of the same process."""

    def __init__(self, site: Site, streams: Sequence[grpc.aio.StreamStreamCall]) -> None:
        self._site = site
        self._streams = streams

    async def play(self, deal: Deal) -> Times:
        spec = game_spec(BOTS)
        spec.config.turn_cap = TURN_CAP
        with mock.patch.object(rounds, "new_game", partial(dealt, deal)):
            await self._site.start(spec)
        for seat in range(SEATS):
            start = await self._hear(seat, "game_start")
            await self._say(seat, bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=start.game_start.game_id)))
        times: Times = []
        seat = (dealer_of(GAME_ROUNDS, SEATS) + 1) % SEATS
        await self._hear((seat + 1) % SEATS, "round_start")
        request = (await self._hear(seat, "decision")).decision
        while len(times) < SEATS * TURN_CAP - 1:
            reply = bot_pb2.BotMessage(decision=default_reply(request))
            if request.kind == bot_pb2.DECISION_KIND_DRAW:
                await self._say(seat, reply)
                request = (await self._hear(seat, "decision")).decision
                continue
            other = (seat + 1) % SEATS
            began = time.perf_counter()
            await self._say(seat, reply)
            frame = await self._streams[other].read()
            times.append((time.perf_counter() - began) * 1000)
            seat, request = other, frame.messages[-1].decision
        await self._site.stub.CancelGames(
            referee_pb2.CancelGamesRequest(attempt_ids=[spec.attempt_id]), metadata=self._site.metadata
        )
        for each in range(SEATS):
            await self._hear(each, "game_end")
        return times

    async def _say(self, seat: int, message: bot_pb2.BotMessage) -> None:
        await self._streams[seat].write(bot_pb2.PlayRequest(messages=[message]))

    async def _hear(self, seat: int, kind: str) -> bot_pb2.RefereeMessage:
        while True:
            frame = await self._streams[seat].read()
            for message in frame.messages:
                if message.WhichOneof("message") == kind:
                    return message


@asynccontextmanager
async def wire() -> AsyncIterator[Wire]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        site = await stack.enter_async_context(running_referee(Path(folder), flush_window_s=0.0))
        await site.sync(BOTS)
        streams = []
        for name in BOTS:
            channel = await stack.enter_async_context(
                grpc.aio.insecure_channel(f"127.0.0.1:{site.referee.bots_port}", options=OWN_CONNECTION)
            )
            stream = bot_pb2_grpc.BotServiceStub(channel).Play(
                metadata=(("authorization", f"Bearer {bot_token(name)}"),)
            )
            stack.callback(stream.cancel)
            hello = bot_pb2.BotMessage(hello=RawBot(site.referee.bots_port, name).hello)
            await stream.write(bot_pb2.PlayRequest(messages=[hello]))
            await stream.read()
            streams.append(stream)
        yield Wire(site, streams)


async def play_in_process(deal: Deal) -> Times:
    """Session and codec alone: from the bytes of the reply to those of the next request."""
    names = tuple(SeatName(name, "1") for name in BOTS)
    spec = GameSpec("attempt-1", GameConfig(SEATS, TURN_CAP), names, bytes(32))
    with mock.patch.object(rounds, "new_game", partial(dealt, deal)):
        session = Session(spec)
    session.start(0.0)
    for seat in range(SEATS):
        session.receive(seat, GameReady(spec.attempt_id), 0.0)
    messages = session.take_outgoing()
    times: Times = []
    while not session.is_over:
        seat, message = messages[-1]
        request = codec.referee_message(message).decision
        data = bot_pb2.BotMessage(decision=default_reply(request)).SerializeToString()
        began = time.perf_counter()
        session.receive(seat, codec.bot_message_of(bot_pb2.BotMessage.FromString(data)), 0.0)
        messages = session.take_outgoing()
        for _, sent in messages:
            codec.referee_message(sent).SerializeToString()
        if request.kind == bot_pb2.DECISION_KIND_DISCARD and not session.is_over:
            times.append((time.perf_counter() - began) * 1000)
    return times


# -- the row -----------------------------------------------------------------------------------------------------------


def difference(pairs: Sequence[tuple[Times, Times]]) -> tuple[float, float, float]:
    """Median with a possible going out, median without, and the first less the second."""
    can, cannot = (median(chain.from_iterable(pair[side] for pair in pairs)) for side in (0, 1))
    return can, cannot, can - cannot


def interval(pairs: Sequence[tuple[Times, Times]]) -> tuple[float, float]:
    """Where the difference of the medians lies, from pairs of games drawn anew."""
    dice = random.Random(1)
    drawn = sorted(difference(dice.choices(pairs, k=len(pairs)))[2] for _ in range(RESAMPLES))
    tail = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return drawn[tail], drawn[-1 - tail]


def row_of(name: str, pairs: Sequence[tuple[Times, Times]]) -> Row:
    can, cannot, apart = difference(pairs)
    low, high = interval(pairs)
    counts = [sum(len(pair[side]) for pair in pairs) for side in (0, 1)]
    return Row(
        name=name,
        unit="ms",
        ours=apart,
        reference=None,
        ratio=None,
        goal=MOST_MS,
        holds=max(-low, high) <= MOST_MS,
        note=(
            f"medians {can:.4f} ms of {counts[0]} discards that could go out, {cannot:.4f} ms of {counts[1]} that could not; "
            f"{CONFIDENCE:.0%} interval of the difference {low:+.4f} to {high:+.4f} ms has to lie within {MOST_MS} ms"
        ),
    )


def rows() -> Iterator[Row]:
    async def over_the_wire() -> list[tuple[Times, Times]]:
        async with wire() as table:
            return await pairs_of_games(table.play)

    yield row_of("reply time: a possible going out, over a connection", asyncio.run(over_the_wire()))
    yield row_of("reply time: a possible going out, session and codec", asyncio.run(pairs_of_games(play_in_process)))


if __name__ == "__main__":
    for row in rows():
        print(row)
