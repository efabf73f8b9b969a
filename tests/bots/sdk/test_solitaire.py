"""How a bot plays solitaire with the SDK: one more method, and what it may answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bots.sdk import Add, Bot, BotFailure, Card, Pile, Player, Refuse, ResignGame, SolitaireView, parse_card
from bots.sdk.bot import formats_of
from bots.sdk.client import Client
from bots.sdk.login import Login
from fivecrowns.bot.v1 import bot_pb2
from referee.record.conditions import Budgets, DealMode, Fault, FaultType, Format, GameScores
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    GameEnd,
    GameEndReason,
    GameStart,
    Resign,
    SolitaireRequest,
)
from referee.record.verify import verify_record
from referee.rules.solitaire import Score, SolitaireConfig, Variant, view_of
from tests.bots.arena import bots_at
from tests.support.referee import running_referee, solitaire_spec
from tests.support.solitaire import solitaire

GAME = "ab" * 16
VIEW = view_of(solitaire({3: "8s 9d Kh", 4: "9s 9h 9c 9d"}, "4d 5c 6h", variant=Variant.OPEN_FIRST))
KING, TURNED = parse_card("Kh"), parse_card("4d")


class AtATable(Bot):
    """Does not play solitaire."""


class Alone(Bot):
    answer: Any = None

    def solitaire(self, view: SolitaireView) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class Inherited(Alone):
    """Plays it as well."""


def start(game_id: str = GAME) -> GameStart:
    return GameStart(game_id, SolitaireConfig(), DealMode.INDEPENDENT, 0, b"c" * 32, Budgets(), "")


def request(decision_id: int = 1, fault: Fault | None = None) -> SolitaireRequest:
    return SolitaireRequest(GAME, decision_id, VIEW, 5, 2000, 30_000, 0, fault)


def asked(answer: Any) -> tuple[BotMessage, list[BotFailure]]:
    failures: list[BotFailure] = []
    player = Player(type("Own", (Alone,), {"answer": answer}), failures.append)
    player.receive(start())
    (reply,) = player.receive(request())
    return reply, failures


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ((VIEW.piles[0], KING), Add(3, KING)),
        ((3, "Kh"), Add(3, KING)),
        ([3, TURNED], Add(3, TURNED)),
        (Add(3, KING), Add(3, KING)),
        ("refuse", Refuse()),
        (Refuse(), Refuse()),
        # What the rules forbid is sent as it is: the referee decides what counts.
        ((4, KING), Add(4, KING)),
        ((77, KING), Add(77, KING)),
    ],
)
def test_what_a_bot_may_answer(answer: Any, action: Add | Refuse) -> None:
    reply, failures = asked(answer)
    assert reply == DecisionReply(GAME, 1, action)
    assert failures == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "solitaire() returned None: return a pile of view.open_piles and the card that goes out"),
        ((3,), "solitaire() returned (3,)"),
        ((-1, KING), "solitaire() returned (-1"),
        ((True, KING), "solitaire() returned (True"),
        ("pile", "solitaire() returned 'pile'"),
        ((3, None), "solitaire() returned None: return a card of that pile, or view.turned"),
        ((3, "1x"), "solitaire() returned '1x' is not a card"),
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
    ],
)
def test_what_is_no_answer_is_an_error_of_the_bot(answer: Any, words: str) -> None:
    reply, (failure,) = asked(answer)
    assert isinstance(reply, BotError)
    assert words in reply.message
    assert (failure.bot, failure.method, failure.where) == ("Own", "solitaire", "play 5")


def test_a_bot_may_resign() -> None:
    reply, failures = asked(ResignGame())
    assert (reply, failures) == (Resign(GAME), [])


def test_a_card_asked_for_again_is_answered_as_before() -> None:
    player = Player(type("Own", (Alone,), {"answer": (3, "Kh")}), lambda failure: None)
    player.receive(start())
    first = player.receive(request())
    player.bot_class.answer = (3, "4d")  # type: ignore[attr-defined]
    assert player.receive(request()) == first
    assert player.receive(request(2)) == [DecisionReply(GAME, 2, Add(3, TURNED))]


def test_the_open_decision_is_at_hand() -> None:
    seen: list[Any] = []

    class Looking(Bot):
        def solitaire(self, view: SolitaireView) -> tuple[Pile, Card]:
            seen.append((self.request.deadline_ms, self.game.config, view))
            return view.open_piles[0], view.turned

    player = Player(Looking, lambda failure: None)
    player.receive(start())
    player.receive(request())
    assert seen == [(2000, SolitaireConfig(), VIEW)]


@pytest.mark.parametrize(
    ("bot_class", "formats", "said"),
    [
        (AtATable, (Format.TABLE,), []),
        (Inherited, (Format.TABLE, Format.SOLITAIRE), [bot_pb2.GAME_FORMAT_TABLE, bot_pb2.GAME_FORMAT_SOLITAIRE]),
    ],
)
def test_a_bot_says_what_it_plays_by_its_methods(
    bot_class: type[Bot], formats: tuple[Format, ...], said: list[int]
) -> None:
    assert formats_of(bot_class) == formats
    client = Client(bot_class, Login("127.0.0.1:1", "token", "1"), lambda line: None)
    assert list(client._login.hello().formats) == said


def test_a_bot_that_is_asked_all_the_same_says_so() -> None:
    with pytest.raises(NotImplementedError, match="AtATable plays no solitaire: write a method"):
        AtATable().solitaire(VIEW)


@pytest.mark.parametrize(
    ("score", "retired", "line"),
    [
        (Score(True, 11, 25), 0, "won with 3 cards left"),
        (Score(False, 7, 28), 0, "7 of 11 piles closed"),
        (Score(False, 2, 9), 1, "2 of 11 piles closed, retired"),
    ],
)
def test_what_a_person_reads_of_the_end(score: Score, retired: int, line: str) -> None:
    said: list[str] = []
    client = Client(Alone, Login("127.0.0.1:1", "token", "1"), said.append)
    client._receive(start())
    fault = Fault(FaultType.ILLEGAL, 0, 1, 4, 4, 0, 0, (), "pile 2: piles are 3 to 13", "add to pile 2")
    client._receive(request(fault=fault))
    scores = GameScores((11 - score.piles_closed,), (1,), (), (retired,), score)
    client._receive(GameEnd(GAME, GameEndReason.FINISHED, scores, b""))
    assert said[0] == f"game {GAME}: solitaire, variant standard"
    assert said[1].startswith(f"game {GAME}: ILLEGAL in play 4: pile 2: piles are 3 to 13")
    assert said[-1] == f"game {GAME}: {line}"


async def test_bots_of_the_house_at_a_real_referee(tmp_path: Path) -> None:
    """Several at once, each bot with its own; nobody is at fault."""
    said: list[str] = []
    specs = [solitaire_spec(bot_id, variant) for bot_id in ("b1", "b2") for variant in Variant]
    async with running_referee(tmp_path) as site, bots_at(site, {"b1": "random", "b2": "solitaire"}, said=said):
        await site.start(*specs)
        results = [await site.result(spec.attempt_id) for spec in specs]
    for spec, result in zip(specs, results, strict=True):
        assert list(result.faults) == []
        assert verify_record(result.record, spec.seed).replays
    closed = [result.scores.solitaire.piles_closed for result in results]
    assert max(closed[:2]) < min(closed[2:])
    assert sum("solitaire, variant open_first" in line for line in said) == 2
