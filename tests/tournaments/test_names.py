"""Names of bots: what may be written, and what reads alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.names import NameRefused, checked_name, name_key

GOOD = {
    "plain": ("planner", "planner"),
    "spaces are made single": ("  two   words ", "two words"),
    "composed": ("Ame\u0301lie", "Amélie"),
    "markup is only text": ("<svg/onload>", "<svg/onload>"),
    "emoji of one grapheme": ("👩‍👩‍👧 team", "👩‍👩‍👧 team"),
    "emoji with skin": ("👩🏽‍🚀 x", "👩🏽‍🚀 x"),
    "devanagari": ("नमस्ते", "नमस्ते"),
    "thai": ("ไทยแลนด์", "ไทยแลนด์"),
    "right to left": ("שלום", "שלום"),
    "thirty": ("x" * 30, "x" * 30),
    "two": ("ab", "ab"),
}
BAD = {
    "empty": ("", "'' has 0 characters: give 2 to 30"),
    "one": ("x", "'x' has 1 characters: give 2 to 30"),
    "thirty-one": ("x" * 31, "has 31 characters: give 2 to 30"),
    "only spaces": ("     ", "'' has 0 characters"),
    "tab": ("a\tb", r"U\+0009, which cannot be seen"),
    "newline": ("a\nb", r"U\+000A"),
    "zero width space": ("a\u200bb", r"U\+200B"),
    "bidi override": ("abc\u202edef", r"U\+202E"),
    "no-break space": ("a\u00a0b", r"U\+00A0"),
    "joiner between letters": ("a\u200db", r"U\+200D"),
    "joiner after an emoji alone": ("👩\u200d b", r"U\+200D"),
    "piled marks": ("z\u0337\u0321a", "piles up marks on one character"),
    "mark first": ("\u0301ab", "piles up marks"),
    "no letter": ("... !", "no letter and no digit"),
    "private use": ("ab\ue000", r"U\+E000"),
    "unassigned": ("ab\u0378", r"U\+0378"),
    "surrogate": ("ab\ud800", r"U\+D800"),
}
ALIKE = [
    ("planner", "PLANNER"),
    ("planner", "pIanner"),
    ("planner", "p1anner"),
    ("planner", "рlаnnеr"),
    ("modern", "modem"),
    ("bot 0", "bot O"),
    ("bot", "ＢＯＴ"),
    ("Straße", "strasse"),
]
UNLIKE = [("planner", "planer"), ("bot 2", "bot 3"), ("greedy", "greed"), ("Amelie", "Amélie")]


@pytest.mark.parametrize(("raw", "name"), GOOD.values(), ids=GOOD)
def test_a_good_name(raw: str, name: str) -> None:
    assert checked_name(raw) == name


@pytest.mark.parametrize(("raw", "message"), BAD.values(), ids=BAD)
def test_a_bad_name_says_why(raw: str, message: str) -> None:
    with pytest.raises(NameRefused, match=message):
        checked_name(raw)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_read_alike(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_names_that_differ(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(max_size=40))
def test_what_is_accepted_stays_as_it_is(raw: str) -> None:
    try:
        name = checked_name(raw)
    except NameRefused:
        return
    assert checked_name(name) == name
    assert name_key(name)
    assert name.isprintable() or "\u200d" in name
