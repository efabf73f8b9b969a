"""The only place where domain values become protobuf and protobuf becomes domain values.

Reading says no at the edge: an unknown enum value, a missing choice or a number out of range raises `CodecError` that names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar, cast

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2, record_pb2
from referee.record.conditions import (
    Budgets,
    DealMode,
    Fault,
    FaultType,
    GameScores,
    RoundScores,
    SeatName,
)
from referee.record.entries import ActionEntry, Cause, Entry, Footer, Header, RetirementEntry, Seal
from referee.record.messages import (
    BotError,
    BotMessage,
    DecisionReply,
    DecisionRequest,
    GameEnd,
    GameEndReason,
    GameReady,
    GameStart,
    MalformedReply,
    RefereeMessage,
    Resign,
    RoundEnd,
    RoundStart,
)
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CARDS, Card
from referee.rules.events import Discarded, Drew, PublicEvent, Reshuffled, SeatRetired
from referee.rules.layout import Layout
from referee.rules.state import GameConfig, Phase
from referee.rules.views import SeatView

_Known = TypeVar("_Known")


class CodecError(ValueError):
    """A message that cannot be read as what it claims to be."""


# The generated stubs know enum values as a type of their own, but `Value` as int: hence the casts.
_SOURCE_TO_WIRE = {Source.PILE: game_pb2.DRAW_SOURCE_PILE, Source.DISCARD: game_pb2.DRAW_SOURCE_DISCARD}
_FAULT_TO_WIRE = {
    kind: cast("game_pb2.FaultType", game_pb2.FaultType.Value(f"FAULT_TYPE_{kind.value}")) for kind in FaultType
}
_DEAL_MODE_TO_WIRE = {
    mode: cast("game_pb2.DealMode", game_pb2.DealMode.Value(f"DEAL_MODE_{mode.name}")) for mode in DealMode
}
_CAUSE_TO_WIRE = {cause: cast("record_pb2.Cause", record_pb2.Cause.Value(f"CAUSE_{cause.name}")) for cause in Cause}
_END_TO_WIRE = {
    reason: cast("bot_pb2.GameEndReason", bot_pb2.GameEndReason.Value(f"GAME_END_REASON_{reason.name}"))
    for reason in GameEndReason
}
_PHASE_TO_WIRE = {Phase.DRAW: bot_pb2.DECISION_KIND_DRAW, Phase.DISCARD: bot_pb2.DECISION_KIND_DISCARD}


def _inverse(to_wire: Mapping[_Known, int]) -> dict[int, _Known]:
    return {wire: value for value, wire in to_wire.items()}


_SOURCE_OF_WIRE = _inverse(_SOURCE_TO_WIRE)
_FAULT_OF_WIRE = _inverse(_FAULT_TO_WIRE)
_DEAL_MODE_OF_WIRE = _inverse(_DEAL_MODE_TO_WIRE)
_CAUSE_OF_WIRE = _inverse(_CAUSE_TO_WIRE)
_END_OF_WIRE = _inverse(_END_TO_WIRE)
_PHASE_OF_WIRE = _inverse(_PHASE_TO_WIRE)


# -- game values -------------------------------------------------------------------------------------------------------


def face_codes(cards: Iterable[Card]) -> list[int]:
    return [card.code for card in cards]


def card_of_code(code: int) -> Card:
    if code >= len(CARDS):
        raise CodecError(f"face {code} does not exist: faces are 0..{len(CARDS) - 1}")
    return CARDS[code]


def cards_of_codes(codes: Iterable[int]) -> tuple[Card, ...]:
    return tuple(map(card_of_code, codes))


def config_message(config: GameConfig, deal_mode: DealMode) -> game_pb2.GameConfig:
    return game_pb2.GameConfig(seats=config.seats, turn_cap=config.turn_cap, deal_mode=_DEAL_MODE_TO_WIRE[deal_mode])


def config_of(message: game_pb2.GameConfig) -> tuple[GameConfig, DealMode]:
    deal_mode = _known(_DEAL_MODE_OF_WIRE, message.deal_mode, "deal mode")
    try:
        return GameConfig(message.seats, message.turn_cap), deal_mode
    except ValueError as error:
        raise CodecError(str(error)) from error


def budgets_message(budgets: Budgets) -> game_pb2.Budgets:
    return game_pb2.Budgets(
        start_ms=budgets.start_ms,
        decision_ms=budgets.decision_ms,
        bank_ms=budgets.bank_ms,
        thinking_ms=budgets.thinking_ms,
    )


def budgets_of(message: game_pb2.Budgets) -> Budgets:
    try:
        return Budgets(message.start_ms, message.decision_ms, message.bank_ms, message.thinking_ms)
    except ValueError as error:
        raise CodecError(str(error)) from error


def fault_message(fault: Fault) -> game_pb2.Fault:
    return game_pb2.Fault(
        type=_FAULT_TO_WIRE[fault.type],
        seat=fault.seat,
        game_round=fault.game_round,
        turn=fault.turn,
        decision_id=fault.decision_id,
        budget_ms=fault.budget_ms,
        used_ms=fault.used_ms,
        last_latencies_ms=fault.last_latencies_ms,
        detail=fault.detail,
        reply=fault.reply,
        retires=fault.retires,
    )


def fault_of(message: game_pb2.Fault) -> Fault:
    return Fault(
        type=_known(_FAULT_OF_WIRE, message.type, "fault type"),
        seat=message.seat,
        game_round=message.game_round,
        turn=message.turn,
        decision_id=message.decision_id,
        budget_ms=message.budget_ms,
        used_ms=message.used_ms,
        last_latencies_ms=tuple(message.last_latencies_ms),
        detail=message.detail,
        reply=message.reply,
        retires=message.retires,
    )


def round_scores_message(scores: RoundScores) -> game_pb2.RoundScores:
    return game_pb2.RoundScores(
        game_round=scores.game_round,
        scores=scores.scores,
        has_went_out=scores.went_out is not None,
        went_out_seat=scores.went_out or 0,
    )


def round_scores_of(message: game_pb2.RoundScores) -> RoundScores:
    went_out = message.went_out_seat if message.has_went_out else None
    return RoundScores(message.game_round, tuple(message.scores), went_out)


def scores_message(scores: GameScores) -> game_pb2.GameScores:
    return game_pb2.GameScores(
        totals=scores.totals,
        places=scores.places,
        rounds=map(round_scores_message, scores.rounds),
        retired_in_round=scores.retired_in_round,
    )


def scores_of(message: game_pb2.GameScores) -> GameScores:
    return GameScores(
        totals=tuple(message.totals),
        places=tuple(message.places),
        rounds=tuple(map(round_scores_of, message.rounds)),
        retired_in_round=tuple(message.retired_in_round),
    )


def action_message(action: Draw | Discard) -> game_pb2.Action:
    if isinstance(action, Draw):
        return game_pb2.Action(draw=_draw_message(action))
    return game_pb2.Action(discard=_discard_message(action))


def action_of(message: game_pb2.Action) -> Draw | Discard:
    kind = message.WhichOneof("action")
    if kind == "draw":
        return _draw_of(message.draw)
    if kind == "discard":
        return _discard_of(message.discard)
    raise CodecError("an action without a draw or a discard")


def _draw_message(draw: Draw) -> game_pb2.Draw:
    return game_pb2.Draw(source=_SOURCE_TO_WIRE[draw.source])


def _draw_of(message: game_pb2.Draw) -> Draw:
    return Draw(_known(_SOURCE_OF_WIRE, message.source, "draw source"))


def _discard_message(discard: Discard) -> game_pb2.Discard:
    return game_pb2.Discard(face=discard.card.code, go_out=discard.go_out)


def _discard_of(message: game_pb2.Discard, melds: Sequence[game_pb2.Meld] = ()) -> Discard:
    claimed = tuple(cards_of_codes(meld.faces) for meld in melds) if melds else None
    return Discard(card_of_code(message.face), message.go_out, claimed if message.go_out else None)


def _meld_messages(melds: Iterable[Sequence[Card]]) -> list[game_pb2.Meld]:
    return [game_pb2.Meld(faces=face_codes(meld)) for meld in melds]


def _known(table: dict[int, _Known], value: int, what: str) -> _Known:
    if value not in table:
        raise CodecError(f"{what} {value} is not known: known are {', '.join(map(str, sorted(table)))}")
    return table[value]


# -- the record --------------------------------------------------------------------------------------------------------


def header_entry(header: Header) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(
        header=record_pb2.RecordHeader(
            attempt_id=header.attempt_id,
            rules_version=header.rules_version,
            shuffle_version=header.shuffle_version,
            config=config_message(header.config, header.deal_mode),
            seats=[record_pb2.RecordSeat(bot=seat.bot, version=seat.version) for seat in header.seats],
            commitment=header.commitment,
            budgets=budgets_message(header.budgets),
            started_at_ms=header.started_at_ms,
        )
    )


def header_of(message: record_pb2.RecordHeader) -> Header:
    config, deal_mode = config_of(message.config)
    if len(message.seats) != config.seats:
        raise CodecError(f"the header names {len(message.seats)} seats, its game has {config.seats}")
    return Header(
        attempt_id=message.attempt_id,
        config=config,
        deal_mode=deal_mode,
        seats=tuple(SeatName(seat.bot, seat.version) for seat in message.seats),
        commitment=message.commitment,
        budgets=budgets_of(message.budgets),
        started_at_ms=message.started_at_ms,
        rules_version=message.rules_version,
        shuffle_version=message.shuffle_version,
    )


def record_entry(entry: Entry) -> record_pb2.RecordEntry:
    if isinstance(entry, RetirementEntry):
        retirement = record_pb2.RecordRetirement(seat=entry.seat, fault=fault_message(entry.fault), at_ms=entry.at_ms)
        return record_pb2.RecordEntry(retirement=retirement)
    return record_pb2.RecordEntry(
        action=record_pb2.RecordAction(
            seat=entry.seat,
            action=action_message(entry.action),
            cause=_CAUSE_TO_WIRE[entry.cause],
            at_ms=entry.at_ms,
            latency_ms=entry.latency_ms,
            fault=None if entry.fault is None else fault_message(entry.fault),
        )
    )


def entry_of(message: record_pb2.RecordEntry) -> Entry:
    if message.HasField("retirement"):
        retirement = message.retirement
        return RetirementEntry(retirement.seat, fault_of(retirement.fault), retirement.at_ms)
    action = message.action
    return ActionEntry(
        seat=action.seat,
        action=action_of(action.action),
        cause=_known(_CAUSE_OF_WIRE, action.cause, "cause"),
        at_ms=action.at_ms,
        latency_ms=action.latency_ms,
        fault=fault_of(action.fault) if action.HasField("fault") else None,
    )


def footer_entry(footer: Footer) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(
        footer=record_pb2.RecordFooter(scores=scores_message(footer.scores), ended_at_ms=footer.ended_at_ms)
    )


def footer_of(message: record_pb2.RecordFooter) -> Footer:
    return Footer(scores_of(message.scores), message.ended_at_ms)


def seal_entry(seal: Seal) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(
        seal=record_pb2.RecordSeal(
            head_digest=seal.head_digest, signature=seal.signature, public_key=seal.public_key, seed=seal.seed
        )
    )


def seal_of(message: record_pb2.RecordSeal) -> Seal:
    return Seal(message.head_digest, message.signature, message.public_key, message.seed)


# -- from the referee to a bot -----------------------------------------------------------------------------------------


def referee_message(message: RefereeMessage) -> bot_pb2.RefereeMessage:
    match message:
        case DecisionRequest():
            return bot_pb2.RefereeMessage(decision=_decision_request_message(message))
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
            return _decision_request_of(message.decision)
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
        drawn_from=None if view.drawn_from is None else _SOURCE_TO_WIRE[view.drawn_from],
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


def _decision_request_of(message: bot_pb2.DecisionRequest) -> DecisionRequest:
    phase = _known(_PHASE_OF_WIRE, message.kind, "decision kind")
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
        drawn_from=_known(_SOURCE_OF_WIRE, message.drawn_from, "draw source") if is_discard else None,
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


def _event_message(event: PublicEvent) -> bot_pb2.PublicEvent:
    match event:
        case Drew(seat, source, card):
            face = None if card is None else card.code
            return bot_pb2.PublicEvent(drew=bot_pb2.Drew(seat=seat, source=_SOURCE_TO_WIRE[source], face=face))
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
            return Drew(drew.seat, _known(_SOURCE_OF_WIRE, drew.source, "draw source"), card)
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
    )


def _round_end_message(end: RoundEnd) -> bot_pb2.RoundEnd:
    return bot_pb2.RoundEnd(
        game_id=end.game_id,
        scores=round_scores_message(end.scores),
        totals=end.totals,
        melds=_meld_messages(end.layout.melds),
        leftover=face_codes(end.layout.leftover),
    )


def _round_end_of(message: bot_pb2.RoundEnd) -> RoundEnd:
    leftover = cards_of_codes(message.leftover)
    wild_rank = message.scores.game_round + 2
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
        reason=_known(_END_OF_WIRE, message.reason, "reason of the end"),
        scores=scores_of(message.scores) if message.HasField("scores") else None,
        record_digest=message.record_digest,
    )


# -- from a bot to the referee -----------------------------------------------------------------------------------------


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
        draw=_draw_message(action) if isinstance(action, Draw) else None,
        discard=_discard_message(action) if isinstance(action, Discard) else None,
        then_discard=None if then is None else _discard_message(then),
        melds=_meld_messages(discard.melds) if discard is not None and discard.melds else (),
    )


def _decision_reply_of(message: bot_pb2.DecisionReply) -> DecisionReply | MalformedReply:
    try:
        return DecisionReply(message.game_id, message.decision_id, *_actions_of(message))
    except CodecError as error:
        return MalformedReply(message.game_id, message.decision_id, str(error), reply_text(message))


def _actions_of(message: bot_pb2.DecisionReply) -> tuple[Draw | Discard, Discard | None]:
    kind = message.WhichOneof("action")
    has_then = message.HasField("then_discard")
    if kind == "discard":
        if has_then:
            raise CodecError("then_discard comes with a draw, not with a discard")
        return _discard_of(message.discard, message.melds), None
    if kind != "draw":
        raise CodecError("a reply without a draw or a discard")
    draw = _draw_of(message.draw)
    if not has_then:
        return draw, None
    if draw.source is not Source.DISCARD:
        raise CodecError("then_discard comes only with a draw from the discard pile: the other card is not known yet")
    return draw, _discard_of(message.then_discard, message.melds)


def reply_text(message: bot_pb2.DecisionReply) -> str:
    """A reply as one line of text, for evidence."""
    return " ".join(str(message).split())
