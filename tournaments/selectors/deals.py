"""What deals follow from, put together from the rows."""

from typing import Any

from tournaments import seeds
from tournaments.models import Attempt, Stage


def place_of(stage: Stage) -> dict[str, Any]:
    """What every seed of the stage is derived from, as arguments for `tournaments.seeds`."""
    tournament = stage.tournament
    secret = tournament.secrets.order_by("-number")[0]
    return {
        "secret": bytes(secret.secret),
        "entropy": bytes.fromhex(tournament.entropy),
        "tournament": tournament.public_id,
        "stage": stage.number,
    }


def seed_of(attempt: Attempt) -> bytes:
    """What the attempt is dealt from. Nobody but a referee may have it before the deal set is final."""
    deal_set = attempt.game.deal_set
    stage = deal_set.tournament_round.stage
    return seeds.deal_seed(
        bytes(deal_set.secret.secret),
        bytes.fromhex(stage.tournament.entropy),
        tournament=stage.tournament.public_id,
        stage=stage.number,
        tournament_round=deal_set.tournament_round.number,
        deal_set=deal_set.number,
        replacement=attempt.replacement,
    )
