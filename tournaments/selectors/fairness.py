"""The fairness of a tournament from its own games: seats, meetings, shared deals, who lags and gains."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments import ranking
from tournaments.models import DealMode, Entrant, Game, Match, Tournament
from tournaments.ranking.fairness import Appearance, Lag, Spread, lags, latenesses, spread_removed
from tournaments.ranking.shared_deals import LEAST_TABLES
from tournaments.selectors.results import SettledMatch, settled_matches, shared_deal

FAIR_SPREAD = 2
"""A larger one is stated (DESIGN 6)."""


@dataclass(frozen=True, slots=True)
class SeatsLine:
    """How often an entrant sat where."""

    entrant: Entrant
    by_seat: tuple[int, ...]
    """Games in each seat, from seat 0 to the last of the largest table."""
    spread: int
    """Most less least sittings over the seats of tables of one size, the largest of all sizes."""

    @property
    def is_wide(self) -> bool:
        return self.spread > FAIR_SPREAD


@dataclass(frozen=True, slots=True)
class Meetings:
    """Matches that each two entrants played with each other."""

    least: int
    most: int
    pairs: int
    never: int
    """Pairs that did not meet."""


@dataclass(frozen=True, slots=True)
class DealsUsed:
    """What became of shared deals."""

    sets: int
    least_tables: int
    most_tables: int
    """Of the sets that compared seats."""
    compared: int
    """Games whose points compared seats."""
    left_over: int
    """Games of tables for which no set was found."""
    retired: int
    """Games that left their set since a seat retired."""
    replaced: int
    """Games that left their set since they were played from another seed."""
    too_few: int
    """Games of sets with too few tables left to compare."""

    @property
    def by_place(self) -> int:
        return self.left_over + self.retired + self.replaced + self.too_few


@dataclass(frozen=True, slots=True)
class LagLine:
    entrant: Entrant
    lag: Lag


@dataclass(frozen=True, slots=True)
class Fairness:
    games: int
    """Those that count."""
    seats: tuple[SeatsLine, ...]
    """The widest spread first, then by seed number."""
    meetings: Meetings | None
    """None before anybody has played."""
    deals: DealsUsed | None
    """None where no deal is shared."""
    lags: tuple[LagLine, ...]
    spread: Spread | None

    @property
    def most_seats(self) -> int:
        return len(self.seats[0].by_seat) if self.seats else 0

    @property
    def wide(self) -> int:
        """Entrants whose spread over the seats is to be stated."""
        return sum(line.is_wide for line in self.seats)

    @property
    def standing_out(self) -> tuple[LagLine, ...]:
        return tuple(line for line in self.lags if line.lag.stands_out)


def tournament_fairness(tournament: Tournament) -> Fairness:
    """From matches that are scored; a handful of queries whatever their number."""
    entrants = {row.pk: row for row in tournament.entrants.select_related("bot__owner").order_by("seed_number", "pk")}
    matches = Match.objects.filter(tournament_round__stage__tournament=tournament)
    played = [each for each in settled_matches(matches) if each.is_played]
    games = [game for each in played for game in each.games]
    sharing = [each for each in played if each.match.tournament_round.stage.deal_mode != DealMode.INDEPENDENT]
    sets = _compared_sets(sharing)
    return Fairness(
        games=len(games),
        seats=_seats(entrants.values(), games),
        meetings=_meetings(len(entrants), played),
        deals=_deals(sharing, sets) if tournament.stages.exclude(deal_mode=DealMode.INDEPENDENT).exists() else None,
        lags=tuple(LagLine(entrants[lag.entrant], lag) for lag in lags(_appearances(sets))),
        spread=spread_removed([_margins(tables) for tables in sets]),
    )


def _seats(entrants: Iterable[Entrant], games: Sequence[Game]) -> tuple[SeatsLine, ...]:
    sittings: dict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
    for game in games:
        rows = game.game_seats.all()
        for row in rows:
            sittings[row.entrant_id][len(rows), row.seat] += 1
    most = max((size for own in sittings.values() for size, _ in own), default=0)
    lines = [_seats_line(entrant, sittings[entrant.pk], most) for entrant in entrants]
    return tuple(sorted(lines, key=lambda line: -line.spread))


def _seats_line(entrant: Entrant, own: Counter[tuple[int, int]], most: int) -> SeatsLine:
    by_size = [[own[size, seat] for seat in range(size)] for size in {size for size, _ in own}]
    by_seat = tuple(sum(each[seat] for each in by_size if seat < len(each)) for seat in range(most))
    return SeatsLine(entrant, by_seat, max((max(each) - min(each) for each in by_size), default=0))


def _meetings(entrants: int, played: Sequence[SettledMatch]) -> Meetings | None:
    met: Counter[tuple[int, int]] = Counter()
    for each in played:
        met.update(combinations(sorted(entrant.pk for entrant in each.entrants), 2))
    if not met:
        return None
    pairs = entrants * (entrants - 1) // 2
    never = pairs - len(met)
    return Meetings(least=0 if never else min(met.values()), most=max(met.values()), pairs=pairs, never=never)


def _retired(game: Game) -> bool:
    return any(row.retired_in_round is not None for row in game.game_seats.all())


def _compared_sets(sharing: Sequence[SettledMatch]) -> list[list[Game]]:
    """The games of each deal set that compared seats."""
    found: dict[int, list[Game]] = defaultdict(list)
    for each in sharing:
        for game, result in zip(each.games, each.results(), strict=True):
            if result.deal_set is not None and not _retired(game):
                found[game.deal_set_id].append(game)
    return [games for games in found.values() if len(games) >= LEAST_TABLES]


def _deals(sharing: Sequence[SettledMatch], sets: Sequence[Sequence[Game]]) -> DealsUsed:
    games = [game for each in sharing for game in each.games]
    compared = sum(map(len, sets))
    alone = [each.match for each in sharing for game in each.games if game.deal_set.mode == DealMode.INDEPENDENT]
    left_over = sum(not match.replacement for match in alone)
    replaced = sum(game.deal_set.mode != DealMode.INDEPENDENT and game.replacement > 0 for game in games)
    replaced += len(alone) - left_over
    retired = sum(shared_deal(game) is not None and _retired(game) for game in games)
    return DealsUsed(
        sets=len(sets),
        least_tables=min(map(len, sets), default=0),
        most_tables=max(map(len, sets), default=0),
        compared=compared,
        left_over=left_over,
        retired=retired,
        replaced=replaced,
        too_few=len(games) - compared - left_over - replaced - retired,
    )


def _results(tables: Sequence[Game]) -> list[ranking.GameResult]:
    """By seat."""
    found = []
    for game in tables:
        rows = sorted(game.game_seats.all(), key=lambda row: row.seat)
        found.append(
            ranking.GameResult(
                places=tuple(row.place or 0 for row in rows),
                scores=tuple(row.score or 0 for row in rows),
                seats=tuple(row.seat for row in rows),
                deal_set=game.deal_set_id,
            )
        )
    return found


def _appearances(sets: Sequence[Sequence[Game]]) -> list[Appearance]:
    found: list[Appearance] = []
    for tables in sets:
        late = latenesses([game.finished_at.timestamp() if game.finished_at else 0.0 for game in tables])
        points = ranking.round_points([[each] for each in _results(tables)])
        for game, lateness, shares in zip(tables, late, points, strict=True):
            rows = game.game_seats.all()
            found += [Appearance(row.entrant_id, lateness, float(shares[row.seat])) for row in rows]
    return found


def _margins(tables: Sequence[Game]) -> list[dict[int, tuple[int, float]]]:
    by_table = [ranking.margins(each) for each in _results(tables)]
    return [
        {row.seat: (row.entrant_id, float(margins[row.seat] or 0)) for row in game.game_seats.all()}
        for game, margins in zip(tables, by_table, strict=True)
    ]
