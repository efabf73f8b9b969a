"""Charts: right places, words beside every picture, nothing that the content security policy forbids."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from web.charts import (
    DOTS_AT_MOST,
    EvidencePoint,
    RatingPoint,
    evidence_chart,
    progress_bar,
    rating_chart,
    sparkline,
    whisker,
)

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
VALUES = st.floats(min_value=-1e5, max_value=1e5).map(lambda value: round(value, 3))


def points(*ratings: float, half: float | None = None) -> list[RatingPoint]:
    return [
        RatingPoint(
            START + timedelta(days=i),
            rating,
            f"Match {i + 1}",
            f"/matches/{i + 1}",
            None if half is None else rating - half,
            None if half is None else rating + half,
        )
        for i, rating in enumerate(ratings)
    ]


def drawn(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<body>{html}</body>")


def pairs(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def test_a_higher_rating_lies_higher_and_a_later_one_further_right() -> None:
    line = drawn(rating_chart(points(1500, 1540, 1520), title="Rating")).find(".//polyline")
    assert line is not None
    (x1, y1), (x2, y2), (x3, y3) = pairs(line.attrib["points"])
    assert x1 < x2 < x3
    assert y2 < y3 < y1


def test_the_chart_says_in_words_what_it_shows() -> None:
    picture = drawn(rating_chart(points(1500, 1540, 1490), title="Rating of greedy")).find(".//svg[@role='img']")
    assert picture is not None
    assert picture.attrib["aria-label"] == ("Rating of greedy: 3 ratings, from 1500 to 1490; lowest 1490, highest 1540")


def test_the_table_has_every_point_newest_first_with_links_and_intervals() -> None:
    rows = drawn(rating_chart(points(1500, 1540, half=30), title="Rating")).findall(".//tbody/tr")
    assert [" | ".join("".join(cell.itertext()) for cell in row) for row in rows] == [
        "2026-03-02 | Match 2 | 1540 (1510 to 1570)",
        "2026-03-01 | Match 1 | 1500 (1470 to 1530)",
    ]
    assert [link.attrib["href"] for link in drawn(rating_chart(points(1500), title="x")).iter("a")] == ["/matches/1"]


def test_the_band_breaks_where_there_is_no_interval() -> None:
    mixed = [*points(1500, 1510, half=20), *points(1520), *points(1530, 1540, half=20)]
    assert len(drawn(rating_chart(mixed, title="Rating")).findall(".//polygon")) == 2


def test_many_points_are_a_line_with_one_dot() -> None:
    few, many = (drawn(rating_chart(points(*range(n)), title="x")) for n in (DOTS_AT_MOST, DOTS_AT_MOST + 1))
    assert len(few.findall(".//circle")) == DOTS_AT_MOST
    assert len(many.findall(".//circle")) == 1


def test_no_rating_yet_is_a_sentence() -> None:
    assert "".join(drawn(rating_chart([], title="x")).itertext()) == (
        "No rated match yet: the chart begins with the first."
    )


def test_half_an_interval_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Match 9: give both bounds of the interval or none, not 1.0, None"):
        rating_chart([RatingPoint(START, 2.0, "Match 9", low=1.0)], title="x")


@given(st.lists(VALUES, min_size=1, max_size=80))
def test_every_point_lies_within_the_picture(values: list[float]) -> None:
    chart = drawn(rating_chart(points(*values), title="x"))
    line = chart.find(".//polyline")
    assert line is not None
    assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in pairs(line.attrib["points"]))
    assert 1 <= len(chart.findall(".//line")) <= 6


@pytest.mark.parametrize(
    ("parts", "starts", "widths", "done"),
    [
        ([], [], [], 0),
        ([("done", 33)], [0], [50], 33),
        ([("done", 33), ("active", 0), ("attention", 11), ("void", 22)], [0, 50, 66.67], [50, 16.67, 33.33], 55),
    ],
)
def test_progress(parts: list[tuple[str, int]], starts: list[float], widths: list[float], done: int) -> None:
    bar = drawn(progress_bar(parts, total=66, label="Games"))  # type: ignore[arg-type]  # kinds come as text here
    bars = bar.findall(".//rect")[1:]
    assert [float(rect.attrib["x"]) for rect in bars] == starts
    assert [float(rect.attrib["width"]) for rect in bars] == widths
    picture = bar.find(".//svg")
    assert picture is not None
    assert (picture.attrib["aria-valuenow"], picture.attrib["aria-valuemax"]) == (str(done), "66")
    assert "".join(bar.itertext()) == f"Games{done} of 66"


def test_progress_of_nothing_is_an_empty_bar() -> None:
    assert len(drawn(progress_bar([], total=0, label="Games")).findall(".//rect")) == 1


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([("finished", 1)], "progress kind 'finished' is none of done, active, attention, void"),
        ([("done", -1)], "progress of kind 'done' is -1: give 0 or more"),
        ([("done", 60), ("active", 7)], r"progress parts .* add up to more than the total 66"),
    ],
)
def test_wrong_progress_is_refused(parts: list[tuple[str, int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        progress_bar(parts, total=66, label="Games")  # type: ignore[arg-type]  # that is the test


def test_a_whisker_lies_on_the_common_axis() -> None:
    dot = drawn(whisker(0, -2, 4, axis=(-8, 8), reference=0, label="x")).find(".//circle")
    assert dot is not None
    assert dot.attrib["cx"] == "50%"


@pytest.mark.parametrize(("low", "high"), [(1, 4), (-2, -1), (-9, 4), (-2, 9)])
def test_a_whisker_out_of_order_or_off_the_axis_is_refused(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="must be in order and within the axis"):
        whisker(0, low, high, axis=(-8, 8), label="x")


def test_a_sparkline_needs_two_values() -> None:
    assert sparkline([1], label="x") == ""
    assert "polyline" in sparkline([1, 2], label="x")


PICTURES: dict[str, Callable[[], str]] = {
    "rating": lambda: rating_chart(points(1500.25, 1503.5, half=12.125), title='a "b" <c>'),
    "progress": lambda: progress_bar([("done", 1)], total=3, label='a "b" <c>'),
    "sparkline": lambda: sparkline([1.5, 2.25, 1], label='a "b" <c>'),
    "whisker": lambda: whisker(0.3, -0.7, 1.1, axis=(-2, 2), label='a "b" <c>'),
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_no_style_and_no_unescaped_text(draw: Callable[[], str]) -> None:
    html = draw()
    assert "style=" not in html
    assert "<c>" not in html
    assert any('a "b" <c>' in (node.attrib.get("aria-label") or "") for node in drawn(html).iter("svg"))


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_a_language_with_decimal_commas_changes_no_coordinate(draw: Callable[[], str]) -> None:
    with translation.override("ru"):
        russian = draw()
    assert russian == draw()
    assert not re.search(r'="\d+,\d+%?"', russian)


# -- evidence ----------------------------------------------------------------------------------------------------------


def test_evidence_goes_up_between_its_bounds_and_what_is_beyond_stays_in_the_picture() -> None:
    looks = [EvidencePoint(10, -1.5), EvidencePoint(20, 0.5), EvidencePoint(30, 400.0)]
    figure = drawn(evidence_chart(looks, bounds=(-2.94, 2.94), title="Evidence"))
    line, picture = figure.find(".//polyline"), figure.find(".//svg[@role='img']")
    assert line is not None
    assert picture is not None
    places = pairs(line.attrib["points"])
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    start, low, high, beyond = (y for _, y in places)
    assert 0 < beyond < high < start < low < 100
    upper, lower = (float(each.attrib["y1"].rstrip("%")) for each in figure.findall(".//line[@class='chart-axis']"))
    assert beyond < upper < high
    assert low < lower
    assert picture.attrib["aria-label"] == "Evidence: +400.0 after 30 games, between −2.9 and +2.9"
    assert [cell.text for cell in figure.findall(".//td")] == ["30", "+400.00", "20", "+0.50", "10", "−1.50"]


def test_no_evidence_yet_is_said() -> None:
    assert "begins when the first round of games is over" in evidence_chart([], bounds=(-2.9, 2.9), title="Evidence")
