"""Strengths with their intervals, ready to be written down."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from tournaments.models import Entrant, Tournament
from tournaments.selectors.strength import StrengthLine, StrengthTable, tournament_strength
from web.charts import whisker
from web.pages.words import plural, signed1

LEAST_SETS = 6
"""As `tournaments.ranking.strength` has it, which loads numpy."""
NAMED = 4
"""Leaders whose names are written out."""
MANY = 1000
"""More deals than these are no plan."""
_WORDS = {
    "margin": ("By margin", "Card points a game round better than who held the same cards"),
    "bradley_terry": ("By who beat whom", "Rating points above the mean of the field; allows for who was met"),
}


@dataclass(frozen=True, slots=True)
class Row:
    line: StrengthLine
    value: str
    give_or_take: str
    """Half the interval; empty if it has no end."""
    whisker: SafeString | str
    could_be: str
    above_next: str
    more: str
    """What would tell it from the one below."""

    @property
    def mark(self) -> str:
        """The line between it and the one above: solid, dashed, or that of a table."""
        return "is-clear" if self.line.is_clear_of_above else "is-close"


@dataclass(frozen=True, slots=True)
class Panel:
    measure: str
    heading: str
    meaning: str
    leaders: tuple[Entrant, ...]
    """Those whose names are written out."""
    unnamed: int
    verdict: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    games: int
    is_enough: bool
    most_deal_sets: int
    least_deal_sets: int
    """Needed to say something of an entrant."""
    panels: tuple[Panel, ...]


def shown_strength(tournament: Tournament) -> Shown | None:
    """None before it was computed."""
    found = tournament_strength(tournament)
    if found is None or not found.games:
        return None
    panels = tuple(_panel(table) for table in found.tables) if found.is_enough else ()
    return Shown(found.games, found.is_enough, found.most_deal_sets, LEAST_SETS, panels)


def _panel(table: StrengthTable) -> Panel:
    heading, meaning = _WORDS[table.measure]
    axis = _axis(table.lines)
    return Panel(
        measure=table.measure,
        heading=heading,
        meaning=meaning,
        leaders=table.leaders[:NAMED],
        unnamed=len(table.leaders[NAMED:]),
        verdict=table.verdict,
        rows=tuple(_row(line, axis) for line in table.lines),
    )


def _axis(lines: Sequence[StrengthLine]) -> tuple[float, float]:
    ends = [end for line in lines for end in (line.interval or (line.value, line.value))]
    return (min([*ends, 0.0]), max([*ends, 0.0]))


def _row(line: StrengthLine, axis: tuple[float, float]) -> Row:
    value, half, bar = signed1(line.value), "", ""
    if line.interval:
        low, high = line.interval
        half = f"{(high - low) / 2:.1f}"
        label = f"{value}, by chance between {signed1(low)} and {signed1(high)}"
        bar = whisker(line.value, low, high, axis=axis, label=label, reference=0.0)
    return Row(
        line=line,
        value=value,
        give_or_take=half,
        whisker=bar,
        could_be=_range(line.could_be),
        above_next=_percent(line.next_below.above) if line.next_below and line.could_be else "",
        more=_more(line),
    )


def _range(ranks: tuple[int, int] | None) -> str:
    if ranks is None:
        return "–"
    return str(ranks[0]) if ranks[0] == ranks[1] else f"{ranks[0]}–{ranks[1]}"


def _percent(chance: float) -> str:
    """Never 0 or 100: nothing is that sure."""
    if chance > 0.99:
        return "over 99 %"
    return "under 1 %" if chance < 0.01 else f"{100 * chance:.0f} %"


def _more(line: StrengthLine) -> str:
    below = line.next_below
    if below is None or below.is_separated or below.more_sets is None or line.could_be is None:
        return ""
    if below.more_sets > MANY:
        return f"over {MANY} more deals would tell"
    return f"about {plural(below.more_sets, 'more deal')} would tell"
