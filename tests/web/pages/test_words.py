"""Figures as people read them."""

from fractions import Fraction

import pytest

from tournaments.models import Stage
from web.pages.words import duration, figure, margin, milliseconds, module_name, plural, signed1, stage_words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (Fraction(0), "0"),
        (Fraction(2), "2"),
        (Fraction(5, 2), "2.5"),
        (Fraction(7, 3), "2.33"),
        (Fraction(-1, 3), "−0.33"),
    ],
)
def test_figure(value: Fraction | None, text: str) -> None:
    assert figure(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (Fraction(0), "0"), (Fraction(25, 2), "+12.5"), (Fraction(-3), "−3"), (Fraction(1, 3), "+0.3")],
)
def test_margin(value: Fraction | None, text: str) -> None:
    assert margin(value) == text


@pytest.mark.parametrize(("value", "text"), [(12.54, "+12.5"), (-3.0, "−3.0"), (0.0, "+0.0")])
def test_a_rating_change_has_its_sign(value: float, text: str) -> None:
    assert signed1(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (45, "45 s"),
        (120, "2 min"),
        (90, "1 min 30 s"),
        (6000, "1 h 40 min"),
        (3600, "1 h"),
        (183_600, "2 d 3 h"),
        (86_461, "1 d"),
    ],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0 ms"), (250, "250 ms"), (2000, "2 s"), (2104, "2.104 s"), (30_000, "30 s"), (120_000, "2 min")],
)
def test_milliseconds(ms: int, text: str) -> None:
    assert milliseconds(ms) == text


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        (Stage(format="swiss", seats=4, rounds=4), "Swiss, 4 rounds, tables of 4"),
        (
            Stage(format="swiss", seats=2, rounds=1, games_per_match=3),
            "Swiss, 1 round, two at a table, 3 games a match",
        ),
        (Stage(format="round_robin", seats=3), "Round robin, tables of 3"),
        (Stage(format="single_elimination", seats=2), "Single elimination, two at a table"),
        (
            Stage(format="single_elimination", seats=2, top_cut=8, has_third_place=True),
            "Single elimination of the best 8, two at a table, with a match for third place",
        ),
        (
            Stage(format="double_elimination", seats=4, games_per_match=2),
            "Double elimination, tables of 4, of which the best 2 go on, 2 games a match",
        ),
        (
            Stage(format="single_elimination", seats=3, top_cut=9),
            "Single elimination of the best 9, tables of 3, of which the best goes on",
        ),
        (
            Stage(format="single_elimination", seats=3, go_on=2),
            "Single elimination, tables of 3, of which the best 2 go on",
        ),
        (Stage(format="round_robin", seats=2, laps=2), "Round robin, two at a table, 2 laps"),
    ],
)
def test_stage_words(stage: Stage, text: str) -> None:
    assert stage_words(stage) == text


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Greedy 2", "greedy_2"),
        ("My  Bot!", "my_bot"),
        ("Пять корон", "my_bot"),
        ("2fast", "my_bot"),
        ("random", "my_bot"),
        ("class", "my_bot"),
        ("<b>x</b>", "b_x_b"),
    ],
)
def test_a_file_for_a_bot_of_any_name(name: str, file: str) -> None:
    assert module_name(name) == file


def test_plural() -> None:
    assert [plural(1, "match", "matches"), plural(2, "match", "matches"), plural(0, "bot")] == [
        "1 match",
        "2 matches",
        "0 bots",
    ]
