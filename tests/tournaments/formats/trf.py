"""A reader of FIDE's tournament report format, as far as pairing needs it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tournaments.formats import Bye, Pairing, PastRound, RoundPairing, SwissEntrant, swiss_entrants

FILES = Path(__file__).parents[2] / "data" / "trf"
EARNED = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1, "0": 0, "-": 0, "Z": 0}
"""Half points of each result letter."""


@dataclass(frozen=True)
class Cell:
    """One player in one round: `   4 w 1`."""

    opponent: int
    colour: str
    result: str

    @property
    def is_game(self) -> bool:
        return self.opponent > 0 and self.result in "1=0"


@dataclass(frozen=True)
class Report:
    cells: dict[int, list[Cell]]
    """Player -> its rounds so far."""
    absent: frozenset[int]
    """Not there in the round to come."""

    def field(self) -> tuple[SwissEntrant, ...]:
        """Those who are there; every player is an owner of its own."""
        active = [(player, player, player) for player in self.cells if player not in self.absent]
        points = {player: Fraction(sum(EARNED[c.result] for c in row), 2) for player, row in self.cells.items()}
        rounds = len(next(iter(self.cells.values())))
        return swiss_entrants(active, points, [self._round(number) for number in range(rounds)])

    def _round(self, number: int) -> PastRound:
        cells = {player: row[number] for player, row in self.cells.items()}
        games = [(p, c.opponent) for p, c in cells.items() if c.is_game and c.colour == "w"]
        return PastRound(
            RoundPairing(
                tables=tuple(Pairing(game) for game in games),
                byes=tuple(Bye(player) for player, cell in cells.items() if cell.result == "U"),
            ),
            walkovers=tuple(player for player, cell in cells.items() if cell.result == "+"),
        )


def read(name: str) -> Report:
    """A file of `tests/data/trf`; ValueError when a player's points are not those of its results."""
    rows: dict[int, list[Cell]] = {}
    stated: dict[int, Fraction] = {}
    for line in (FILES / name).read_text().splitlines():
        if line.startswith("001"):
            player = int(line[4:8])
            rows[player] = [_cell(line[at : at + 10]) for at in range(89, len(line.rstrip()), 10)]
            stated[player] = Fraction(line[80:84].strip())
    played = max(number for row in rows.values() for number, cell in enumerate(row, start=1) if cell.is_game)
    absent = frozenset(player for player, row in rows.items() if row[played:] and row[played].result == "Z")
    for player, row in rows.items():
        earned = Fraction(sum(EARNED[cell.result] for cell in row), 2)
        if earned != stated[player]:
            raise ValueError(
                f"{name}: player {player} is said to have {stated[player]} points, its results give {earned}"
            )
    return Report({player: row[:played] for player, row in rows.items()}, absent)


def _cell(text: str) -> Cell:
    return Cell(opponent=int(text[2:6]), colour=text[7], result=text[9])
