"""Tables, notes, and rounds after withdrawals."""

import pytest

from tournaments.formats import Bye, Note, NoteKind, Pairing, RoundPairing, without_entrants


def test_nobody_sits_twice_at_a_table() -> None:
    with pytest.raises(ValueError, match=r"table \(4, 7, 4\) seats an entrant twice"):
        Pairing((4, 7, 4))


def test_everybody_moves_one_seat_on_from_game_to_game() -> None:
    table = Pairing((10, 20, 30))
    assert [table.seat_order(game) for game in (1, 2, 3, 4)] == [(10, 20, 30), (30, 10, 20), (20, 30, 10), (10, 20, 30)]


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (Note(NoteKind.REMATCH, (3, 8), True), "rematch of bot3 and bot8: unavoidable"),
        (Note(NoteKind.REMATCH, (3, 8), False), "rematch of bot3 and bot8: none better found"),
        (Note(NoteKind.SAME_OWNER, (1, 2), False), "bot1 and bot2 of one owner at a table: none better found"),
        (Note(NoteKind.SHORT_TABLE_AGAIN, (5,), False), "bot5 at a short table again: none better found"),
        (
            Note(NoteKind.SEAT_SPREAD, (5,), False),
            "bot5 in one seat more often than in another by three or more: none better found",
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, Note) else "",
)
def test_notes_are_lines_for_people(note: Note, text: str) -> None:
    assert note.text(lambda entrant: f"bot{entrant}") == text


def test_withdrawals_from_a_prepared_round() -> None:
    planned = RoundPairing(
        tables=(Pairing((1, 2)), Pairing((3, 4)), Pairing((5, 6))),
        byes=(Bye(7), Bye(8)),
        sitting_out=(9, 10),
        notes=(Note(NoteKind.REMATCH, (1, 2), True), Note(NoteKind.REMATCH, (5, 6), True)),
    )
    assert without_entrants(planned, {2, 3, 4, 8, 10}) == RoundPairing(
        tables=(Pairing((5, 6)),),
        byes=(Bye(7),),
        sitting_out=(1, 9),
        notes=(Note(NoteKind.REMATCH, (5, 6), True),),
    )


def test_a_table_of_four_goes_on_with_those_who_are_left() -> None:
    planned = RoundPairing(tables=(Pairing((1, 2, 3, 4)),))
    assert without_entrants(planned, {2}).tables == (Pairing((1, 3, 4)),)
    assert without_entrants(planned, ()) == planned
