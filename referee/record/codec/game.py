"""Game values and their messages: faces, actions, budgets, faults, scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar, cast

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2
from referee.record.conditions import Budgets, Config, DealMode, Fault, FaultType, Format, GameScores, RoundScores
from referee.record.entries import Move
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CARDS, Card
from referee.rules.solitaire import Add, Refuse, Score, SolitaireConfig, Variant
from referee.rules.state import GameConfig

_Value = TypeVar("_Value")


class CodecError(ValueError):
    """A message that cannot be read as what it claims to be."""


def inverse(to_wire: Mapping[_Value, int]) -> dict[int, _Value]:
    return {wire: value for value, wire in to_wire.items()}


def known(table: Mapping[int, _Value], value: int, what: str) -> _Value:
    """The value of a wire number. Raises CodecError that names it if there is none."""
    if value not in table:
        raise CodecError(f"{what} {value} is not known: known are {', '.join(map(str, sorted(table)))}")
    return table[value]


SOURCE_TO_WIRE: Final = {Source.PILE: game_pb2.DRAW_SOURCE_PILE, Source.DISCARD: game_pb2.DRAW_SOURCE_DISCARD}
SOURCE_OF_WIRE: Final = inverse(SOURCE_TO_WIRE)
# The generated stubs know enum values as a type of their own, but `Value` as int: hence the casts.
_FAULT_TO_WIRE = {
    kind: cast("game_pb2.FaultType", game_pb2.FaultType.Value(f"FAULT_TYPE_{kind.value}")) for kind in FaultType
}
_FAULT_OF_WIRE = inverse(_FAULT_TO_WIRE)
_DEAL_MODE_TO_WIRE = {
    mode: cast("game_pb2.DealMode", game_pb2.DealMode.Value(f"DEAL_MODE_{mode.name}")) for mode in DealMode
}
_DEAL_MODE_OF_WIRE = inverse(_DEAL_MODE_TO_WIRE)
VARIANT_TO_WIRE: Final = {
    variant: cast("game_pb2.SolitaireVariant", game_pb2.SolitaireVariant.Value(f"SOLITAIRE_VARIANT_{variant.name}"))
    for variant in Variant
}
VARIANT_OF_WIRE: Final = inverse(VARIANT_TO_WIRE)
_FORMAT_TO_WIRE = {
    kind: cast("bot_pb2.GameFormat", bot_pb2.GameFormat.Value(f"GAME_FORMAT_{kind.name}")) for kind in Format
}
_FORMAT_OF_WIRE = inverse(_FORMAT_TO_WIRE)


def face_codes(cards: Iterable[Card]) -> list[int]:
    return [card.code for card in cards]


def card_of_code(code: int) -> Card:
    if not 0 <= code < len(CARDS):
        raise CodecError(f"face {code} does not exist: faces are 0..{len(CARDS) - 1}")
    return CARDS[code]


def cards_of_codes(codes: Iterable[int]) -> tuple[Card, ...]:
    return tuple(map(card_of_code, codes))


def config_message(config: Config, deal_mode: DealMode) -> game_pb2.GameConfig:
    message = game_pb2.GameConfig(seats=config.seats, turn_cap=config.turn_cap, deal_mode=_DEAL_MODE_TO_WIRE[deal_mode])
    if isinstance(config, SolitaireConfig):
        message.solitaire = VARIANT_TO_WIRE[config.variant]
    else:
        message.playoff = config.playoff
    return message


def config_of(message: game_pb2.GameConfig) -> tuple[Config, DealMode]:
    deal_mode = known(_DEAL_MODE_OF_WIRE, message.deal_mode, "deal mode")
    if message.solitaire:
        return _solitaire_config_of(message), deal_mode
    try:
        return GameConfig(message.seats, message.turn_cap, message.playoff), deal_mode
    except ValueError as error:
        raise CodecError(str(error)) from error


def _solitaire_config_of(message: game_pb2.GameConfig) -> SolitaireConfig:
    config = SolitaireConfig(known(VARIANT_OF_WIRE, message.solitaire, "solitaire variant"))
    if (message.seats, message.turn_cap) != (config.seats, config.turn_cap):
        raise CodecError(
            f"a solitaire has {config.seats} seat and {config.turn_cap} turns, not {message.seats} and {message.turn_cap}"
        )
    return config


def formats_message(formats: Iterable[Format]) -> list[bot_pb2.GameFormat]:
    return sorted(_FORMAT_TO_WIRE[kind] for kind in formats)


def formats_of(formats: Iterable[bot_pb2.GameFormat]) -> frozenset[Format]:
    """Those known here; a bot may be newer than this referee. None said: games at a table."""
    said = list(formats)
    if not said:
        return frozenset({Format.TABLE})
    return frozenset(_FORMAT_OF_WIRE[kind] for kind in said if kind in _FORMAT_OF_WIRE)


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
        type=known(_FAULT_OF_WIRE, message.type, "fault type"),
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
        players=scores.players,
    )


def round_scores_of(message: game_pb2.RoundScores) -> RoundScores:
    went_out = message.went_out_seat if message.has_went_out else None
    return RoundScores(message.game_round, tuple(message.scores), went_out, tuple(message.players))


def scores_message(scores: GameScores) -> game_pb2.GameScores:
    return game_pb2.GameScores(
        totals=scores.totals,
        places=scores.places,
        rounds=map(round_scores_message, scores.rounds),
        retired_in_round=scores.retired_in_round,
        solitaire=None if scores.solitaire is None else solitaire_score_message(scores.solitaire),
    )


def scores_of(message: game_pb2.GameScores) -> GameScores:
    return GameScores(
        totals=tuple(message.totals),
        places=tuple(message.places),
        rounds=tuple(map(round_scores_of, message.rounds)),
        retired_in_round=tuple(message.retired_in_round),
        solitaire=_solitaire_score_of(message.solitaire) if message.HasField("solitaire") else None,
    )


def solitaire_score_message(score: Score) -> game_pb2.SolitaireScore:
    return game_pb2.SolitaireScore(won=score.won, piles_closed=score.piles_closed, cards_used=score.cards_used)


def _solitaire_score_of(message: game_pb2.SolitaireScore) -> Score:
    return Score(message.won, message.piles_closed, message.cards_used)


def action_message(action: Move) -> game_pb2.Action:
    match action:
        case Draw():
            return game_pb2.Action(draw=draw_message(action))
        case Discard():
            return game_pb2.Action(discard=discard_message(action))
        case Add():
            return game_pb2.Action(add=add_message(action))
        case Refuse():
            return game_pb2.Action(refuse=game_pb2.Refuse())


def action_of(message: game_pb2.Action) -> Move:
    match message.WhichOneof("action"):
        case "draw":
            return draw_of(message.draw)
        case "discard":
            return discard_of(message.discard)
        case "add":
            return add_of(message.add)
        case "refuse":
            return Refuse()
        case _:
            raise CodecError("an action without a draw or a discard, an add or a refuse")


def draw_message(draw: Draw) -> game_pb2.Draw:
    return game_pb2.Draw(source=SOURCE_TO_WIRE[draw.source])


def draw_of(message: game_pb2.Draw) -> Draw:
    return Draw(known(SOURCE_OF_WIRE, message.source, "draw source"))


def discard_message(discard: Discard) -> game_pb2.Discard:
    return game_pb2.Discard(face=discard.card.code, go_out=discard.go_out)


def discard_of(message: game_pb2.Discard, melds: Sequence[game_pb2.Meld] = ()) -> Discard:
    claimed = tuple(cards_of_codes(meld.faces) for meld in melds) if melds else None
    return Discard(card_of_code(message.face), message.go_out, claimed if message.go_out else None)


def add_message(add: Add) -> game_pb2.Add:
    return game_pb2.Add(pile=add.pile, discard_face=add.discard.code)


def add_of(message: game_pb2.Add) -> Add:
    return Add(message.pile, card_of_code(message.discard_face))


def meld_messages(melds: Iterable[Sequence[Card]]) -> list[game_pb2.Meld]:
    return [game_pb2.Meld(faces=face_codes(meld)) for meld in melds]
