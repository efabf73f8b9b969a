"""Domain values to messages and back; what cannot be read is named."""

from __future__ import annotations

from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivecrowns.bot.v1 import bot_pb2
from fivecrowns.game.v1 import game_pb2, record_pb2
from fivecrowns.referee.v1 import referee_pb2
from referee.record import codec
from referee.record.codec import CodecError, wire
from referee.record.conditions import Budgets, DealMode, Fault, FaultType, Format, GameScores, RoundScores, SeatName
from referee.record.entries import ActionEntry, Cause, Footer, Header, RetirementEntry, Seal
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
    SolitaireRequest,
)
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CARDS, JOKER, Card, parse_card
from referee.rules.events import Discarded, Drew, Reshuffled, SeatRetired
from referee.rules.layout import Layout
from referee.rules.solitaire import Add, Pile, Refuse, Score, SolitaireConfig, SolitaireView, Variant
from referee.rules.state import GameConfig, Phase
from referee.rules.views import SeatView

_Message = TypeVar("_Message")


def over_the_wire(message: _Message) -> _Message:
    return type(message).FromString(message.SerializeToString())


# -- any value there is ------------------------------------------------------------------------------------------------

NUMBERS = st.integers(0, (1 << 32) - 1)
SEATS = st.integers(0, 6)
ROUNDS = st.integers(1, 11)
TEXTS = st.text(max_size=30)
FACES = st.sampled_from(CARDS)
HANDS = st.lists(FACES, max_size=14).map(tuple)
MELDS = st.lists(st.lists(FACES, min_size=3, max_size=5).map(tuple), min_size=1, max_size=4).map(tuple)
DISCARDS = st.one_of(
    st.builds(Discard, FACES),
    st.builds(Discard, FACES, st.just(True), st.one_of(st.none(), MELDS)),
)
DRAWS = st.builds(Draw, st.sampled_from(Source))
SOLITAIRE_ACTIONS = st.one_of(st.builds(Add, NUMBERS, FACES), st.just(Refuse()))
ACTIONS = st.one_of(DRAWS, DISCARDS, SOLITAIRE_ACTIONS)
RECORDED = st.one_of(DRAWS, st.builds(Discard, FACES, st.booleans()), SOLITAIRE_ACTIONS)
VARIANTS = st.sampled_from(Variant)
CONFIGS = st.one_of(st.builds(GameConfig, st.integers(2, 7), st.integers(1, 200)), st.builds(SolitaireConfig, VARIANTS))
MODES = st.sampled_from(DealMode)
BUDGETS = st.builds(
    Budgets, st.integers(1, 1 << 31), st.integers(1, 1 << 31), st.integers(0, 1 << 31), st.integers(1, 1 << 31)
)
FAULTS = st.builds(
    Fault,
    st.sampled_from(FaultType),
    SEATS,
    ROUNDS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.lists(NUMBERS, max_size=3).map(tuple),
    TEXTS,
    TEXTS,
    st.booleans(),
)
ROUND_SCORES = st.builds(RoundScores, ROUNDS, st.lists(NUMBERS, max_size=7).map(tuple), st.one_of(st.none(), SEATS))
NUMBERS_PER_SEAT = st.lists(st.integers(0, 5_000), max_size=7).map(tuple)
SCORES = st.builds(
    GameScores,
    NUMBERS_PER_SEAT,
    NUMBERS_PER_SEAT,
    st.lists(ROUND_SCORES, max_size=11).map(tuple),
    NUMBERS_PER_SEAT,
    st.one_of(st.none(), st.builds(Score, st.booleans(), st.integers(0, 11), st.integers(0, 28))),
)
EVENTS = st.one_of(
    st.builds(Drew, SEATS, st.just(Source.PILE), st.none()),
    st.builds(Drew, SEATS, st.just(Source.DISCARD), FACES),
    st.builds(Discarded, SEATS, FACES, st.booleans()),
    st.builds(Reshuffled, NUMBERS),
    st.builds(SeatRetired, SEATS),
)


@st.composite
def seat_views(draw: st.DrawFn) -> SeatView:
    seats = draw(st.integers(2, 7))
    phase = draw(st.sampled_from([Phase.DRAW, Phase.DISCARD]))
    has_drawn, is_last = phase is Phase.DISCARD, draw(st.booleans())
    return SeatView(
        seat=draw(st.integers(0, seats - 1)),
        seats=seats,
        phase=phase,
        game_round=draw(ROUNDS),
        wild_rank=draw(st.integers(3, 13)),
        turn=draw(st.integers(1, 400)),
        turn_cap=draw(st.integers(1, 200)),
        dealer=draw(st.integers(0, seats - 1)),
        starter=draw(st.integers(0, seats - 1)),
        hand=draw(HANDS),
        discard_pile=draw(HANDS),
        draw_pile_size=draw(st.integers(0, 115)),
        drawn=draw(FACES) if has_drawn else None,
        drawn_from=draw(st.sampled_from(Source)) if has_drawn else None,
        went_out=draw(st.integers(0, seats - 1)) if is_last else None,
        went_out_hand=draw(HANDS) if is_last else (),
        hand_sizes=tuple(draw(st.lists(st.integers(3, 14), min_size=seats, max_size=seats))),
        totals=tuple(draw(st.lists(st.integers(0, 5_000), min_size=seats, max_size=seats))),
        events=tuple(draw(st.lists(EVENTS, max_size=8))),
    )


PILES = st.lists(FACES, min_size=3, max_size=13).flatmap(
    lambda cards: st.builds(Pile, st.just(len(cards)), st.just(tuple(cards)), st.booleans())
)
SOLITAIRE_VIEWS = st.builds(
    SolitaireView,
    VARIANTS,
    st.lists(PILES, max_size=11).map(tuple),
    FACES,
    st.booleans(),
    st.integers(0, 28),
    HANDS,
)


@st.composite
def round_ends(draw: st.DrawFn) -> RoundEnd:
    scores, leftover = draw(ROUND_SCORES), draw(HANDS)
    points = sum(card.points(scores.game_round + 2) for card in leftover)
    return RoundEnd(draw(TEXTS), scores, draw(NUMBERS_PER_SEAT), Layout(draw(MELDS), leftover, points))


REFEREE_MESSAGES = st.one_of(
    st.builds(
        DecisionRequest,
        TEXTS,
        NUMBERS,
        seat_views(),
        NUMBERS,
        NUMBERS,
        NUMBERS,
        st.one_of(st.none(), FAULTS),
    ),
    st.builds(SolitaireRequest, TEXTS, NUMBERS, SOLITAIRE_VIEWS, *[NUMBERS] * 4, st.one_of(st.none(), FAULTS)),
    st.builds(GameStart, TEXTS, CONFIGS, MODES, SEATS, st.binary(max_size=32), BUDGETS, TEXTS),
    st.builds(RoundStart, TEXTS, ROUNDS, st.integers(3, 13), SEATS, SEATS, HANDS, FACES),
    round_ends(),
    st.builds(GameEnd, TEXTS, st.sampled_from(GameEndReason), st.one_of(st.none(), SCORES), st.binary(max_size=32)),
)
BOT_MESSAGES = st.one_of(
    st.builds(DecisionReply, TEXTS, NUMBERS, ACTIONS),
    st.builds(DecisionReply, TEXTS, NUMBERS, st.just(Draw(Source.DISCARD)), DISCARDS),
    st.builds(GameReady, TEXTS),
    st.builds(Resign, TEXTS),
    st.builds(BotError, TEXTS, NUMBERS, TEXTS),
)


@given(REFEREE_MESSAGES)
@settings(max_examples=150)
def test_what_the_referee_says_is_what_the_bot_hears(message: RefereeMessage) -> None:
    assert codec.referee_message_of(over_the_wire(codec.referee_message(message))) == message


@given(st.lists(REFEREE_MESSAGES, max_size=3))
@settings(max_examples=150)
def test_the_bytes_put_together_by_hand_are_those_of_protobuf(messages: list[RefereeMessage]) -> None:
    for message in messages:
        assert codec.referee_bytes(message) == codec.referee_message(message).SerializeToString()
    frame = bot_pb2.PlayResponse(messages=map(codec.referee_message, messages))
    assert codec.play_response(map(codec.referee_bytes, messages)) == frame.SerializeToString()


@given(st.integers(0, (1 << 64) - 1))
def test_numbers_on_the_wire(value: int) -> None:
    assert referee_pb2.SyncRequest(revision=value).SerializeToString() == wire.number(wire.number_key(1), value)


@given(BOT_MESSAGES)
def test_what_the_bot_says_is_what_the_referee_hears(message: BotMessage) -> None:
    assert codec.bot_message_of(over_the_wire(codec.bot_message(message))) == message


@given(
    st.one_of(
        st.builds(ActionEntry, SEATS, RECORDED, st.sampled_from(Cause), NUMBERS, NUMBERS, st.one_of(st.none(), FAULTS)),
        st.builds(RetirementEntry, SEATS, FAULTS, NUMBERS),
    )
)
def test_entries_of_a_record(entry: ActionEntry | RetirementEntry) -> None:
    message = codec.record_entry(entry)
    assert codec.entry_of(over_the_wire(message)) == entry
    assert codec.record_entry_bytes(entry) == message.SerializeToString()


@st.composite
def headers(draw: st.DrawFn) -> Header:
    config = draw(CONFIGS)
    seats = tuple(SeatName(draw(TEXTS), draw(TEXTS)) for _ in range(config.seats))
    started_at_ms = draw(st.integers(0, 1 << 45))
    return Header(
        draw(TEXTS), config, draw(MODES), seats, draw(st.binary(max_size=32)), draw(BUDGETS), started_at_ms, 1, 1
    )


@given(headers(), st.builds(Footer, SCORES, NUMBERS))
def test_head_and_foot_of_a_record(header: Header, footer: Footer) -> None:
    assert codec.header_of(over_the_wire(codec.header_entry(header)).header) == header
    assert codec.footer_of(over_the_wire(codec.footer_entry(footer)).footer) == footer


@given(st.builds(Seal, *[st.binary(max_size=64)] * 4))
def test_the_seal_of_a_record(seal: Seal) -> None:
    assert codec.seal_of(over_the_wire(codec.seal_entry(seal)).seal) == seal


# -- faces and enums ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"), [("3s", 0), ("Ks", 10), ("3h", 11), ("Td", 29), ("5c", 35), ("K*", 54), ("JK", 55)]
)
def test_faces_on_the_wire(text: str, code: int) -> None:
    """suit * 11 + rank - 3, spades, hearts, diamonds, clubs, stars; a joker is 55."""
    assert codec.face_codes([parse_card(text)]) == [code]
    assert codec.card_of_code(code) is parse_card(text)


@pytest.mark.parametrize("code", [56, 57, 99, (1 << 32) - 1, -1])
def test_no_other_face_exists(code: int) -> None:
    with pytest.raises(CodecError, match=rf"face {code} does not exist"):
        codec.card_of_code(code)


@pytest.mark.parametrize(
    ("enum", "prefix", "kinds"),
    [
        (game_pb2.FaultType, "FAULT_TYPE_", FaultType),
        (game_pb2.DealMode, "DEAL_MODE_", DealMode),
        (game_pb2.DrawSource, "DRAW_SOURCE_", Source),
        (record_pb2.Cause, "CAUSE_", Cause),
        (bot_pb2.GameEndReason, "GAME_END_REASON_", GameEndReason),
        (game_pb2.SolitaireVariant, "SOLITAIRE_VARIANT_", Variant),
        (bot_pb2.GameFormat, "GAME_FORMAT_", Format),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_kind_of_the_schema_is_known(enum: object, prefix: str, kinds: type) -> None:
    known = {name.removeprefix(prefix) for name, _ in enum.items()}
    assert known == {"UNSPECIFIED"} | {kind.name for kind in kinds}


REQUEST = codec.referee_message(
    DecisionRequest(
        "g",
        1,
        SeatView(
            seat=0,
            seats=2,
            phase=Phase.DISCARD,
            game_round=1,
            wild_rank=3,
            turn=1,
            turn_cap=40,
            dealer=1,
            starter=0,
            hand=(JOKER,) * 4,
            discard_pile=(CARDS[5],),
            draw_pile_size=100,
            drawn=JOKER,
            drawn_from=Source.PILE,
            went_out=1,
            went_out_hand=CARDS[:3],
            hand_sizes=(4, 3),
            totals=(0, 0),
            events=(Drew(1, Source.DISCARD, CARDS[7]), Discarded(1, CARDS[8], True)),
        ),
        1,
        1,
        1,
        Fault(FaultType.ILLEGAL, 0, 1, 1, 1, 0, 0, (), ""),
    )
)


def changed_request(**changes: object) -> bot_pb2.RefereeMessage:
    message = bot_pb2.RefereeMessage()
    message.CopyFrom(REQUEST)
    for name, value in changes.items():
        field = getattr(message.decision, name)
        if isinstance(value, list):
            del field[:]
            field.extend(value)
        elif isinstance(value, int):
            setattr(message.decision, name, value)
        else:
            field.CopyFrom(value)
    return message


@pytest.mark.parametrize(
    ("message", "names"),
    [
        pytest.param(changed_request(kind=0), "decision kind 0", id="no kind of decision"),
        pytest.param(changed_request(kind=7), "decision kind 7", id="an unknown kind of decision"),
        pytest.param(changed_request(drawn_from=0), "draw source 0", id="drawn from nowhere"),
        pytest.param(changed_request(drawn_from=9), "draw source 9", id="drawn from an unknown source"),
        pytest.param(changed_request(hand=[3, 56]), "face 56", id="a face in the hand"),
        pytest.param(changed_request(discard_pile=[99]), "face 99", id="a face in the discard pile"),
        pytest.param(changed_request(went_out_hand=[77]), "face 77", id="a face in the open hand"),
        pytest.param(changed_request(drawn_face=60), "face 60", id="the drawn face"),
        pytest.param(changed_request(events=[bot_pb2.PublicEvent()]), "public event", id="an event of no kind"),
        pytest.param(
            changed_request(events=[bot_pb2.PublicEvent(drew=bot_pb2.Drew(seat=1, source=5))]),
            "draw source 5",
            id="an event with an unknown source",
        ),
        pytest.param(
            changed_request(events=[bot_pb2.PublicEvent(discarded=bot_pb2.Discarded(seat=1, face=56))]),
            "face 56",
            id="an event with an unknown face",
        ),
        pytest.param(changed_request(last_fault=game_pb2.Fault(type=12)), "fault type 12", id="an unknown fault"),
        pytest.param(changed_request(last_fault=game_pb2.Fault()), "fault type 0", id="a fault of no kind"),
        pytest.param(
            bot_pb2.RefereeMessage(round_start=bot_pb2.RoundStart(hand=[56])), "face 56", id="a face of a new hand"
        ),
        pytest.param(
            bot_pb2.RefereeMessage(round_start=bot_pb2.RoundStart(upcard=56)), "face 56", id="the face of an upcard"
        ),
        pytest.param(
            bot_pb2.RefereeMessage(round_end=bot_pb2.RoundEnd(leftover=[56])), "face 56", id="a face left over"
        ),
        pytest.param(
            bot_pb2.RefereeMessage(round_end=bot_pb2.RoundEnd(melds=[game_pb2.Meld(faces=[56])])),
            "face 56",
            id="a melded face",
        ),
        pytest.param(bot_pb2.RefereeMessage(game_end=bot_pb2.GameEnd()), "end 0", id="an end without a reason"),
        pytest.param(bot_pb2.RefereeMessage(game_end=bot_pb2.GameEnd(reason=8)), "end 8", id="an unknown reason"),
        pytest.param(bot_pb2.RefereeMessage(game_start=bot_pb2.GameStart()), "deal mode 0", id="no deal mode"),
        pytest.param(
            bot_pb2.RefereeMessage(
                game_start=bot_pb2.GameStart(config=game_pb2.GameConfig(seats=15, turn_cap=40, deal_mode=1))
            ),
            "15",
            id="fifteen seats",
        ),
        pytest.param(
            bot_pb2.RefereeMessage(
                game_start=bot_pb2.GameStart(config=game_pb2.GameConfig(seats=2, turn_cap=0, deal_mode=1))
            ),
            "0",
            id="no turns",
        ),
        pytest.param(
            bot_pb2.RefereeMessage(
                game_start=bot_pb2.GameStart(config=game_pb2.GameConfig(seats=2, turn_cap=1, deal_mode=1))
            ),
            "start_ms is 0",
            id="no budgets",
        ),
        pytest.param(bot_pb2.RefereeMessage(), "not about a game", id="an empty message"),
        pytest.param(bot_pb2.RefereeMessage(ping=bot_pb2.Ping(number=1)), "ping is not about a game", id="a ping"),
        pytest.param(bot_pb2.RefereeMessage(welcome=bot_pb2.Welcome()), "welcome", id="a welcome"),
    ],
)
def test_a_message_to_a_bot_that_cannot_be_read(message: bot_pb2.RefereeMessage, names: str) -> None:
    with pytest.raises(CodecError, match=names):
        codec.referee_message_of(over_the_wire(message))


def decision(**fields: object) -> bot_pb2.BotMessage:
    return bot_pb2.BotMessage(decision=bot_pb2.DecisionReply(game_id="g", decision_id=7, **fields))


UP, PILE = game_pb2.Draw(source=game_pb2.DRAW_SOURCE_DISCARD), game_pb2.Draw(source=game_pb2.DRAW_SOURCE_PILE)


@pytest.mark.parametrize(
    ("message", "problem", "reply"),
    [
        pytest.param(decision(), "without a draw or a discard", "decision_id: 7", id="no action"),
        pytest.param(decision(draw=game_pb2.Draw()), "draw source 0", "draw", id="a draw from nowhere"),
        pytest.param(decision(draw=game_pb2.Draw(source=9)), "draw source 9", "source: 9", id="an unknown source"),
        pytest.param(decision(discard=game_pb2.Discard(face=56)), "face 56", "face: 56", id="face 56"),
        pytest.param(
            decision(discard=game_pb2.Discard(face=(1 << 32) - 1)), "face 4294967295", "4294967295", id="a huge face"
        ),
        pytest.param(
            decision(discard=game_pb2.Discard(face=3, go_out=True), melds=[game_pb2.Meld(faces=[1, 2, 60])]),
            "face 60",
            "60",
            id="a face in a claim",
        ),
        pytest.param(
            decision(draw=PILE, then_discard=game_pb2.Discard(face=3)), "then_discard", "then_discard", id="blind"
        ),
        pytest.param(
            decision(discard=game_pb2.Discard(face=3), then_discard=game_pb2.Discard(face=4)),
            "then_discard",
            "then_discard",
            id="two discards",
        ),
        pytest.param(
            decision(draw=UP, then_discard=game_pb2.Discard(face=56)), "face 56", "56", id="a face that follows"
        ),
        pytest.param(
            decision(then_discard=game_pb2.Discard(face=5)), "without a draw", "then_discard", id="only what follows"
        ),
    ],
)
def test_a_reply_that_is_no_action_is_a_fault_of_one_decision(
    message: bot_pb2.BotMessage, problem: str, reply: str
) -> None:
    heard = codec.bot_message_of(over_the_wire(message))
    assert isinstance(heard, MalformedReply)
    assert (heard.game_id, heard.decision_id) == ("g", 7)
    assert problem in heard.problem
    assert reply in heard.reply
    assert "\n" not in heard.reply


def test_no_melds_are_not_empty_melds() -> None:
    """Without them the referee finds them."""
    heard = codec.bot_message_of(decision(discard=game_pb2.Discard(face=3, go_out=True)))
    assert heard == DecisionReply("g", 7, Discard(CARDS[3], True, None))


def test_melds_without_going_out_claim_nothing() -> None:
    heard = codec.bot_message_of(decision(discard=game_pb2.Discard(face=3), melds=[game_pb2.Meld(faces=[1, 2, 3])]))
    assert heard == DecisionReply("g", 7, Discard(CARDS[3]))


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(bot_pb2.BotMessage(), id="an empty message"),
        pytest.param(bot_pb2.BotMessage(hello=bot_pb2.Hello(sdk="x")), id="a hello"),
        pytest.param(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=1)), id="a pong"),
    ],
)
def test_what_is_not_about_a_game(message: bot_pb2.BotMessage) -> None:
    with pytest.raises(CodecError, match="not about a game"):
        codec.bot_message_of(message)


def test_a_malformed_reply_is_never_sent() -> None:
    with pytest.raises(CodecError, match="received"):
        codec.bot_message(MalformedReply("g", 1, "", ""))


def test_unknown_fields_from_a_newer_bot_are_ignored() -> None:
    data = decision(draw=PILE).SerializeToString() + b"\x9a\x06\x01x"
    assert codec.bot_message_of(bot_pb2.BotMessage.FromString(data)) == DecisionReply("g", 7, Draw(Source.PILE))


HEADER = Header("a", GameConfig(3), DealMode.FIELD, (SeatName("b", "1"),) * 3, b"", Budgets(), 0, 1, 1)


def header_message(**changes: object) -> record_pb2.RecordHeader:
    message = codec.header_entry(HEADER).header
    for name, value in changes.items():
        getattr(message, name).CopyFrom(value)
    return message


@pytest.mark.parametrize(
    ("message", "names"),
    [
        pytest.param(
            header_message(config=game_pb2.GameConfig(seats=2, turn_cap=1, deal_mode=1)), "3 seats", id="seats"
        ),
        pytest.param(header_message(config=game_pb2.GameConfig(seats=1, turn_cap=1, deal_mode=1)), "1", id="one seat"),
        pytest.param(header_message(config=game_pb2.GameConfig(seats=3, turn_cap=1, deal_mode=6)), "mode 6", id="mode"),
        pytest.param(
            header_message(budgets=game_pb2.Budgets(start_ms=1, decision_ms=1)), "thinking_ms is 0", id="time"
        ),
    ],
)
def test_a_header_that_cannot_be_read(message: record_pb2.RecordHeader, names: str) -> None:
    with pytest.raises(CodecError, match=names):
        codec.header_of(message)


def entry(**fields: object) -> record_pb2.RecordEntry:
    return record_pb2.RecordEntry(action=record_pb2.RecordAction(cause=1, **fields))


@pytest.mark.parametrize(
    ("message", "names"),
    [
        pytest.param(entry(), "without a draw or a discard", id="no action"),
        pytest.param(entry(action=game_pb2.Action(draw=game_pb2.Draw(source=4))), "draw source 4", id="source"),
        pytest.param(entry(action=game_pb2.Action(discard=game_pb2.Discard(face=58))), "face 58", id="face"),
        pytest.param(
            record_pb2.RecordEntry(action=record_pb2.RecordAction(action=game_pb2.Action(draw=PILE))),
            "cause 0",
            id="no cause",
        ),
        pytest.param(
            record_pb2.RecordEntry(retirement=record_pb2.RecordRetirement(seat=1)), "fault type 0", id="no fault"
        ),
        pytest.param(
            entry(action=game_pb2.Action(draw=PILE), fault=game_pb2.Fault(type=99)), "fault type 99", id="fault"
        ),
    ],
)
def test_an_entry_that_cannot_be_read(message: record_pb2.RecordEntry, names: str) -> None:
    with pytest.raises(CodecError, match=names):
        codec.entry_of(message)


def test_a_reply_as_evidence() -> None:
    card: Card = parse_card("Kh")
    message = codec.bot_message(DecisionReply("g", 7, Discard(card, True, ((card,) * 3,))))
    assert codec.reply_text(message.decision).startswith('game_id: "g" decision_id: 7')
