"""What the referee says to a bot."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, cast

from fivecrowns.bot.v1 import bot_pb2
from referee.record.codec.game import (
    SOURCE_OF_WIRE,
    SOURCE_TO_WIRE,
    VARIANT_OF_WIRE,
    VARIANT_TO_WIRE,
    CodecError,
    budgets_message,
    budgets_of,
    card_of_code,
    cards_of_codes,
    config_message,
    config_of,
    face_codes,
    fault_message,
    fault_of,
    inverse,
    known,
    meld_messages,
    round_scores_message,
    round_scores_of,
    scores_message,
    scores_of,
)
from referee.record.codec.wire import block, block_key, number, number_key, numbers, text
from referee.record.messages import (
    DecisionRequest,
    GameEnd,
    GameEndReason,
    GameStart,
    RefereeMessage,
    RoundEnd,
    RoundStart,
    SolitaireRequest,
)
from referee.rules.actions import Source
from referee.rules.cards import Card
from referee.rules.events import Discarded, Drew, PublicEvent, Reshuffled, SeatRetired
from referee.rules.layout import Layout
from referee.rules.solitaire import Pile, SolitaireView
from referee.rules.state import Phase, wild_rank_of
from referee.rules.views import SeatView

_PHASE_TO_WIRE: Final = {Phase.DRAW: bot_pb2.DECISION_KIND_DRAW, Phase.DISCARD: bot_pb2.DECISION_KIND_DISCARD}
_PHASE_OF_WIRE = inverse(_PHASE_TO_WIRE)
_END_TO_WIRE = {
    reason: cast("bot_pb2.GameEndReason", bot_pb2.GameEndReason.Value(f"GAME_END_REASON_{reason.name}"))
    for reason in GameEndReason
}
_END_OF_WIRE = inverse(_END_TO_WIRE)


def referee_bytes(message: RefereeMessage) -> bytes:
    """A serialized `RefereeMessage`."""
    if isinstance(message, DecisionRequest):
        return block(_DECISION, _decision_request_bytes(message))
    return referee_message(message).SerializeToString()


def play_response(messages: Iterable[bytes]) -> bytes:
    """A serialized `PlayResponse` of serialized messages."""
    return b"".join([block(_MESSAGES, message) for message in messages])


def referee_message(message: RefereeMessage) -> bot_pb2.RefereeMessage:
    match message:
        case DecisionRequest():
            return bot_pb2.RefereeMessage(decision=_decision_request_message(message))
        case SolitaireRequest():
            return bot_pb2.RefereeMessage(decision=_solitaire_request_message(message))
        case GameStart():
            return bot_pb2.RefereeMessage(game_start=_game_start_message(message))
        case RoundStart():
            return bot_pb2.RefereeMessage(round_start=_round_start_message(message))
        case RoundEnd():
            return bot_pb2.RefereeMessage(round_end=_round_end_message(message))
        case GameEnd():
            return bot_pb2.RefereeMessage(game_end=_game_end_message(message))


def referee_message_of(message: bot_pb2.RefereeMessage) -> RefereeMessage:
    """The domain value of a message about a game. Raises CodecError for any other."""
    match message.WhichOneof("message"):
        case "decision":
            is_solitaire = message.decision.kind == bot_pb2.DECISION_KIND_ADD
            return (_solitaire_request_of if is_solitaire else _decision_request_of)(message.decision)
        case "game_start":
            return _game_start_of(message.game_start)
        case "round_start":
            return _round_start_of(message.round_start)
        case "round_end":
            return _round_end_of(message.round_end)
        case "game_end":
            return _game_end_of(message.game_end)
        case kind:
            raise CodecError(f"{kind or 'an unknown message'} is not about a game")


def _decision_request_message(request: DecisionRequest) -> bot_pb2.DecisionRequest:
    view = request.view
    return bot_pb2.DecisionRequest(
        game_id=request.game_id,
        decision_id=request.decision_id,
        kind=_PHASE_TO_WIRE[view.phase],
        game_round=view.game_round,
        wild_rank=view.wild_rank,
        hand=face_codes(view.hand),
        discard_pile=face_codes(view.discard_pile),
        draw_pile_size=view.draw_pile_size,
        turn=view.turn,
        events=map(_event_message, view.events),
        seat=view.seat,
        drawn_face=0 if view.drawn is None else view.drawn.code,
        drawn_from=None if view.drawn_from is None else SOURCE_TO_WIRE[view.drawn_from],
        last_turn=view.is_last_turn,
        went_out_seat=view.went_out or 0,
        went_out_hand=face_codes(view.went_out_hand),
        totals=view.totals,
        hand_sizes=view.hand_sizes,
        deadline_ms=request.deadline_ms,
        bank_ms=request.bank_ms,
        last_latency_ms=request.last_latency_ms,
        last_fault=None if request.last_fault is None else fault_message(request.last_fault),
        dealer=view.dealer,
        starter=view.starter,
        turn_cap=view.turn_cap,
    )


_MESSAGES: Final = block_key(bot_pb2.PlayResponse.MESSAGES_FIELD_NUMBER)
_DECISION: Final = block_key(bot_pb2.RefereeMessage.DECISION_FIELD_NUMBER)
_GAME_ID: Final = block_key(bot_pb2.DecisionRequest.GAME_ID_FIELD_NUMBER)
_DECISION_ID: Final = number_key(bot_pb2.DecisionRequest.DECISION_ID_FIELD_NUMBER)
_KIND: Final = number_key(bot_pb2.DecisionRequest.KIND_FIELD_NUMBER)
_GAME_ROUND: Final = number_key(bot_pb2.DecisionRequest.GAME_ROUND_FIELD_NUMBER)
_WILD_RANK: Final = number_key(bot_pb2.DecisionRequest.WILD_RANK_FIELD_NUMBER)
_HAND: Final = block_key(bot_pb2.DecisionRequest.HAND_FIELD_NUMBER)
_DISCARD_PILE: Final = block_key(bot_pb2.DecisionRequest.DISCARD_PILE_FIELD_NUMBER)
_DRAW_PILE_SIZE: Final = number_key(bot_pb2.DecisionRequest.DRAW_PILE_SIZE_FIELD_NUMBER)
_TURN: Final = number_key(bot_pb2.DecisionRequest.TURN_FIELD_NUMBER)
_EVENTS: Final = block_key(bot_pb2.DecisionRequest.EVENTS_FIELD_NUMBER)
_SEAT: Final = number_key(bot_pb2.DecisionRequest.SEAT_FIELD_NUMBER)
_DRAWN_FACE: Final = number_key(bot_pb2.DecisionRequest.DRAWN_FACE_FIELD_NUMBER)
_DRAWN_FROM: Final = number_key(bot_pb2.DecisionRequest.DRAWN_FROM_FIELD_NUMBER)
_LAST_TURN: Final = number_key(bot_pb2.DecisionRequest.LAST_TURN_FIELD_NUMBER)
_WENT_OUT_SEAT: Final = number_key(bot_pb2.DecisionRequest.WENT_OUT_SEAT_FIELD_NUMBER)
_WENT_OUT_HAND: Final = block_key(bot_pb2.DecisionRequest.WENT_OUT_HAND_FIELD_NUMBER)
_TOTALS: Final = block_key(bot_pb2.DecisionRequest.TOTALS_FIELD_NUMBER)
_HAND_SIZES: Final = block_key(bot_pb2.DecisionRequest.HAND_SIZES_FIELD_NUMBER)
_DEADLINE_MS: Final = number_key(bot_pb2.DecisionRequest.DEADLINE_MS_FIELD_NUMBER)
_BANK_MS: Final = number_key(bot_pb2.DecisionRequest.BANK_MS_FIELD_NUMBER)
_LAST_LATENCY_MS: Final = number_key(bot_pb2.DecisionRequest.LAST_LATENCY_MS_FIELD_NUMBER)
_LAST_FAULT: Final = block_key(bot_pb2.DecisionRequest.LAST_FAULT_FIELD_NUMBER)
_DEALER: Final = number_key(bot_pb2.DecisionRequest.DEALER_FIELD_NUMBER)
_STARTER: Final = number_key(bot_pb2.DecisionRequest.STARTER_FIELD_NUMBER)
_TURN_CAP: Final = number_key(bot_pb2.DecisionRequest.TURN_CAP_FIELD_NUMBER)


def _decision_request_bytes(request: DecisionRequest) -> bytes:
    """As `_decision_request_message` serialized: fields in the order of their numbers, those that are 0 left out."""
    view, fault = request.view, request.last_fault
    parts = [
        text(_GAME_ID, request.game_id),
        number(_DECISION_ID, request.decision_id),
        number(_KIND, _PHASE_TO_WIRE[view.phase]),
        number(_GAME_ROUND, view.game_round),
        number(_WILD_RANK, view.wild_rank),
        _faces(_HAND, view.hand),
        _faces(_DISCARD_PILE, view.discard_pile),
        number(_DRAW_PILE_SIZE, view.draw_pile_size),
        number(_TURN, view.turn),
        *map(_event_bytes, view.events),
        number(_SEAT, view.seat),
        b"" if view.drawn is None else number(_DRAWN_FACE, view.drawn.code),
        b"" if view.drawn_from is None else number(_DRAWN_FROM, SOURCE_TO_WIRE[view.drawn_from]),
        number(_LAST_TURN, view.went_out is not None),
        number(_WENT_OUT_SEAT, view.went_out or 0),
        _faces(_WENT_OUT_HAND, view.went_out_hand),
        numbers(_TOTALS, view.totals),
        numbers(_HAND_SIZES, view.hand_sizes),
        number(_DEADLINE_MS, request.deadline_ms),
        number(_BANK_MS, request.bank_ms),
        number(_LAST_LATENCY_MS, request.last_latency_ms),
        b"" if fault is None else block(_LAST_FAULT, fault_message(fault).SerializeToString()),
        number(_DEALER, view.dealer),
        number(_STARTER, view.starter),
        number(_TURN_CAP, view.turn_cap),
    ]
    return b"".join(parts)


def _faces(key: bytes, cards: tuple[Card, ...]) -> bytes:
    """A repeated field of face codes, each of which is one byte; left out if there are no cards."""
    return block(key, bytes([card.code for card in cards])) if cards else b""


def _event_bytes(event: PublicEvent) -> bytes:
    """There are not many different events, and each is told to every seat."""
    if isinstance(event, Drew):
        return _drew_bytes(event.seat, event.source, -1 if event.card is None else event.card.code)
    if isinstance(event, Discarded):
        return _discarded_bytes(event.seat, event.card.code, event.went_out)
    return block(_EVENTS, _event_message(event).SerializeToString())


@cache
def _drew_bytes(seat: int, source: Source, code: int) -> bytes:
    card = None if code < 0 else card_of_code(code)
    return block(_EVENTS, _event_message(Drew(seat, source, card)).SerializeToString())


@cache
def _discarded_bytes(seat: int, code: int, went_out: bool) -> bytes:
    return block(_EVENTS, _event_message(Discarded(seat, card_of_code(code), went_out)).SerializeToString())


def _decision_request_of(message: bot_pb2.DecisionRequest) -> DecisionRequest:
    phase = known(_PHASE_OF_WIRE, message.kind, "decision kind")
    is_discard = phase is Phase.DISCARD
    view = SeatView(
        seat=message.seat,
        seats=len(message.hand_sizes),
        phase=phase,
        game_round=message.game_round,
        wild_rank=message.wild_rank,
        turn=message.turn,
        turn_cap=message.turn_cap,
        dealer=message.dealer,
        starter=message.starter,
        hand=cards_of_codes(message.hand),
        discard_pile=cards_of_codes(message.discard_pile),
        draw_pile_size=message.draw_pile_size,
        drawn=card_of_code(message.drawn_face) if is_discard else None,
        drawn_from=known(SOURCE_OF_WIRE, message.drawn_from, "draw source") if is_discard else None,
        went_out=message.went_out_seat if message.last_turn else None,
        went_out_hand=cards_of_codes(message.went_out_hand),
        hand_sizes=tuple(message.hand_sizes),
        totals=tuple(message.totals),
        events=tuple(map(_event_of, message.events)),
    )
    return DecisionRequest(
        game_id=message.game_id,
        decision_id=message.decision_id,
        view=view,
        deadline_ms=message.deadline_ms,
        bank_ms=message.bank_ms,
        last_latency_ms=message.last_latency_ms,
        last_fault=fault_of(message.last_fault) if message.HasField("last_fault") else None,
    )


def _solitaire_request_message(request: SolitaireRequest) -> bot_pb2.DecisionRequest:
    view = request.view
    return bot_pb2.DecisionRequest(
        game_id=request.game_id,
        decision_id=request.decision_id,
        kind=bot_pb2.DECISION_KIND_ADD,
        turn=request.turn,
        deadline_ms=request.deadline_ms,
        bank_ms=request.bank_ms,
        last_latency_ms=request.last_latency_ms,
        last_fault=None if request.last_fault is None else fault_message(request.last_fault),
        solitaire=bot_pb2.SolitaireView(
            variant=VARIANT_TO_WIRE[view.variant],
            piles=[bot_pb2.SolitairePile(cards=face_codes(pile.cards), closed=pile.is_closed) for pile in view.piles],
            turned_face=view.turned.code,
            can_refuse=view.can_refuse,
            cards_left=view.cards_left,
            discards=face_codes(view.discards),
        ),
    )


def _solitaire_request_of(message: bot_pb2.DecisionRequest) -> SolitaireRequest:
    table = message.solitaire
    view = SolitaireView(
        variant=known(VARIANT_OF_WIRE, table.variant, "solitaire variant"),
        piles=tuple(Pile(len(pile.cards), cards_of_codes(pile.cards), pile.closed) for pile in table.piles),
        turned=card_of_code(table.turned_face),
        can_refuse=table.can_refuse,
        cards_left=table.cards_left,
        discards=cards_of_codes(table.discards),
    )
    return SolitaireRequest(
        game_id=message.game_id,
        decision_id=message.decision_id,
        view=view,
        turn=message.turn,
        deadline_ms=message.deadline_ms,
        bank_ms=message.bank_ms,
        last_latency_ms=message.last_latency_ms,
        last_fault=fault_of(message.last_fault) if message.HasField("last_fault") else None,
    )


def _event_message(event: PublicEvent) -> bot_pb2.PublicEvent:
    match event:
        case Drew(seat, source, card):
            face = None if card is None else card.code
            return bot_pb2.PublicEvent(drew=bot_pb2.Drew(seat=seat, source=SOURCE_TO_WIRE[source], face=face))
        case Discarded(seat, card, went_out):
            return bot_pb2.PublicEvent(discarded=bot_pb2.Discarded(seat=seat, face=card.code, went_out=went_out))
        case Reshuffled(draw_pile_size):
            return bot_pb2.PublicEvent(reshuffled=bot_pb2.Reshuffled(draw_pile_size=draw_pile_size))
        case SeatRetired(seat):
            return bot_pb2.PublicEvent(retired=bot_pb2.Retired(seat=seat))


def _event_of(message: bot_pb2.PublicEvent) -> PublicEvent:
    match message.WhichOneof("event"):
        case "drew":
            drew = message.drew
            card = card_of_code(drew.face) if drew.HasField("face") else None
            return Drew(drew.seat, known(SOURCE_OF_WIRE, drew.source, "draw source"), card)
        case "discarded":
            discarded = message.discarded
            return Discarded(discarded.seat, card_of_code(discarded.face), discarded.went_out)
        case "reshuffled":
            return Reshuffled(message.reshuffled.draw_pile_size)
        case "retired":
            return SeatRetired(message.retired.seat)
        case _:
            raise CodecError("a public event of a kind not known here")


def _game_start_message(start: GameStart) -> bot_pb2.GameStart:
    return bot_pb2.GameStart(
        game_id=start.game_id,
        config=config_message(start.config, start.deal_mode),
        seat=start.seat,
        commitment=start.commitment,
        budgets=budgets_message(start.budgets),
        page_url=start.page_url,
    )


def _game_start_of(message: bot_pb2.GameStart) -> GameStart:
    config, deal_mode = config_of(message.config)
    return GameStart(
        game_id=message.game_id,
        config=config,
        deal_mode=deal_mode,
        seat=message.seat,
        commitment=message.commitment,
        budgets=budgets_of(message.budgets),
        page_url=message.page_url,
    )


def _round_start_message(start: RoundStart) -> bot_pb2.RoundStart:
    return bot_pb2.RoundStart(
        game_id=start.game_id,
        game_round=start.game_round,
        wild_rank=start.wild_rank,
        dealer=start.dealer,
        starter=start.starter,
        hand=face_codes(start.hand),
        upcard=start.upcard.code,
        players=start.players,
    )


def _round_start_of(message: bot_pb2.RoundStart) -> RoundStart:
    return RoundStart(
        game_id=message.game_id,
        game_round=message.game_round,
        wild_rank=message.wild_rank,
        dealer=message.dealer,
        starter=message.starter,
        hand=cards_of_codes(message.hand),
        upcard=card_of_code(message.upcard),
        players=tuple(message.players),
    )


def _round_end_message(end: RoundEnd) -> bot_pb2.RoundEnd:
    return bot_pb2.RoundEnd(
        game_id=end.game_id,
        scores=round_scores_message(end.scores),
        totals=end.totals,
        melds=meld_messages(end.layout.melds),
        leftover=face_codes(end.layout.leftover),
    )


def _round_end_of(message: bot_pb2.RoundEnd) -> RoundEnd:
    leftover = cards_of_codes(message.leftover)
    wild_rank = wild_rank_of(message.scores.game_round)
    layout = Layout(
        melds=tuple(cards_of_codes(meld.faces) for meld in message.melds),
        leftover=leftover,
        points=sum(card.points(wild_rank) for card in leftover),
    )
    return RoundEnd(message.game_id, round_scores_of(message.scores), tuple(message.totals), layout)


def _game_end_message(end: GameEnd) -> bot_pb2.GameEnd:
    return bot_pb2.GameEnd(
        game_id=end.game_id,
        reason=_END_TO_WIRE[end.reason],
        scores=None if end.scores is None else scores_message(end.scores),
        record_digest=end.record_digest,
    )


def _game_end_of(message: bot_pb2.GameEnd) -> GameEnd:
    return GameEnd(
        game_id=message.game_id,
        reason=known(_END_OF_WIRE, message.reason, "reason of the end"),
        scores=scores_of(message.scores) if message.HasField("scores") else None,
        record_digest=message.record_digest,
    )
