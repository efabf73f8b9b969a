"""The pages to look at and to test, by path; each is made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from math import sin
from types import SimpleNamespace
from typing import Any

from django import forms
from django.core.paginator import Paginator

from referee.record.conditions import FaultType
from tests.web.viewer.samples import replay_of
from tests.web.viewer.site import page, replay_page, sample_page
from web.charts import RatingPoint, progress_bar, rating_chart, sparkline, whisker
from web.commentary import faces_html

STATES = ("draft", "registration", "running", "paused", "finished", "cancelled")
MATCH_STATES = ("waiting", "playing", "played", "scored", "needs attention", "void")
CODE = '''from bots.sdk import Bot, best_discards


class MyBot(Bot):
    """Throws what leaves the fewest points."""

    def discard(self, view):
        return best_discards(view.hand, view.wild_rank).faces[0]
'''
TROUBLES = {
    "faults": {9: FaultType.MOVE_TIMEOUT, 20: FaultType.ILLEGAL, 34: FaultType.MALFORMED},
    "retire_at": {61: FaultType.DISCONNECT},
}


class BotForm(forms.Form):
    name = forms.CharField(help_text="2 to 20 letters, digits, spaces and - . _")
    note = forms.CharField(widget=forms.Textarea, required=False)
    kind = forms.ChoiceField(choices=[("mine", "Runs on my machine"), ("hosted", "Hosted")], widget=forms.RadioSelect)
    level = forms.ChoiceField(choices=[("any", "Any level"), ("new", "Newcomers")])
    agree = forms.BooleanField(label="Replays of its games may be shown")


def showcase_page(**context: Any) -> bytes:
    form = BotForm({"name": "", "kind": "mine", "level": "any"})
    paginator = Paginator(range(240), 20)
    return page(
        "showcase.html",
        crumbs=[("Tournaments", "#x"), ("Autumn league", None)],
        sections=[
            {"label": "Overview", "url": "#a", "current": True, "count": None},
            {"label": "Rounds", "url": "#b", "count": 4},
            {"label": "Fairness", "url": "#c", "count": None},
        ],
        progress=progress_bar([("done", 44), ("active", 8), ("attention", 2)], total=66, label="Games of round 3"),
        standings=_standings(),
        page=paginator.page(6),
        pages=paginator.get_elided_page_range(6, on_each_side=1),
        states=STATES,
        match_states=MATCH_STATES,
        chart=rating_chart(_ratings(34), title="Rating of greedy 1.4"),
        spark=sparkline([3, 1, 2, 2, 4, 1, 1, 3, 1], label="Places in the last nine games: 3, 1, 2, 2, 4, 1, 1, 3, 1"),
        panels=["Winter cup", "Two-seat round robin", "Open ladder with a name that needs two lines"],
        levels=["info", "success", "warning", "error"],
        form=form,
        code=CODE,
        faces=faces_html(["7h", "Ts", "3*", "Kc", "9d", "JK"], wild=3),
        **context,
    )


def _standings() -> list[dict[str, Any]]:
    rows = [
        ("greedy", 9.5, -3.1, "is-clear"),
        ("planner", 8.0, -1.2, ""),
        ("simple", 7.5, -0.8, "is-close"),
        ("x", 3, 4, "is-clear"),
    ]
    return [
        {
            "place": i + 1,
            "could": f"{i + 1} to {i + 2}",
            "bot": bot,
            "owner": f"owner{i + 1}",
            "points": points,
            "played": 9,
            "fewer": f"{-gap} fewer" if gap < 0 else f"{gap} more",
            "whisker": whisker(
                gap, gap - 1.5, gap + 1.5, axis=(-8, 8), reference=0, label=f"{bot}: {gap}, give or take 1.5"
            ),
            "rating": 1612 - 40 * i,
            "faults": i,
            "mark": f"{mark} is-mine" if i == 1 else mark,
        }
        for i, (bot, points, gap, mark) in enumerate(rows)
    ]


def _ratings(count: int) -> list[RatingPoint]:
    start = datetime(2026, 9, 1, 18, tzinfo=UTC)
    return [_rating(i, start + timedelta(days=i), 1500 + 6 * i + 30 * sin(i / 3)) for i in range(count)]


def _rating(i: int, at: datetime, value: float) -> RatingPoint:
    half = 200 / (i + 3)
    return RatingPoint(at, value, f"Match {i + 1}", f"/matches/{i + 1}", value - half, value + half)


def broken() -> dict[str, Any]:
    """A replay whose third event throws a card that is not there."""
    replay = replay_of(4)
    replay["events"][2]["card"] = "Kh"
    return replay


PAGES: dict[str, Callable[[], bytes]] = {
    "/blank": lambda: b'<!doctype html><title>Blank</title><link rel="icon" href="data:,">',
    "/showcase": showcase_page,
    "/signed-in": partial(showcase_page, user=SimpleNamespace(is_authenticated=True), section="my_bots"),
    "/replay": partial(sample_page, 4),
    "/two": partial(sample_page, 2, number=2),
    "/three": partial(sample_page, 3, number=3),
    "/five": partial(sample_page, 5, number=5),
    "/six": partial(sample_page, 6, number=6),
    "/seven": partial(sample_page, 7),
    "/fourteen": partial(sample_page, 14, number=14),
    "/troubled": partial(sample_page, 4, number=4, **TROUBLES),
    "/public": partial(sample_page, 4, viewer="public"),
    "/seat": partial(sample_page, 4, viewer=2),
    "/broken": lambda: replay_page(broken()),
    "/early-end": partial(sample_page, 2, number=9, retire_at={40: FaultType.RESIGN}),
}

PICTURES = {
    "showcase": "/showcase",
    "signed-in": "/signed-in",
    "four-start": "/replay",
    "four-middle": "/replay?at=200",
    "four-end": "/replay?at=413",
    "four-out": "/replay?at=405",
    "seven-late": "/seven?at=370",
    "fourteen": "/fourteen?at=500",
    "two-late": "/two?at=190&bot=planner",
    "three": "/three?at=200&view=public",
    "five": "/five?at=300&view=2",
    "six": "/six?at=300",
    "troubled": "/troubled?at=70",
    "seat": "/seat?at=150",
    "early-end": "/early-end?at=42",
}
