"""Results changed over REST: who may, what would follow, what then happened."""

import pytest

from tests.support.factories import make_bots, make_organiser, make_owner, make_running
from tests.support.league import League
from tests.web.api.asking import Asker, asker
from tournaments.models import AuditEntry, Match, Tournament, TournamentRound
from tournaments.services.league_check import league_check
from tournaments.services.registration import StagePlan

pytestmark = pytest.mark.django_db

SAID = {"reason": "a slip"}


@pytest.fixture
def swiss(league: League) -> Tournament:
    """Of organiser1: one round closed, the second open."""
    bots = make_bots(4)
    league.connect(*bots)
    tournament = make_running(bots, stages=[StagePlan(seats=2, rounds=2)], turn_cap=1)
    while TournamentRound.objects.count() < 2:
        league.step()
    return tournament


def addresses(tournament: Tournament) -> dict[str, tuple[str, dict]]:
    match = Match.objects.filter(tournament_round__number=1).order_by("pk")[0]
    one, other = (row.entrant.public_id for row in match.match_entrants.all())
    places = [{"entrant": one, "place": 1}, {"entrant": other, "place": 1}]
    rounds = f"tournaments/{tournament.public_id}/rounds/1/1"
    return {
        "match_rerun": (f"matches/{match.public_id}/rerun", SAID),
        "match_void": (f"matches/{match.public_id}/void", SAID),
        "match_correct": (f"matches/{match.public_id}/correct", SAID | {"places": places}),
        "game_rerun": (f"games/{match.games.get().public_id}/rerun", SAID),
        "round_rerun": (f"{rounds}/rerun", SAID),
        "tournament_roll_back": (f"{rounds}/roll-back", SAID),
    }


ACTS = ("match_rerun", "match_void", "match_correct", "game_rerun", "round_rerun", "tournament_roll_back")


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_previewed_then_done(swiss: Tournament, act: str) -> None:
    path, said = addresses(swiss)[act]
    for who, status in ((Asker(), 401), (asker(make_owner()), 403)):
        answer = who.ask("POST", path, said)
        assert answer.status_code == status, answer.content
    me = asker(make_organiser())
    entries = AuditEntry.objects.count()
    shown = me.post(path, said | {"preview": True})
    assert AuditEntry.objects.count() == entries
    done = me.post(path, said)
    assert (shown.pop("is_preview"), done.pop("is_preview")) == (True, False)
    assert shown == done
    assert done["sentences"]
    assert AuditEntry.objects.filter(action=act).count() == 1
    assert league_check().problems == []


def test_what_an_act_cannot_be_asked(swiss: Tournament) -> None:
    me, paths = asker(make_organiser()), addresses(swiss)
    refused = [
        (paths["match_rerun"][0], {}, 400, "invalid"),
        (paths["match_rerun"][0], {"reason": "x", "preview": "maybe"}, 400, "invalid"),
        (paths["match_correct"][0], SAID | {"places": [{"entrant": "nobody", "place": 1}]}, 400, "invalid"),
        (paths["match_correct"][0], SAID | {"places": paths["match_correct"][1]["places"][:1]}, 400, "invalid"),
        (paths["match_correct"][0], SAID | {"places": paths["match_correct"][1]["places"] * 2}, 400, "invalid"),
        (f"tournaments/{swiss.public_id}/rounds/1/9/rerun", SAID, 404, "not_found"),
        (f"tournaments/{swiss.public_id}/rounds/1/2/rerun", SAID, 409, "invalid_transition"),
        (f"tournaments/{swiss.public_id}/rounds/1/2/roll-back", SAID, 409, "invalid_transition"),
        (paths["match_rerun"][0].replace("rerun", "retry"), None, 409, "invalid_transition"),
    ]
    for path, body, status, code in refused:
        answer = me.ask("POST", path, body)
        assert (answer.status_code, answer.json()["code"]) == (status, code), (path, answer.content)
