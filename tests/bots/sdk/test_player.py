"""From messages to replies, without a referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import pytest

from bots.sdk import Bot, BotFailure, Card, Player, ResignGame, RoundEnd, RoundStart, SeatView, Source, parse_cards
from bots.sdk.player import MAX_GAMES_KEPT, view_with_upcard
from referee.record.conditions import Budgets, DealMode, RoundScores
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    DecisionRequest,
    GameEnd,
    GameEndReason,
    GameReady,
    GameStart,
    Resign,
)
from referee.rules.actions import Discard, Draw
from referee.rules.cards import parse_card
from referee.rules.events import Reshuffled
from referee.rules.layout import best_layout
from referee.rules.state import GameConfig, apply, new_game
from referee.rules.views import view_for
from tests.bots.views import view

GAME = "ab" * 16


def started(game_id: str = GAME, seat: int = 0) -> GameStart:
    return GameStart(game_id, GameConfig(3), DealMode.INDEPENDENT, seat, b"c" * 32, Budgets(), "")


def asked(seen: SeatView, decision_id: int = 1) -> DecisionRequest:
    return DecisionRequest(GAME, decision_id, seen, 2000, 30_000, 0, None)


class Table:
    """A player with one game started, and what its bot raised."""

    def __init__(self, bot_class: type[Bot]) -> None:
        self.failures: list[BotFailure] = []
        self.player = Player(bot_class, self.failures.append)
        self.first = self.player.receive(started())

    def ask(self, seen: SeatView, decision_id: int = 1) -> BotMessage:
        (reply,) = self.player.receive(asked(seen, decision_id))
        return reply

    def action(self, seen: SeatView) -> Draw | Discard:
        reply = self.ask(seen)
        assert isinstance(reply, DecisionReply)
        return reply.action


def bot_class(**methods: Callable[..., object]) -> type[Bot]:
    return type("Scripted", (Bot,), methods)


DRAW = view("8s 8d Ks Kd 4c")
DISCARD = view("8s 8d Ks Kd 4c 3h", drawn="3h")


# -- defaults ----------------------------------------------------------------------------------------------------------


def test_empty_subclass_plays() -> None:
    class Empty(Bot):
        pass

    table = Table(Empty)
    assert table.first == [GameReady(GAME)]
    assert table.action(DRAW) == Draw(Source.PILE)
    assert table.action(DISCARD) == Draw(Source.PILE), "a decision asked again is answered as before"
    assert Table(Empty).action(DISCARD) == Discard(parse_card("Kd"))


def test_every_game_has_its_own_bot() -> None:
    bots: list[Bot] = []

    class Kept(Bot):
        def __init__(self) -> None:
            bots.append(self)
            self.first = self.random.random()

    player = Player(Kept, print)
    for game_id in ("a" * 32, "b" * 32, "a" * 32):
        assert player.receive(started(game_id)) == [GameReady(game_id)]
    assert len(bots) == 2, "told of a game again, the bot stays"
    assert bots[0].random.random() != bots[1].random.random()
    assert [bot.game.game_id[0] for bot in bots] == ["a", "b"]


def test_randomness_is_of_game_and_seat() -> None:
    def first(game_id: str, seat: int) -> float:
        drawn: list[float] = []
        Player(bot_class(game_start=lambda bot, start: drawn.append(bot.random.random())), print).receive(
            started(game_id, seat)
        )
        return drawn[0]

    assert first(GAME, 0) == first(GAME, 0)
    assert len({first(GAME, 0), first(GAME, 1), first("cd" * 16, 0)}) == 3


def test_hooks_are_called_in_order_and_the_game_forgotten() -> None:
    calls: list[str] = []

    def noted(name: str) -> Callable[[Bot, object], None]:
        return lambda bot, message: calls.append(name)

    table = Table(bot_class(**{name: noted(name) for name in ("game_start", "round_start", "round_end", "game_end")}))
    hand = parse_cards("3s 4s 5s")
    layout = best_layout(hand, 3)
    for message in (
        RoundStart(GAME, 1, 3, 0, 1, hand, parse_card("9c")),
        RoundEnd(GAME, RoundScores(1, (0, 0, 0), None), (0, 0, 0), layout),
        GameEnd(GAME, GameEndReason.CANCELLED, None, b""),
    ):
        assert table.player.receive(message) == []
    assert calls == ["game_start", "round_start", "round_end", "game_end"]
    assert table.player.seat_in(GAME) is None
    assert table.ask(DRAW) == BotError(GAME, 1, "this game was never started here")
    assert table.player.receive(GameEnd(GAME, GameEndReason.CANCELLED, None, b"")) == []


def test_games_that_never_end_are_not_kept_for_ever() -> None:
    player = Player(Bot, print)
    for number in range(MAX_GAMES_KEPT + 3):
        player.receive(started(f"game {number}"))
    assert player.seat_in("game 0") is None
    assert player.seat_in("game 3") == 0


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["pile", Source.PILE], ids=["text", "value"])
def test_draw_from_the_pile(answer: object) -> None:
    assert Table(bot_class(draw=lambda bot, seen: answer)).ask(DRAW) == DecisionReply(GAME, 1, Draw(Source.PILE))


@pytest.mark.parametrize("answer", ["Kd", "K♦", parse_card("Kd")], ids=["text", "sign", "value"])
def test_discard(answer: object) -> None:
    table = Table(bot_class(discard=lambda bot, seen: answer))
    assert table.ask(DISCARD) == DecisionReply(GAME, 1, Discard(parse_card("Kd")))


def test_upcard_comes_with_the_discard() -> None:
    """One round trip for both; the bot is asked in between with the view it would have had."""
    seen: list[SeatView] = []

    class Taker(Bot):
        def draw(self, view: SeatView) -> str:
            return "discard"

        def discard(self, view: SeatView) -> Card:
            seen.append(view)
            return parse_card("4c")

    reply = Table(Taker).ask(DRAW)
    assert reply == DecisionReply(GAME, 1, Draw(Source.DISCARD), Discard(parse_card("4c")))
    assert seen == [view_with_upcard(DRAW)]


def test_view_with_upcard_is_that_of_the_rules() -> None:
    for number in range(40):
        state, _ = new_game(GameConfig(3), bytes([number]) * 32)
        before = view_for(state, state.seat)
        state, _ = apply(state, Draw(Source.DISCARD))
        assert view_with_upcard(before) == view_for(state, state.seat)


@pytest.mark.parametrize(
    ("hand", "discard", "goes_out"),
    [
        ("8s 8d 8h 5s Kd Kc", "Kc", False),
        ("8s 8d 8h 8c 5s Kd", "Kd", True),
        ("8s 8d 8h 8c 5s Kd", "5s", False),
        ("JK JK JK 5s 5h Kd", "JK", True),
    ],
)
def test_goes_out_whenever_possible(hand: str, discard: str, goes_out: bool) -> None:
    seen = view(hand, drawn=discard)
    assert Table(bot_class(discard=lambda bot, seen: discard)).action(seen) == Discard(parse_card(discard), goes_out)


def test_may_stay_in() -> None:
    seen = view("8s 8d 8h 8c 5s Kd", drawn="Kd")
    stays = bot_class(discard=lambda bot, seen: "Kd", go_out=lambda bot, seen, discard: False)
    assert Table(stays).action(seen) == Discard(parse_card("Kd"), go_out=False)


def test_a_card_not_held_is_left_to_the_referee() -> None:
    assert Table(bot_class(discard=lambda bot, seen: "Jh")).action(DISCARD) == Discard(parse_card("Jh"))


def test_asked_again_the_bot_is_not_asked_again() -> None:
    calls: list[int] = []

    def draw(bot: Bot, seen: SeatView) -> str:
        calls.append(bot.request.decision_id)
        return "pile"

    table = Table(bot_class(draw=draw))
    first = table.ask(DRAW, 7)
    assert table.player.receive(started()) == [GameReady(GAME)]
    assert table.ask(replace(DRAW, events=(Reshuffled(60),)), 7) == first
    table.ask(DRAW, 11)
    assert calls == [7, 11]


# -- failures ----------------------------------------------------------------------------------------------------------


def explode(*_: object) -> None:
    raise ZeroDivisionError("by nothing")


def leave(*_: object) -> None:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("methods", "seen", "message"),
    [
        ({"draw": explode}, DRAW, "Scripted.draw: ZeroDivisionError: by nothing (test_player.py, line "),
        ({"draw": leave}, DRAW, "Scripted.draw: SystemExit: 3 (test_player.py, line "),
        ({"discard": explode}, DISCARD, "Scripted.discard: ZeroDivisionError: by nothing (test_player.py, line "),
        (
            {"draw": lambda bot, seen: "discard", "discard": explode},
            DRAW,
            "Scripted.discard: ZeroDivisionError: by nothing (test_player.py, line ",
        ),
        ({"draw": lambda bot, seen: None}, DRAW, 'draw() returned None: return "pile" or "discard"'),
        ({"draw": lambda bot, seen: "deck"}, DRAW, 'draw() returned \'deck\': return "pile" or "discard"'),
        ({"discard": lambda bot, seen: None}, DISCARD, "discard() returned None: return a card of view.hand"),
        ({"discard": lambda bot, seen: 7}, DISCARD, "discard() returned 7: return a card of view.hand"),
        ({"discard": lambda bot, seen: "Xx"}, DISCARD, "discard() returned 'Xx' is not a card"),
    ],
)
def test_what_goes_wrong_costs_the_decision(
    methods: dict[str, Callable[..., object]], seen: SeatView, message: str
) -> None:
    table = Table(bot_class(**methods))
    reply = table.ask(seen)
    assert isinstance(reply, BotError)
    assert message in reply.message
    assert reply == BotError(GAME, 1, table.failures[0].summary)
    assert table.failures[0].where == "round 3, turn 4"


def test_traceback_begins_in_the_authors_code() -> None:
    table = Table(bot_class(draw=explode))
    table.ask(DRAW)
    details = table.failures[0].details
    assert details.startswith("Traceback (most recent call last):")
    assert details.endswith("ZeroDivisionError: by nothing")
    assert 'player.py", line' not in details.replace("test_player.py", "")


def test_a_bot_that_cannot_be_made_resigns_at_once() -> None:
    table = Table(bot_class(__init__=explode))
    error, resigned = table.first
    assert isinstance(error, BotError)
    assert "Scripted.__init__: ZeroDivisionError" in error.message
    assert resigned == Resign(GAME)


@pytest.mark.parametrize("hook", ["game_start", "round_start"])
def test_a_failing_hook_is_reported_and_the_game_goes_on(hook: str) -> None:
    table = Table(bot_class(**{hook: explode}))
    replies = table.first + table.player.receive(RoundStart(GAME, 1, 3, 0, 1, (), parse_card("9c")))
    assert replies == [GameReady(GAME), BotError(GAME, 0, table.failures[0].summary)]
    assert isinstance(table.ask(DRAW), DecisionReply)


@pytest.mark.parametrize("method", ["draw", "discard", "go_out"])
def test_resign_from_anywhere(method: str) -> None:
    def resign(*_: object) -> None:
        raise ResignGame

    methods: dict[str, Callable[..., object]] = {"draw": lambda bot, seen: "discard"}
    methods["discard"] = lambda bot, seen: "Kd"
    methods[method] = resign
    seen = view("8s 8d 8h 8c 5s", upcard="Kd")
    assert Table(bot_class(**methods)).ask(seen) == Resign(GAME)


def test_keyboard_interrupt_is_not_the_bots_fault() -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Table(bot_class(draw=interrupted)).ask(DRAW)


class Slotted(Bot):
    """Class attributes and a constructor of its own need no super()."""

    version: ClassVar[str] = "blue"

    def __init__(self) -> None:
        self.seat = self.game.seat


def test_constructor_needs_no_super() -> None:
    assert Table(Slotted).first == [GameReady(GAME)]
