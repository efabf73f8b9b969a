"""From messages to replies: a bot class playing any number of games. Local play and the network share it.

No I/O, no clock, no thread: whoever drives a `Player` brings them.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from random import Random
from types import TracebackType

from bots.sdk.bot import Bot, ResignGame
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    DecisionRequest,
    GameEnd,
    GameReady,
    GameStart,
    RefereeMessage,
    Request,
    Resign,
    RoundEnd,
    RoundStart,
    SolitaireRequest,
)
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import Card, parse_card
from referee.rules.layout import best_points
from referee.rules.solitaire import Add, Pile, Refuse
from referee.rules.state import Phase
from referee.rules.views import SeatView

MAX_GAMES_KEPT = 4096
"""A game whose end never came, because its referee was lost, is not kept for ever."""


@dataclass(frozen=True, slots=True)
class BotFailure:
    """A method of a bot that raised, or returned what is no answer."""

    bot: str
    """The name of the class."""
    method: str
    game_id: str
    where: str
    """`round 3, turn 5`, in a solitaire `play 5`; empty outside a round."""
    error: BaseException

    @property
    def summary(self) -> str:
        """One line with the innermost place in the author's own code."""
        text = f"{type(self.error).__name__}: {self.error}".rstrip(": ")
        frames = traceback.extract_tb(_own_frames(self.error.__traceback__))
        if not frames:
            return f"{self.bot}.{self.method}: {text}"
        return f"{self.bot}.{self.method}: {text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"

    @property
    def details(self) -> str:
        """The traceback, from the author's code on."""
        own = _own_frames(self.error.__traceback__)
        return "".join(traceback.format_exception(type(self.error), self.error, own)).rstrip()


class BadAnswer(TypeError):
    """A bot's method returned something that is no answer."""


@dataclass(slots=True)
class _Game:
    bot: Bot
    decision_id: int = 0
    """The last decision asked for, and what it was answered."""
    reply: BotMessage | None = None


class Player:
    """Plays the games it is told about, each with an instance of the bot class of its own."""

    def __init__(self, bot_class: type[Bot], on_failure: Callable[[BotFailure], None]) -> None:
        self.bot_class = bot_class
        self._on_failure = on_failure
        self._games: dict[str, _Game] = {}

    def seat_in(self, game_id: str) -> int | None:
        """Where the bot sits; None if it does not play that game."""
        game = self._games.get(game_id)
        return game.bot.game.seat if game else None

    def receive(self, message: RefereeMessage) -> list[BotMessage]:
        """What the bot answers to a message, in order. Whatever the bot raises becomes a `BotError`."""
        if isinstance(message, GameStart):
            return self._start(message)
        game = self._games.get(message.game_id)
        if game is None:
            return _unknown_game(message)
        match message:
            case DecisionRequest() | SolitaireRequest():
                return [self._answer(game, message)]
            case RoundStart():
                return self._tell(game, message.game_id, "round_start", message)
            case RoundEnd():
                return self._tell(game, message.game_id, "round_end", message)
            case GameEnd():
                del self._games[message.game_id]
                self._tell(game, message.game_id, "game_end", message)
                return []

    def _start(self, start: GameStart) -> list[BotMessage]:
        """A new instance; or the old one, if the referee tells of the game again after a reconnect."""
        ready: list[BotMessage] = [GameReady(start.game_id)]
        if start.game_id in self._games:
            return ready
        try:
            bot = _new_bot(self.bot_class, start)
        except (Exception, SystemExit) as error:
            # Without an instance the game cannot be played: better said now than after the start budget.
            failure = self._failed(start.game_id, "__init__", "", error)
            return [BotError(start.game_id, 0, failure.summary), Resign(start.game_id)]
        if len(self._games) >= MAX_GAMES_KEPT:
            del self._games[next(iter(self._games))]
        game = self._games[start.game_id] = _Game(bot)
        return [*ready, *self._tell(game, start.game_id, "game_start", start)]

    def _tell(self, game: _Game, game_id: str, method: str, message: RefereeMessage) -> list[BotMessage]:
        try:
            getattr(game.bot, method)(message)
        except ResignGame:
            return [Resign(game_id)]
        except (Exception, SystemExit) as error:
            return [BotError(game_id, 0, self._failed(game_id, method, "", error).summary)]
        return []

    def _answer(self, game: _Game, request: Request) -> BotMessage:
        """A decision asked for again, after a reconnect, is answered as before without asking the bot."""
        if game.reply is None or game.decision_id != request.decision_id:
            if isinstance(request, SolitaireRequest):
                game.reply = self._add(game.bot, request)
            else:
                game.reply = self._decide(game.bot, request)
            game.decision_id = request.decision_id
        return game.reply

    def _decide(self, bot: Bot, request: DecisionRequest) -> BotMessage:
        """The upcard is taken together with the discard that follows, which saves a round trip."""
        view, game_id, decision_id = request.view, request.game_id, request.decision_id
        bot.request = request
        method = "draw"
        try:
            if view.phase is Phase.DRAW and _source(bot.draw(view)) is Source.PILE:
                return DecisionReply(game_id, decision_id, Draw(Source.PILE))
            method = "discard"
            if view.phase is Phase.DISCARD:
                return DecisionReply(game_id, decision_id, _discard(bot, view))
            return DecisionReply(game_id, decision_id, Draw(Source.DISCARD), _discard(bot, view_with_upcard(view)))
        except ResignGame:
            return Resign(game_id)
        except (Exception, SystemExit) as error:
            where = f"round {view.game_round}, turn {view.turn}"
            return BotError(game_id, decision_id, self._failed(game_id, method, where, error).summary)

    def _add(self, bot: Bot, request: SolitaireRequest) -> BotMessage:
        game_id, decision_id = request.game_id, request.decision_id
        bot.request = request
        try:
            return DecisionReply(game_id, decision_id, _solitaire_move(bot.solitaire(request.view)))
        except ResignGame:
            return Resign(game_id)
        except (Exception, SystemExit) as error:
            failure = self._failed(game_id, "solitaire", f"play {request.turn}", error)
            return BotError(game_id, decision_id, failure.summary)

    def _failed(self, game_id: str, method: str, where: str, error: BaseException) -> BotFailure:
        failure = BotFailure(self.bot_class.__name__, method, game_id, where, error)
        self._on_failure(failure)
        return failure


def _new_bot(bot_class: type[Bot], start: GameStart) -> Bot:
    bot = bot_class.__new__(bot_class)
    bot.game = start
    bot.random = Random(f"{start.game_id}|{start.seat}")  # noqa: S311 - for play, not for secrets
    bot.__init__()  # type: ignore[misc] # made in two steps, so that the author's __init__ may use random and game
    return bot


def _unknown_game(message: RefereeMessage) -> list[BotMessage]:
    if not isinstance(message, DecisionRequest | SolitaireRequest):
        return []
    return [BotError(message.game_id, message.decision_id, "this game was never started here")]


def _discard(bot: Bot, view: SeatView) -> Discard:
    card = _card(bot.discard(view))
    return Discard(card, go_out=_can_go_out(view, card) and bool(bot.go_out(view, card)))


def view_with_upcard(view: SeatView) -> SeatView:
    """The view of the same seat once it has taken the upcard; nothing else happens in between."""
    *below, upcard = view.discard_pile
    sizes = list(view.hand_sizes)
    sizes[view.seat] += 1
    return replace(
        view,
        phase=Phase.DISCARD,
        hand=tuple(sorted((*view.hand, upcard), key=attrgetter("code"))),
        discard_pile=tuple(below),
        drawn=upcard,
        drawn_from=Source.DISCARD,
        hand_sizes=tuple(sizes),
        events=(),
    )


def _can_go_out(view: SeatView, discard: Card) -> bool:
    kept = list(view.hand)
    if discard not in kept:
        return False
    kept.remove(discard)
    return best_points(kept, view.wild_rank) == 0


def _source(answer: object) -> Source:
    if isinstance(answer, Source):
        return answer
    if isinstance(answer, str) and answer in ("pile", "discard"):
        return Source(answer)
    raise BadAnswer(f'draw() returned {answer!r}: return "pile" or "discard"')


def _card(answer: object, said: str = "discard() returned", of: str = "view.hand") -> Card:
    if isinstance(answer, Card):
        return answer
    if not isinstance(answer, str):
        raise BadAnswer(f"{said} {answer!r}: return a card of {of}")
    try:
        return parse_card(answer)
    except ValueError as error:
        raise BadAnswer(f"{said} {error}") from error


def _solitaire_move(answer: object) -> Add | Refuse:
    """A pile that is not there is sent as it is, if it is a number: what counts is decided by the referee."""
    if isinstance(answer, Add | Refuse):
        return answer
    if answer == "refuse":
        return Refuse()
    match answer:
        case (Pile(size), card):
            return Add(size, _card(card, "solitaire() returned", "that pile, or view.turned"))
        case (int(size), card) if 0 <= size < 1 << 32 and not isinstance(size, bool):
            return Add(size, _card(card, "solitaire() returned", "that pile, or view.turned"))
    raise BadAnswer(
        f'solitaire() returned {answer!r}: return a pile of view.open_piles and the card that goes out, or "refuse"'
    )


def _own_frames(trace: TracebackType | None) -> TracebackType | None:
    """Without the frames of this file: the author wants to see his own."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace
