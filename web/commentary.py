"""A finished or running game told in words: one line an event, the score sheet, and the moments worth a look.

Input is the replay as the viewer gets it: `{"game", "view", "seats": [{"bot", ...}], "events"}` with the events of
`referee.record.transcript`. Where the viewer may
not see a card, the replay says None and the line names none; lines that would tell a seat's secrets carry a second,
public wording, so that the viewer can switch between "all hands", "public" and one seat without asking again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

Event = Mapping[str, Any]

SUITS = {"s": "spade", "h": "heart", "c": "club", "d": "diamond", "*": "star"}
RANKS = {"T": "10"}
RANK_NAMES = {"T": "10", "J": "jack", "Q": "queen", "K": "king"}
WILD_RANKS = {10: "T", 11: "J", 12: "Q", 13: "K"}

JOKER = SafeString(
    '<span class="face face-wild suit-joker"><svg aria-hidden="true"><use href="#joker-cap"/></svg>Joker</span>'
)

BLUNDER = 10
"""Points left in hand above the best discard from which a discard is worth a look."""
MOMENTS_SHOWN = 12
WEIGHTS = {"retire": 90, "missed_out": 60, "fault": 50, "lead_change": 45, "blunder": 40, "went_out": 10}
REPEATED = 15
"""What a moment loses in weight for each one already taken from its round, so that the list covers the game."""

FAULTS = {
    "MOVE_TIMEOUT": "no answer in time",
    "ILLEGAL": "illegal reply",
    "MALFORMED": "unreadable reply",
    "BOT_ERROR": "the bot reports an error of its own",
    "START_TIMEOUT": "not ready in time",
    "NO_SHOW": "not connected in time",
    "DISCONNECT": "connection lost and its time bank spent",
    "RESIGN": "it resigned",
    "THINKING_USED_UP": "its thinking time is used up",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """`seat` is None where everybody could see it; otherwise it shows what that seat alone knew."""

    event: int
    round: int
    kind: str
    who: str
    what: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """Event number (from 1), the acting seat or None, and its text; `public` differs where the text names secrets."""

    number: int
    type: str
    seat: int | None
    text: SafeString
    public: SafeString | None = None
    moment: Moment | None = None


@dataclass(frozen=True, slots=True)
class Chapter:
    """The lines of one game round; the end of the game has the chapter with round None."""

    round: int | None
    title: str
    first: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One finished round. `cells` are (score, total, went out) by seat, without a score for who is not in a playoff; `event` is
    the round's first event."""

    round: int
    wild: str
    event: int
    cells: tuple[tuple[int | None, int, bool], ...]
    is_playoff: bool = False
    """Its scores are in no total (RULES 20)."""


@dataclass(frozen=True, slots=True)
class Story:
    """All that the page of a game says in words."""

    seats: tuple[Mapping[str, Any], ...]
    chapters: tuple[Chapter, ...]
    sheet: tuple[SheetRow, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...] | None
    moments: tuple[Moment, ...]
    count: int


def narrate(replay: Mapping[str, Any]) -> Story:
    """The story of a replay; an event of unknown type is an error that names it."""
    teller = _Teller(replay)
    for number, event in enumerate(replay["events"], start=1):
        teller.tell(number, event)
    return teller.story()


def face_html(face: str | None, wild: int | None = None) -> SafeString:
    """A card within a line of text: `7h` as 7 and a heart, read aloud "7 of hearts"."""
    if face is None:
        return format_html("{}", "a card")
    if face == "JK":
        return JOKER
    rank, suit = face[0], SUITS[face[1]]
    is_wild = WILD_RANKS.get(wild or 0, str(wild)) == rank
    return format_html(
        '<span class="face suit-{suit}{frame}">{rank}<svg aria-hidden="true"><use href="#suit-{suit}"/></svg>'
        '<span class="visually-hidden"> of {suit}s{says_wild}</span></span>',
        suit=suit,
        frame=" face-wild" if is_wild else "",
        rank=RANKS.get(rank, rank),
        says_wild=", wild" if is_wild else "",
    )


def faces_html(faces: Iterable[str | None], wild: int | None = None) -> SafeString:
    return format_html_join(" ", "{}", ((face_html(face, wild),) for face in faces))


def wild_name(wild: int) -> str:
    """The wild rank in the plural: 3s, 10s, jacks."""
    rank = WILD_RANKS.get(wild, str(wild))
    return f"{RANK_NAMES.get(rank, rank)}s"


def seat_labels(seats: Sequence[Mapping[str, Any]]) -> list[str]:
    """The bots' names; where two seats share a name, each with its seat."""
    names = [seat["bot"] for seat in seats]
    return [name if names.count(name) == 1 else f"{name} (seat {i})" for i, name in enumerate(names)]


@dataclass
class _Table:
    """What the next line needs to know of the events before it."""

    round: int = 0
    wild: int = 0
    out: int | None = None
    drawn: dict[int, str | None] = field(default_factory=dict)
    picked: dict[int, str | None] = field(default_factory=dict)
    points: dict[int, int | None] = field(default_factory=dict)
    throwers: list[int | None] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)
    faulted: int | None = None
    """The seat whose decision the referee makes next."""


Said = tuple[SafeString, SafeString | None, Moment | None]


class _Teller:
    """Reads events in order; `tell` picks the method by the event's type."""

    def __init__(self, replay: Mapping[str, Any]) -> None:
        self.replay = replay
        self.events: Sequence[Event] = replay["events"]
        self.labels = seat_labels(replay["seats"])
        self.table = _Table()
        self.chapters: list[tuple[int | None, str, list[Line]]] = []
        self.rows: list[SheetRow] = []
        self.round_event = 1
        self.totals: tuple[int, ...] = (0,) * len(self.labels)
        self.places: tuple[int, ...] | None = None
        self.retired: set[int] = set()
        self.tellers: Mapping[str, Callable[[int, Event], Said]] = {
            "round_start": self._round_start,
            "draw": self._draw,
            "discard": self._discard,
            "reshuffle": self._reshuffle,
            "fault": self._fault,
            "retire": self._retire,
            "round_end": self._round_end,
            "game_end": self._game_end,
        }

    def tell(self, number: int, event: Event) -> None:
        tell = self.tellers.get(event["type"])
        if tell is None:
            raise ValueError(f"event {number}: unknown type {event['type']!r}; known: {', '.join(self.tellers)}")
        text, public, moment = tell(number, event)
        if event["type"] in ("draw", "discard"):
            self.table.faulted = None
        line = Line(number, event["type"], event.get("seat"), text, public, moment)
        if not self.chapters:
            self.chapters.append((None, "Before the deal", []))
        self.chapters[-1][2].append(line)

    def story(self) -> Story:
        lines = [line for _, _, lines in self.chapters for line in lines]
        return Story(
            seats=tuple(
                {**seat, "label": label} for seat, label in zip(self.replay["seats"], self.labels, strict=True)
            ),
            chapters=tuple(Chapter(no, title, lines[0].number, tuple(lines)) for no, title, lines in self.chapters),
            sheet=tuple(self.rows),
            totals=self.totals,
            places=self.places,
            moments=key_moments([line.moment for line in lines if line.moment]),
            count=len(self.events),
        )

    # --- one method for each type of event ---

    def _round_start(self, number: int, event: Event) -> Said:
        hands = event["hands"]
        self.round_event = number
        self.table = _Table(round=event["round"], wild=event["wild"], throwers=[None], leaders=self.table.leaders)
        wild = wild_name(event["wild"])
        players = event.get("players")
        playoff = format_html(", a playoff between {}", self._bots(players)) if players else ""
        self.chapters.append(
            (event["round"], f"Round {event['round']}: {wild} are wild{', playoff' * bool(players)}", [])
        )
        text = format_html(
            "Round {}{}: {} cards each, {} are wild. {} deals, {} starts.{}",
            event["round"],
            playoff,
            len(hands[event["starter"]]),
            wild,
            self._bot(event["dealer"]),
            self._bot(event["starter"]),
            self._opening(event["upcard"]),
        )
        return text, None, None

    def _opening(self, upcard: str | None) -> str:
        return format_html(" {} opens the discard pile.", self._face(upcard)) if upcard else ""

    def _draw(self, number: int, event: Event) -> Said:
        seat = event["seat"]
        self.table.drawn[seat] = event["card"]
        self.table.picked.pop(seat, None)
        if event["source"] == "discard":
            self.table.picked[seat] = event["card"]
            return self._pick_up(event), None, None
        public = format_html("{}: draws from the pile{}.", self._bot(seat), self._by_default(event))
        if event["card"] is None:
            return public, None, None
        text = format_html(
            "{}: draws {} from the pile{}.", self._bot(seat), self._face(event["card"]), self._by_default(event)
        )
        return text, public, None

    def _pick_up(self, event: Event) -> SafeString:
        thrower = self.table.throwers.pop() if self.table.throwers else None
        card, bot = self._face(event["card"]), self._bot(event["seat"])
        if thrower is None:
            return format_html("{}: picks up the first upcard, {}.", bot, card)
        return format_html("{}: picks up {} thrown by {}.", bot, card, self._bot(thrower))

    def _discard(self, number: int, event: Event) -> Said:
        seat = event["seat"]
        before, is_last_turn = self.table.points.get(seat), self.table.out is not None
        self.table.throwers.append(seat)
        self.table.points[seat] = event.get("points")
        if event["go_out"] and not is_last_turn:
            self.table.out = seat
            return self._went_out(number, event), None, self._moment(number, "went_out", seat, "goes out")
        text, public = self._thrown(event, before, is_last_turn)
        moment = self._judged(number, event, is_last_turn)
        if moment is not None:
            text = format_html('{} <span class="verdict">{}.</span>', text, moment.what.capitalize())
        return text, public, moment

    def _thrown(self, event: Event, before: int | None, is_last_turn: bool) -> tuple[SafeString, SafeString | None]:
        seat, points = event["seat"], event.get("points")
        last = ", its last turn" if is_last_turn else ""
        bot, default = self._bot(seat), self._by_default(event)
        public = format_html("{}: {}{}{}.", bot, self._throws(event, is_public=True), last, default)
        if points is None:
            return public, None
        return format_html(
            "{}: {}{}; {}{}.",
            bot,
            self._throws(event),
            last,
            _left_in_hand(points, before if is_last_turn else None),
            default,
        ), public

    def _throws(self, event: Event, *, is_public: bool = False) -> SafeString:
        """That a card is the one just drawn is everybody's knowledge only if it came from the discard pile."""
        card, drawn = event["card"], self.table.picked if is_public else self.table.drawn
        if card is None:
            return format_html("{}", "throws a card")
        if self._is_wild(card):
            return format_html("gives away a wild, {}", self._face(card))
        if card == drawn.get(event["seat"]):
            return format_html("throws {} as drawn", self._face(card))
        return format_html("throws {}", self._face(card))

    def _went_out(self, number: int, event: Event) -> SafeString:
        layout = self._final_layout(number, event["seat"])
        melds = [faces_html(meld, self.table.wild) for meld in layout["melds"]] if layout else []
        joined = format_html_join(", ", "{}", ((meld,) for meld in melds))
        return format_html(
            "{}: throws {} and goes out on turn {}{}{}. One last turn for everybody else.",
            self._bot(event["seat"]),
            self._face(event["card"]),
            event["turn"],
            " with " if melds else "",
            joined,
        )

    def _final_layout(self, number: int, seat: int) -> Mapping[str, Any] | None:
        """How the hand lies at the end of the round: who has gone out keeps it until then."""
        end = next((event for event in self.events[number:] if event["type"] == "round_end"), None)
        layouts = end.get("layouts") if end else None
        return layouts[seat] if layouts and layouts[seat]["melds"] is not None else None

    def _judged(self, number: int, event: Event, is_last_turn: bool) -> Moment | None:
        """By what the bot could know alone: the points its best discard would have left."""
        points, best = event.get("points"), event.get("best_points")
        if points is None or best is None or self._is_default(event["seat"]):
            return None
        if best == 0 and not is_last_turn:
            return self._moment(number, "missed_out", event["seat"], "could have gone out here", is_secret=True)
        if points - best < BLUNDER:
            return None
        faces = event.get("best") or []
        instead = f" than throwing {' or '.join(map(spoken, faces[:2]))}" if faces else " than the best discard"
        return self._moment(number, "blunder", event["seat"], f"{points - best} points more{instead}", is_secret=True)

    def _reshuffle(self, number: int, event: Event) -> Said:
        self.table.throwers = self.table.throwers[-1:]
        text = format_html("The draw pile is empty; {} discards are shuffled back.", event["pile"])
        return text, None, None

    def _fault(self, number: int, event: Event) -> Said:
        seat, words, retires = event["seat"], _fault_words(event["fault"]), event.get("retires", False)
        self.table.faulted = seat
        follows = "" if retires else " The referee plays the default move."
        public = format_html("{}: {}{}.{}", self._bot(seat), words, _budget(event), follows)
        moment = None if retires else self._moment(number, "fault", seat, words)
        details = format_html_join("", " {} <bdi>{}</bdi>", _details(event))
        return (public + details, public, moment) if details else (public, None, moment)

    def _retire(self, number: int, event: Event) -> Said:
        seat, words = event["seat"], _fault_words(event["fault"])
        self.retired.add(seat)
        text = format_html("{}: out of the game ({}). The referee plays its seat to the end.", self._bot(seat), words)
        return text, None, self._moment(number, "retire", seat, f"out of the game ({words})")

    def _round_end(self, number: int, event: Event) -> Said:
        scores, totals = event["scores"], tuple(event["totals"])
        self.totals = totals
        playing = event.get("players") or range(len(scores))
        cells = tuple(
            (s if i in playing else None, t, i == event["went_out"])
            for i, (s, t) in enumerate(zip(scores, totals, strict=True))
        )
        wild = WILD_RANKS.get(self.table.wild, str(self.table.wild))
        is_playoff = bool(event.get("players"))
        self.rows.append(SheetRow(event["round"], RANKS.get(wild, wild), self.round_event, cells, is_playoff))
        lead, moment = (SafeString(), None) if is_playoff else self._lead(number, totals)
        capped = "Turn limit: nobody went out, all count their hands. " if event["went_out"] is None else ""
        named = format_html_join(", ", "{} {}", ((self._bot(i), scores[i]) for i in playing))
        return format_html("{}Round {}: {}. {}", capped, event["round"], named, lead), None, moment

    def _lead(self, number: int, totals: Sequence[int]) -> tuple[SafeString, Moment | None]:
        before, best = self.table.leaders, min(totals)
        leaders = self.table.leaders = [i for i, total in enumerate(totals) if total == best]
        if len(leaders) > 1:
            return format_html("{} share the lead with {}.", self._bots(leaders), best), None
        leader = leaders[0]
        ahead = min((total for i, total in enumerate(totals) if i != leader), default=best) - best
        if before and leader not in before:
            text = format_html("{} takes the lead from {}, {} ahead.", self._bot(leader), self._bots(before), ahead)
            return text, self._moment(number, "lead_change", leader, f"takes the lead, {ahead} ahead")
        return format_html("{} leads by {}.", self._bot(leader), ahead), None

    def _game_end(self, number: int, event: Event) -> Said:
        self.totals, self.places = tuple(event["totals"]), tuple(event["places"])
        self.chapters.append((None, "Result", []))
        winners = [i for i, place in enumerate(self.places) if place == 1]
        reason = f" The game ended early: {event['reason']}." if event.get("reason") else ""
        if len(winners) != 1:
            return format_html("Shared win: {}.{}", self._bots(winners), reason), None, None
        own, others = self.totals[winners[0]], [t for i, t in enumerate(self.totals) if i != winners[0]]
        ahead = min(others, default=own) - own
        margin = f", {ahead} ahead" if ahead > 0 else ""
        text = format_html("{} wins with {} points{}.{}", self._bot(winners[0]), own, margin, reason)
        return text, None, None

    # --- words ---

    def _bot(self, seat: int) -> SafeString:
        return format_html("<bdi>{}</bdi>", self.labels[seat])

    def _bots(self, seats: Sequence[int]) -> SafeString:
        return format_html_join(", ", "{}", ((self._bot(seat),) for seat in seats))

    def _face(self, face: str | None) -> SafeString:
        return face_html(face, self.table.wild)

    def _is_wild(self, face: str) -> bool:
        return face == "JK" or face[0] == WILD_RANKS.get(self.table.wild, str(self.table.wild))

    def _is_default(self, seat: int) -> bool:
        """Whether the referee chooses for this seat (RULES 21)."""
        return seat in self.retired or seat == self.table.faulted

    def _by_default(self, event: Event) -> str:
        return " (default move)" if self._is_default(event["seat"]) else ""

    def _moment(self, number: int, kind: str, seat: int, words: str, *, is_secret: bool = False) -> Moment:
        return Moment(
            event=number,
            round=self.table.round,
            kind=kind,
            who=self.labels[seat],
            what=words,
            seat=seat if is_secret else None,
        )


def key_moments(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """The heaviest, at most `MOMENTS_SHOWN`, spread over the rounds, in the order of play."""
    left, taken = list(moments), list[Moment]()
    per_round = dict.fromkeys((m.round for m in moments), 0)
    while left and len(taken) < MOMENTS_SHOWN:
        best = max(left, key=lambda m: (WEIGHTS[m.kind] - REPEATED * per_round[m.round], -m.event))
        left.remove(best)
        taken.append(best)
        per_round[best.round] += 1
    return tuple(sorted(taken, key=lambda m: m.event))


def spoken(face: str) -> str:
    """A card in plain words: "king of spades", "a joker"."""
    if face == "JK":
        return "a joker"
    return f"{RANK_NAMES.get(face[0], face[0])} of {SUITS[face[1]]}s"


def _fault_words(code: str) -> str:
    return FAULTS.get(code, code)


def _left_in_hand(points: int, before: int | None) -> str:
    if points == 0:
        return "everything is melded, 0 points"
    if before is not None and points < before:
        return f"gets down from {before} to {points} points"
    return f"{points} points left in hand"


def _budget(event: Event) -> str:
    budget, used = event.get("budget_ms"), event.get("used_ms")
    return f" (limit {budget} ms, took {used} ms)" if budget and used is not None else ""


def _details(event: Event) -> Iterable[tuple[str, str]]:
    """What the referee and the bot said; for a late move the figures say it all."""
    if event.get("detail") and event["fault"] != "MOVE_TIMEOUT":
        yield "Reason:", event["detail"] + "."
    if event.get("reply"):
        yield "Its reply:", event["reply"]
