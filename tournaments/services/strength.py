"""How strong the entrants of a finished tournament are: computed by a worker, since it may take seconds."""

import math
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tournaments.models import Match, StrengthReport, Tournament, TournamentKind, TournamentStatus
from tournaments.selectors.results import SettledMatch, settled_matches, shared_deal
from tournaments.services.hints import COMPUTE_STRENGTH, hint, hint_each

if TYPE_CHECKING:
    from tournaments.ranking.strength import DealtGame, Estimate, Strengths

GAME_ROUNDS = 11
"""Rounds of a playoff decide the first place alone (RULES 20)."""
MOST_FITTED = 300
"""Entrants up to which the Bradley-Terry fit is made; it takes seconds then, and grows with the square of the field."""
LEASE = timedelta(minutes=10)
"""After it another worker may try."""
AT_MOST = 20
"""Tournaments for which the sweeper sends a hint at a time."""


def strengths_due(tournament: Tournament) -> None:
    """To be called whenever results of a tournament that is over have changed; before that, and of test matches and
    comparisons, nobody asks."""
    due = Tournament.objects.filter(pk=tournament.pk, status=TournamentStatus.FINISHED)
    if due.exclude(kind__in=(TournamentKind.TEST, TournamentKind.COMPARE)).update(strength_due_at=timezone.now()):
        hint(COMPUTE_STRENGTH, tournament.pk)


def strengths_sweep() -> int:
    """Hints for what is due still: theirs were lost, or the worker was."""
    due = Tournament.objects.filter(strength_due_at__lte=timezone.now()).order_by("strength_due_at")
    ids = list(due.values_list("pk", flat=True)[:AT_MOST])
    hint_each(COMPUTE_STRENGTH, ids)
    return len(ids)


def strengths_compute(*, tournament: Tournament) -> StrengthReport | None:
    """Once for every time that it became due, however many workers are asked; None if it is not due."""
    claimed_until = timezone.now() + LEASE
    due = Q(pk=tournament.pk, strength_due_at__lte=timezone.now())
    if not Tournament.objects.filter(due).update(strength_due_at=claimed_until):
        return None
    games = _dealt_games(tournament)
    measures = _measures(games, f"strength {tournament.public_id}".encode())
    with transaction.atomic():
        report, _ = StrengthReport.objects.update_or_create(
            tournament=tournament,
            defaults={"games": len(games), "measures": measures, "computed_at": timezone.now()},
        )
        # If it became due again meanwhile, it stays so.
        Tournament.objects.filter(pk=tournament.pk, strength_due_at=claimed_until).update(strength_due_at=None)
    return report


def _dealt_games(tournament: Tournament) -> list["DealtGame"]:
    """Every game that counts. Those with one deal have one number, from 1 on; the others have numbers below 0."""
    own_numbers = count(-1, -1)
    matches = Match.objects.filter(tournament_round__stage__tournament=tournament)
    return [
        _dealt_game(each, at, own_numbers)
        for each in settled_matches(matches)
        if each.is_played
        for at in range(len(each.games))
    ]


def _dealt_game(settled: SettledMatch, at: int, own_numbers: Iterator[int]) -> "DealtGame":
    from tournaments.ranking.strength import DealtGame  # loads numpy and scipy

    game = settled.games[at]
    places = dict(zip((entrant.pk for entrant in settled.entrants), settled.places()[at], strict=True))
    seats = sorted(game.game_seats.all(), key=lambda row: row.seat)
    retired = [row.retired_in_round for row in seats if row.retired_in_round is not None]
    return DealtGame(
        deal_set=next(own_numbers) if shared_deal(game) is None else game.deal_set_id,
        entrants=tuple(row.entrant_id for row in seats),
        places=tuple(places[row.entrant_id] for row in seats),
        game_rounds=tuple(tuple(told["scores"]) for told in game.game_rounds if told["game_round"] <= GAME_ROUNDS),
        retired_in_round=min(retired, default=None),
    )


def _measures(games: Sequence["DealtGame"], seed: bytes) -> list[dict[str, Any]]:
    from tournaments.ranking.strength import margin_strengths, pair_strengths  # loads numpy and scipy

    measures = [margin_strengths(games, seed)]
    if len({entrant for game in games for entrant in game.entrants}) <= MOST_FITTED:
        measures.append(pair_strengths(games, seed))
    return [_measure(each) for each in measures if each.estimates]


def _measure(strengths: "Strengths") -> dict[str, Any]:
    """{"measure", "lead": {"verdict", "entrants"}, "lines": best first}."""
    lead = strengths.lead()
    lines = [_line(each) for each in strengths.estimates]
    for line, (one, other) in zip(lines, pairwise(strengths.estimates), strict=False):
        difference = strengths.difference(one.entrant, other.entrant)
        line["next"] = {
            "above": difference.above,
            "is_separated": difference.is_separated,
            "more_sets": difference.more_sets,
        }
    return {
        "measure": strengths.measure.value,
        "lead": {"verdict": lead.verdict.value, "entrants": list(lead.entrants)},
        "lines": lines,
    }


def _line(estimate: "Estimate") -> dict[str, Any]:
    """One entrant; `next` says how it stands to the one below. An interval without end has no figures in JSON."""
    is_bounded = math.isfinite(estimate.low) and math.isfinite(estimate.high)
    return {
        "entrant": estimate.entrant,
        "value": estimate.value,
        "low": estimate.low if is_bounded else None,
        "high": estimate.high if is_bounded else None,
        "deal_sets": estimate.deal_sets,
        "could_be": list(estimate.could_be) if estimate.could_be else None,
        "next": None,
    }
