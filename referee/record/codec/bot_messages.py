"""What a bot says to the referee."""

from __future__ import annotations

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from referee.record.codec.game import (
    CodecError,
    add_message,
    add_of,
    discard_message,
    discard_of,
    draw_message,
    draw_of,
    meld_messages,
)
from referee.record.entries import Move
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    GameReady,
    MalformedReply,
    Resign,
)
from referee.rules.actions import Discard, Draw
from referee.rules.solitaire import Add, Refuse


def bot_message(message: BotMessage) -> bot_pb2.BotMessage:
    match message:
        case DecisionReply():
            return bot_pb2.BotMessage(decision=_decision_reply_message(message))
        case GameReady(game_id):
            return bot_pb2.BotMessage(game_ready=bot_pb2.GameReady(game_id=game_id))
        case Resign(game_id):
            return bot_pb2.BotMessage(resign=bot_pb2.Resign(game_id=game_id))
        case BotError(game_id, decision_id, text):
            return bot_pb2.BotMessage(
                bot_error=bot_pb2.BotError(game_id=game_id, decision_id=decision_id, message=text)
            )
        case MalformedReply():
            raise CodecError("a malformed reply is only ever received")


def bot_message_of(message: bot_pb2.BotMessage) -> BotMessage:
    """The domain value of a message about a game. A reply that is no action comes back as `MalformedReply`, since it is a fault
    of one decision; anything else that is not about a game raises CodecError."""
    match message.WhichOneof("message"):
        case "decision":
            return _decision_reply_of(message.decision)
        case "game_ready":
            return GameReady(message.game_ready.game_id)
        case "resign":
            return Resign(message.resign.game_id)
        case "bot_error":
            return BotError(message.bot_error.game_id, message.bot_error.decision_id, message.bot_error.message)
        case kind:
            raise CodecError(f"{kind or 'an empty message'} is not about a game")


def _decision_reply_message(reply: DecisionReply) -> bot_pb2.DecisionReply:
    action, then = reply.action, reply.then_discard
    discard = action if isinstance(action, Discard) else then
    return bot_pb2.DecisionReply(
        game_id=reply.game_id,
        decision_id=reply.decision_id,
        draw=draw_message(action) if isinstance(action, Draw) else None,
        discard=discard_message(action) if isinstance(action, Discard) else None,
        add=add_message(action) if isinstance(action, Add) else None,
        refuse=game_pb2.Refuse() if isinstance(action, Refuse) else None,
        then_discard=None if then is None else discard_message(then),
        melds=meld_messages(discard.melds) if discard is not None and discard.melds else (),
    )


def _decision_reply_of(message: bot_pb2.DecisionReply) -> DecisionReply | MalformedReply:
    try:
        return DecisionReply(message.game_id, message.decision_id, *_actions_of(message))
    except ValueError as error:
        return MalformedReply(message.game_id, message.decision_id, str(error), reply_text(message))


def _actions_of(message: bot_pb2.DecisionReply) -> tuple[Move, Discard | None]:
    then = discard_of(message.then_discard, message.melds) if message.HasField("then_discard") else None
    match message.WhichOneof("action"):
        case "draw":
            return draw_of(message.draw), then
        case "discard":
            return discard_of(message.discard, message.melds), then
        case "add":
            return add_of(message.add), then
        case "refuse":
            return Refuse(), then
        case _:
            raise CodecError("a reply without a draw or a discard")


def reply_text(message: bot_pb2.DecisionReply) -> str:
    """A reply as one line of text, for evidence."""
    return " ".join(str(message).split())
