"""Figures and plans as people read them. Pure."""

import keyword
import re
import sys
from fractions import Fraction

from tournaments.models import RoundPace, Stage, StageFormat, Tournament
from tournaments.ranking import Tiebreak

MINUTE_S = 60
HOUR_S = 3600

TIEBREAKS = {
    Tiebreak.OPPONENT_POINTS: ("Opponents", "Mean of the points that its opponents have"),
    Tiebreak.FIRST_PLACES: ("Firsts", "Games won; a shared first place counts its share"),
    Tiebreak.MEAN_MARGIN: ("Margin", "Mean over its games of the others’ card points less its own"),
    Tiebreak.DIRECT: ("Direct", "Points against those it is still tied with"),
}
"""Heading and meaning of a column."""


def figure(value: Fraction | None) -> str:
    """At most two decimals: 2, 2.5, 2.33; a dash for nothing."""
    if value is None:
        return "–"
    text = f"{float(value):.2f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def margin(value: Fraction | None) -> str:
    """Card points with their sign: +12.5, −3, 0."""
    if value is None:
        return "–"
    text = f"{float(value):.1f}".removesuffix(".0").replace("-", "−")
    return f"+{text}" if value > 0 else text


def signed1(value: float) -> str:
    """A rating change: +12.5, −3.0."""
    return f"{value:+.1f}".replace("-", "−")


def signed2(value: float) -> str:
    """Points of the tournament more or less: +0.25, −0.10."""
    return f"{value:+.2f}".replace("-", "−")


def duration(seconds: float) -> str:
    """In its two largest units: 45 s, 2 min, 1 h 40 min, 2 d 3 h."""
    whole = max(0, round(seconds))
    units = (("d", 24 * HOUR_S), ("h", HOUR_S), ("min", MINUTE_S), ("s", 1))
    parts: list[str] = []
    for name, size in units:
        count, whole = divmod(whole, size)
        if count or (name == "s" and not parts):
            parts.append(f"{count} {name}")
        elif parts:
            break
    return " ".join(parts[:2])


def milliseconds(ms: int) -> str:
    """A budget, or what was used of one: 250 ms, 2.1 s, 2 min."""
    if ms < 1000:
        return f"{ms} ms"
    if ms < 60_000:
        return f"{ms / 1000:.3f}".rstrip("0").rstrip(".") + " s"
    return duration(ms / 1000)


def plural(count: int, one: str, many: str = "") -> str:
    """1 match, 2 matches."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def stage_words(stage: Stage) -> str:
    """Swiss, 4 rounds at tables of 4."""
    table = "two at a table" if stage.seats == 2 else f"tables of {stage.seats}"
    if stage.format == StageFormat.SWISS:
        words = f"Swiss, {plural(stage.rounds, 'round')}, {table}"
    elif stage.is_elimination:
        words = f"{stage.get_format_display()}{_cut_words(stage)}, {table}{_going_on_words(stage)}"
    else:
        laps = f", {plural(stage.laps, 'lap')}" if stage.laps > 1 else ""
        words = f"Round robin, {table}{laps}"
    return words + (f", {stage.games_per_match} games a match" if stage.games_per_match > 1 else "")


def _cut_words(stage: Stage) -> str:
    return f" of the best {stage.top_cut}" if stage.top_cut else ""


def _going_on_words(stage: Stage) -> str:
    if stage.seats == 2:
        return ", with a match for third place" if stage.has_third_place else ""
    go_on = stage.go_on or stage.seats // 2
    return f", of which {'the best goes' if go_on == 1 else f'the best {go_on} go'} on"


def tiebreak_words(tournament: Tournament) -> str:
    """What follows the points: opponents, firsts, margin."""
    headings = [TIEBREAKS[each][0].lower() for each in tournament.tiebreak_order]
    return f"by {', then '.join(headings)}" if headings else "share a place"


def act_words(name: str) -> str:
    """The name of an act or a value as people read it: `match_void` is "match void"."""
    return name.replace("_", " ")


def pace_words(tournament: Tournament) -> str:
    """When rounds after the first open: every day at 20:00 (Europe/Berlin)."""
    if tournament.round_pace == RoundPace.DAILY and tournament.round_time:
        return f"every day at {tournament.round_time:%H:%M} ({tournament.round_zone})"
    if tournament.round_pace == RoundPace.EVERY and tournament.round_minutes:
        return f"every {duration(60 * tournament.round_minutes)}"
    return "one after the other"


def module_name(name: str) -> str:
    """A Python file for the bot of this name, without `.py`: what `crowns new` takes."""
    words = "_".join(re.findall(r"[a-z0-9]+", name.lower()))
    is_usable = words.isidentifier() and not keyword.iskeyword(words) and words not in sys.stdlib_module_names
    return words if is_usable and words not in _TAKEN else "my_bot"


_TAKEN = ("random", "simple", "greedy", "planner")
