"""The fold from events to tables, against the rules' own bookkeeping and against what the referee shows each viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser

from referee.record.conditions import FaultType
from referee.record.transcript import ALL, PUBLIC, Viewer
from tests.web.viewer.samples import replay_of
from tests.web.viewer.showcase import TROUBLES

pytestmark = pytest.mark.browser

GAMES: dict[str, dict[str, Any]] = {
    "two seats": {"seats": 2, "number": 2},
    "four seats": {"seats": 4},
    "seven seats": {"seats": 7},
    "reshuffles": {"seats": 7, "number": 3, "carelessness": 1.0, "turn_cap": 6},
    "faults and a retirement": {"seats": 4, "number": 4, **TROUBLES},
    "early end": {"seats": 2, "number": 9, "retire_at": {40: FaultType.RESIGN}},
}
DECK = 116


@cache
def played(name: str, viewer: Viewer = ALL) -> dict[str, Any]:
    return replay_of(viewer=viewer, **GAMES[name])


@pytest.fixture(scope="module")
def run(browser: Browser, address: str) -> Iterator[Callable[..., Any]]:
    """`run(script, argument)` with the viewer's modules in scope as `state`, `views`, `faces`, `jumps`, `link`."""
    names = ("state", "views", "faces", "jumps", "link")
    imports = "".join(f"const {name} = await import('/static/js/replay/{name}.js');" for name in names)
    with browser.new_context(base_url=address) as context:
        page = context.new_page()
        page.goto("/blank")
        yield lambda script, argument=None: page.evaluate(f"async (given) => {{ {imports} {script} }}", argument)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1])
def test_every_card_is_in_one_place_after_every_event(run: Callable[..., Any], name: str, viewer: Viewer) -> None:
    tables = run(
        """return state.history(given).slice(1).map((table) => {
            const ids = [...table.hands.flat(), ...table.discards].map((card) => card.id);
            return [ids.length + table.pile, ids.length - new Set(ids).size];
        });""",
        played(name, viewer),
    )
    assert tables == [[DECK, 0]] * len(tables)


@pytest.mark.parametrize("name", GAMES)
def test_the_table_is_the_referee_s_at_every_end_of_a_round(run: Callable[..., Any], name: str) -> None:
    game = played(name)
    told = [event for event in game["events"] if event["type"] == "round_end"]
    shown = run(
        """return state.history(given).filter((table) => table.phase === "scored").map((table) => ({
            hands: table.hands.map((hand) => hand.map((card) => card.face).sort()),
            totals: table.totals, out: table.out, scores: table.points, sheet: table.sheet.length }));""",
        game,
    )
    assert shown == [
        {
            "hands": [sorted(chain(*layout["melds"], layout["leftover"])) for layout in event["layouts"]],
            "totals": event["totals"],
            "out": event["went_out"],
            "scores": event["scores"],
            "sheet": number,
        }
        for number, event in enumerate(told, start=1)
    ]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1])
def test_a_view_of_all_hands_shows_what_the_referee_shows_that_viewer(
    run: Callable[..., Any], name: str, viewer: Viewer
) -> None:
    """The page hides what it knows; the transcript for that viewer never held it. Both must look the same."""
    script = """return state.history(given.game).map((table) => table.hands.map((hand, seat) =>
        hand.map((card) => views.seenFace(table, given.view, seat, card) ?? "?").sort().join(" ")));"""
    hidden, redacted = (run(script, {"game": played(name, source), "view": str(viewer)}) for source in (ALL, viewer))
    assert hidden == redacted


def test_the_samples_have_every_type_of_event() -> None:
    types = {event["type"] for name in GAMES for event in played(name)["events"]}
    assert types == {"round_start", "draw", "discard", "reshuffle", "fault", "retire", "round_end", "game_end"}


def test_tables_are_never_changed(run: Callable[..., Any]) -> None:
    game = played("faults and a retirement")
    assert run(
        """const freeze = (value) => {
            if (value && typeof value === "object" && !Object.isFrozen(value)) {
                Object.freeze(value);
                Object.values(value).forEach(freeze);
            }
            return value;
        };
        let table = freeze(state.start(given.seats.length));
        for (const event of freeze(given.events)) table = freeze(state.apply(table, event));
        return table.event;""",
        game,
    ) == len(game["events"])


START = {
    "type": "round_start",
    "round": 1,
    "wild": 3,
    "dealer": 0,
    "starter": 1,
    "hands": [["4h", "5h", "6h"], ["Kd", "Kc", "JK"]],
    "upcard": "8c",
    "pile": 1,
}
PILE = {"type": "draw", "seat": 1, "turn": 1, "source": "pile", "card": "9s"}
THROW = {"type": "discard", "seat": 1, "turn": 1, "card": "9s", "go_out": False}
NEXT = {"type": "draw", "seat": 0, "turn": 2, "source": "pile", "card": "9s"}
END = {"type": "round_end", "round": 1, "went_out": None, "scores": [0, 0], "totals": [0, 0]}


def laid(*cards: str) -> dict[str, Any]:
    return {"melds": [list(cards)], "leftover": [], "points": 0}


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([START, {"type": "shout"}], 'event 2: unknown type "shout"'),
        ([START, PILE, {**THROW, "card": "3h"}], "event 3: seat 1 throws 3h, which it does not hold"),
        ([START, PILE, THROW, NEXT], "event 4: seat 0 draws from an empty pile"),
        (
            [START, {**PILE, "source": "discard", "card": "9s"}],
            "event 2: seat 1 takes 9s, but 8c lies on top",
        ),
        (
            [START, PILE, THROW, {**END, "layouts": [laid("4h", "5h", "7h"), laid("Kd", "Kc", "JK")]}],
            "event 4: seat 0 lays out 4h 5h 7h but holds 4h 5h 6h",
        ),
    ],
    ids=["type", "not held", "empty pile", "other upcard", "other layout"],
)
def test_an_event_that_does_not_fit_is_named(run: Callable[..., Any], events: list[Any], message: str) -> None:
    said = run(
        "try { state.history({seats: [{}, {}], events: given}); } catch (error) { return error.message; }", events
    )
    assert said == message


@pytest.mark.parametrize(
    ("hand", "drawn", "thrown", "kept"),
    [
        (["4h", "4h", "6h"], "7s", "4h", [1, 2, "drawn"]),
        (["4h", "5h", "6h"], "4h", "4h", [0, 1, 2]),
        ([None, None, None], None, "4h", [1, 2, "drawn"]),
        (["4h", "5h", "6h"], "7s", "7s", [0, 1, 2]),
    ],
    ids=["first of two", "the drawn one of two", "an unseen card before the unseen drawn one", "as drawn"],
)
def test_which_copy_is_thrown(
    run: Callable[..., Any], hand: list[str | None], drawn: str | None, thrown: str, kept: list[Any]
) -> None:
    start = {**START, "hands": [hand, hand], "starter": 0}
    events = [start, {**PILE, "seat": 0, "card": drawn}, {**THROW, "seat": 0, "card": thrown}]
    ids = run("return state.history({seats: [{}, {}], events: given}).at(-1).hands[0].map((card) => card.id);", events)
    assert ids == [7 if place == "drawn" else place for place in kept]


@pytest.mark.parametrize(
    ("meld", "wild", "reading"),
    [
        ("7h 8h 9h", 3, "7h 8h 9h"),
        ("9h 7h 8h", 3, "7h 8h 9h"),
        ("7h JK 9h", 3, "7h JK=8h 9h"),
        ("7h 9h JK", 3, "7h JK=8h 9h"),
        ("JK 8h 9h", 3, "JK=7h 8h 9h"),
        ("Qh Kh JK", 3, "JK=Jh Qh Kh"),
        ("3h 4h JK JK", 5, "3h 4h JK=5h JK=6h"),
        ("4h 5h 6h", 5, "4h 5h 6h"),
        ("4h 5s 6h", 5, "4h 5s=5h 6h"),
        ("6h 5s 5h 4h", 5, "4h 5h 6h 5s=7h"),
        ("Ts Th JK", 3, "Ts Th JK=T"),
        ("Ks Ks Kh 4d", 4, "Ks Ks Kh 4d=K"),
        ("9c JK JK", 3, "9c JK=9 JK=9"),
        ("JK JK 3h", 3, "JK JK 3h"),
    ],
)
def test_how_a_meld_is_read(run: Callable[..., Any], meld: str, wild: int, reading: str) -> None:
    read = run("return faces.readMeld(given[0], given[1]).cards;", [meld.split(), wild])
    assert " ".join(card["face"] + (f"={card['as']}" if card["as"] else "") for card in read) == reading


@pytest.mark.parametrize(
    ("face", "wild", "stands_for", "name"),
    [
        ("7*", 3, None, "7 of stars"),
        ("3c", 3, None, "3 of clubs, wild"),
        ("JK", 3, "9h", "Joker, wild, as 9 of hearts"),
        ("JK", 3, "K", "Joker, wild, as king"),
        ("Td", 4, None, "10 of diamonds"),
        ("Qs", 12, None, "queen of spades, wild"),
        (None, 3, None, "face-down card"),
    ],
)
def test_what_a_card_is_called(
    run: Callable[..., Any], face: str | None, wild: int, stands_for: str | None, name: str
) -> None:
    assert run("return faces.cardName(...given);", [face, wild, stands_for]) == name


EVENTS = [
    ("round_start", None),
    *[(kind, seat) for seat in (1, 2, 0, 1) for kind in ("draw", "discard")],
    ("round_end", None),
    ("round_start", None),
    ("draw", 2),
    ("discard", 2),
    ("game_end", None),
]


@pytest.mark.parametrize(
    ("jump", "at", "step", "to"),
    [
        ("cycle", 1, 1, 3),
        ("cycle", 2, 1, 8),
        ("cycle", 3, 1, 9),
        ("cycle", 8, 1, 10),
        ("cycle", 9, -1, 3),
        ("cycle", 5, -1, 1),
        ("cycle", 14, 1, 14),
        ("round", 1, 1, 11),
        ("round", 11, 1, 14),
        ("round", 13, -1, 11),
        ("round", 11, -1, 1),
        ("round", 1, -1, 1),
    ],
)
def test_where_a_jump_leads(run: Callable[..., Any], jump: str, at: int, step: int, to: int) -> None:
    events = [{"type": kind} if seat is None else {"type": kind, "seat": seat} for kind, seat in EVENTS]
    assert (
        run(f"return jumps.{jump}(given.events, given.at, given.step);", {"events": events, "at": at, "step": step})
        == to
    )


@pytest.mark.parametrize(("at", "step", "to"), [(1, 1, 4), (4, 1, 9), (9, 1, None), (9, -1, 4), (4, -1, None)])
def test_the_nearest_key_moment(run: Callable[..., Any], at: int, step: int, to: int | None) -> None:
    assert run("return jumps.moment([4, 9], ...given);", [at, step]) == to


@pytest.mark.parametrize(
    ("text", "number"), [("1", 1), ("12", 12), ("13", None), ("0", None), ("-1", None), ("1.5", None), ("x", None)]
)
def test_which_texts_are_event_numbers(run: Callable[..., Any], text: str, number: int | None) -> None:
    assert run("return link.eventNumber(given, 12);", text) == number


@pytest.mark.parametrize(
    ("text", "view"),
    [("all", "all"), ("public", "public"), ("3", "3"), ("03", "3"), ("4", None), ("greedy", None), ("", None)],
)
def test_which_texts_are_views(run: Callable[..., Any], text: str, view: str | None) -> None:
    assert run("return views.parseView(given, 4);", text) == view


def test_a_link_keeps_the_rest_of_the_address(run: Callable[..., Any]) -> None:
    made = run("return link.linkTo(given, 12, '2');", "http://127.0.0.1/en/games/x?bot=greedy&at=3#top")
    assert made == "http://127.0.0.1/en/games/x?bot=greedy&at=12&view=2"
