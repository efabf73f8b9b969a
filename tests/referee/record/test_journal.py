"""The bytes of a journal: whole, torn, damaged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.play.session import header_of
from referee.record import codec
from referee.record.journal import PREAMBLE, JournalError, JournalledGame, games_of, journal_frame, read_journal
from referee.record.journal_entries import Began, Ended, JournalEntry, Moment, Numbered, Opened, SeatClock
from tests.support.scripted import game_spec

GAMES = ("attempt-a", "attempt-b", "attempt-c")


def opened(seed: int) -> Opened:
    spec = game_spec(3, seed=bytes([seed]) * 32, no_shows=frozenset({2}))
    return Opened(header_of(spec), spec.seed, "http://site/games/x", spec.no_shows, ("b1", "b2", ""))


def moment(number: int) -> Moment:
    return Moment(
        bytes([number]) * (number % 40), number, SeatClock(number % 3, 1234.5678, 99.25) if number % 2 else None
    )


def journal(length: int = 8) -> list[Numbered]:
    """Games by turns: each opened, begun, then moments."""
    entries: list[Numbered] = []
    for number in range(length):
        for place, attempt_id in enumerate(GAMES):
            entry: JournalEntry = opened(place) if number == 0 else Began() if number == 1 else moment(number)
            entries.append(Numbered(attempt_id, number, entry))
    return entries


def file_of(entries: list[Numbered]) -> bytes:
    return PREAMBLE + b"".join(map(journal_frame, entries))


def games(data: bytes) -> dict[str, JournalledGame]:
    return games_of([read_journal(data)])


CLOCKS = st.builds(SeatClock, st.integers(0, 13), st.floats(0, 1e9), st.floats(0, 1e9))
MOMENTS = st.builds(Moment, st.binary(max_size=300), st.integers(0, 1 << 31), st.none() | CLOCKS)


@given(
    st.builds(Numbered, st.text(max_size=20), st.integers(0, 1 << 31), MOMENTS | st.just(Began()) | st.just(Ended()))
)
def test_the_bytes_put_together_by_hand_are_those_of_protobuf(numbered: Numbered) -> None:
    message = codec.journal_message(numbered)
    assert codec.journal_bytes(numbered) == message.SerializeToString()
    assert codec.journal_entry_of(message) == numbered


def test_what_was_written_is_read() -> None:
    entries = journal()
    file = read_journal(file_of(entries))
    assert [frame.numbered for frame in file.frames] == entries
    assert (file.damaged, file.torn_bytes) == ((), 0)
    found = games_of([file])
    assert list(found) == list(GAMES)
    for place, attempt_id in enumerate(GAMES):
        game = found[attempt_id]
        assert (game.opened, game.is_ended, game.problem) == (opened(place), False, "")
        assert game.entries == [Began(), *(moment(number) for number in range(2, 8))]


@given(st.data())
def test_a_torn_end_is_cut_off(data: st.DataObject) -> None:
    entries = journal(4)
    whole = file_of(entries)
    cut = data.draw(st.integers(len(PREAMBLE), len(whole)))
    file = read_journal(whole[:cut])
    assert [frame.numbered for frame in file.frames] == entries[: len(file.frames)]
    end = file.frames[-1].end if file.frames else len(PREAMBLE)
    assert end + file.torn_bytes == cut
    assert file.damaged == ()
    assert all(not game.problem for game in games_of([file]).values())


@given(st.data())
def test_damage_in_the_middle_costs_that_game_alone(data: st.DataObject) -> None:
    entries = journal()
    hit = data.draw(st.integers(0, len(entries) - len(GAMES) - 1))
    before = len(file_of(entries[:hit]))
    at = data.draw(st.integers(before, len(file_of(entries[: hit + 1])) - 1))
    damaged = bytearray(file_of(entries))
    damaged[at] ^= data.draw(st.integers(1, 255))
    found = games(bytes(damaged))
    hurt = entries[hit].attempt_id
    assert f"entry {entries[hit].number} of 8 is damaged" in found[hurt].problem or not found[hurt].opened
    assert [attempt_id for attempt_id in GAMES if found[attempt_id].problem] == [hurt]


def test_a_game_that_may_have_lost_its_last_entry_does_not_go_on() -> None:
    """What is damaged is the last entry of b; c wrote nothing after it either, so nobody knows."""
    entries = [*journal(4), Numbered("attempt-b", 4, moment(4)), Numbered("attempt-a", 4, moment(4))]
    damaged = bytearray(file_of(entries))
    damaged[len(file_of(entries[:-2])) + 20] ^= 1
    found = games(bytes(damaged))
    assert found["attempt-a"].problem == ""
    assert "may be damaged" in found["attempt-b"].problem
    assert "may be damaged" in found["attempt-c"].problem


def test_a_later_file_heals_what_it_repeats() -> None:
    entries = journal(4)
    damaged = bytearray(file_of(entries))
    damaged[len(file_of(entries[:4])) + 20] ^= 1
    later = [
        *(numbered for numbered in entries if numbered.attempt_id == "attempt-b"),
        Numbered("attempt-b", 4, moment(4)),
    ]
    found = games_of([read_journal(bytes(damaged)), read_journal(file_of(later))])
    assert found["attempt-b"].problem == ""
    assert len(found["attempt-b"].entries) == 4


def test_an_ended_game_is_over_whatever_is_damaged() -> None:
    entries = [*journal(4), Numbered("attempt-a", 4, Ended())]
    damaged = bytearray(file_of(entries))
    damaged[len(file_of(entries[:3])) + 15] ^= 1
    assert games(bytes(damaged))["attempt-a"].is_ended


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"5CGR" + PREAMBLE[4:], "does not begin with 5CGJ", id="a record"),
        pytest.param(PREAMBLE[:4] + b"\x00\x02", "journal version 2 is not read here, only 1", id="a later version"),
    ],
)
def test_what_is_no_journal_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(JournalError, match=message):
        read_journal(data)


@given(st.binary(max_size=300))
def test_noise_is_never_taken_for_a_game(noise: bytes) -> None:
    entries = journal(3)
    file = read_journal(file_of(entries) + noise)
    assert [frame.numbered for frame in file.frames] == entries
    assert file.torn_bytes == len(noise)
