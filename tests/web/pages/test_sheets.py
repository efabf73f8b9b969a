"""The score sheet of a game whose first place was played off (RULES 20)."""

from __future__ import annotations

from tournaments.models import Game, GameSeat
from web.pages.sheets import game_sheet

ELEVEN = [{"game_round": number, "scores": [number, 6, 30], "went_out_seat": None} for number in range(1, 12)]
PLAYOFF = [
    {"game_round": 12, "scores": [4, 4, 0], "went_out_seat": None, "players": [0, 1]},
    {"game_round": 13, "scores": [9, 0, 0], "went_out_seat": 1, "players": [0, 1]},
]


def test_a_playoff_counts_in_no_total() -> None:
    sheet = game_sheet(Game(game_rounds=[*ELEVEN, *PLAYOFF]), [GameSeat(seat=seat) for seat in range(3)], [])
    last, *playoff = sheet.rows[10:]
    assert [(score, total) for score, total, _ in last.cells] == [(11, 66), (6, 66), (30, 330)]
    assert [(row.number, row.wild, row.is_playoff) for row in playoff] == [(12, "6s", True), (13, "6s", True)]
    assert [[score for score, _, _ in row.cells] for row in playoff] == [[4, 4, None], [9, 0, None]]
    assert {tuple(total for _, total, _ in row.cells) for row in playoff} == {(66, 66, 330)}
    assert [out for _, _, out in playoff[1].cells] == [False, True, False]
    assert not any(row.is_playoff for row in sheet.rows[:11])
