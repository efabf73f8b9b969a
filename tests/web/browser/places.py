"""Every page that a visitor can come to, in the state that shows most of it."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.web.pages.world import World
from tournaments.models import Match, Tournament

Path = Callable[[World], str]


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    path: Path
    user: str = ""


PLACES = (
    Place("home", lambda w: "/"),
    Place("tournaments", lambda w: "/tournaments/"),
    Place("tournaments-none", lambda w: "/tournaments/?q=nothing+like+it"),
    Place("tournament-finished", lambda w: f"/tournaments/{w.finished}/"),
    Place("tournament-running", lambda w: f"/tournaments/{w.running}/", "owner1"),
    Place("tournament-open", lambda w: f"/tournaments/{w.opened}/", "owner2"),
    Place("tournament-open-anonymous", lambda w: f"/tournaments/{w.opened}/"),
    Place("tournament-empty", lambda w: f"/tournaments/{w.empty}/", "owner1"),
    Place("tournament-cancelled", lambda w: f"/tournaments/{w.cancelled}/"),
    Place("tournament-field", lambda w: f"/tournaments/{w.field}/"),
    Place("fairness", lambda w: f"/tournaments/{w.field}/fairness/"),
    Place("match-field", lambda w: f"/matches/{w.field_match}/"),
    Place("tournament-bracket", lambda w: f"/tournaments/{w.bracket}/", "owner1"),
    Place("round-of-a-bracket", lambda w: f"/tournaments/{w.bracket}/rounds/2/1/"),
    Place("tournament-draft", lambda w: f"/tournaments/{w.draft}/", "organiser1"),
    Place("round", lambda w: f"/tournaments/{w.finished}/rounds/1/2/"),
    Place("match", lambda w: f"/matches/{w.played}/"),
    Place("match-stuck", lambda w: f"/matches/{w.stuck}/"),
    Place("match-playing", lambda w: f"/matches/{w.playing}/"),
    Place("match-waiting", lambda w: f"/matches/{w.waiting}/"),
    Place("match-unplayed", lambda w: f"/matches/{w.unplayed}/"),
    Place("game", lambda w: f"/games/{w.game}/?at=40"),
    Place("game-hidden", lambda w: f"/games/{w.hidden}/"),
    Place("game-public", lambda w: f"/games/{w.public}/"),
    Place("game-going-on", lambda w: f"/games/{w.going_on}/"),
    Place("leaderboard", lambda w: "/leaderboard/"),
    Place("bots", lambda w: "/bots/"),
    Place("bot", lambda w: f"/bots/{w.bot}/"),
    Place("bot-own", lambda w: f"/bots/{w.bot}/", "owner1"),
    Place("bot-nasty", lambda w: f"/bots/{w.nasty}/"),
    Place("bot-idle", lambda w: f"/bots/{w.idle}/"),
    Place("bot-deleted", lambda w: f"/bots/{w.deleted}/"),
    Place("write-a-bot", lambda w: "/write-a-bot/"),
    Place("no-download", lambda w: "/downloads/none.zip"),
    Place("my-bots", lambda w: "/my-bots/", "owner1"),
    Place("my-bots-none", lambda w: "/my-bots/", "organiser1"),
    Place("new-bot", lambda w: "/my-bots/new/", "owner1"),
    Place("my-bot", lambda w: f"/my-bots/{w.bot}/", "owner1"),
    Place("my-bot-idle", lambda w: f"/my-bots/{w.idle}/", "owner1"),
    Place("delete-bot", lambda w: f"/my-bots/{w.bot}/delete/", "owner1"),
    Place("log-in", lambda w: "/accounts/login/"),
    Place("sign-up", lambda w: "/accounts/signup/"),
    Place("log-out", lambda w: "/accounts/logout/", "owner1"),
    Place("password", lambda w: "/accounts/password/change/", "owner1"),
    Place("not-found", lambda w: "/nothing/here"),
    Place("audit", lambda w: f"/tournaments/{w.finished}/audit/", "organiser1"),
    Place("withdraw", lambda w: f"/tournaments/{w.running}/withdraw/{w.bot}/", "owner1"),
    Place("comparison", lambda w: f"/comparisons/{w.comparison}/", "owner1"),
    Place("new-comparison", lambda w: f"/my-bots/compare/?b={w.bot}", "owner1"),
    Place("my-mail", lambda w: "/my-bots/mail/", "owner1"),
    Place("not-yours", lambda w: f"/my-bots/{w.bot}/", "owner2"),
)


def _desk(model: type[Tournament] | type[Match], public_id: str, end: str) -> str:
    return f"/admin/tournaments/{model._meta.model_name}/{model.objects.get(public_id=public_id).pk}/{end}/"


DESK = (
    Place("desk", lambda w: "/admin/", "organiser1"),
    Place("desk-operator", lambda w: "/admin/", "operator1"),
    Place("desk-tournaments", lambda w: "/admin/tournaments/tournament/", "organiser1"),
    Place("desk-new", lambda w: "/admin/tournaments/tournament/add/", "organiser1"),
    Place("desk-draft", lambda w: _desk(Tournament, w.draft, "change"), "organiser1"),
    Place("desk-running", lambda w: _desk(Tournament, w.running, "change"), "organiser1"),
    Place("desk-start", lambda w: _desk(Tournament, w.opened, "do/start"), "organiser1"),
    Place("desk-enter", lambda w: _desk(Tournament, w.opened, "do/enter"), "organiser1"),
    Place("desk-cancel", lambda w: _desk(Tournament, w.running, "do/cancel"), "organiser1"),
    Place("desk-roll-back", lambda w: _desk(Tournament, w.running, "do/roll-back"), "organiser1"),
    Place("desk-correct", lambda w: _desk(Match, w.played, "do/correct"), "organiser1"),
    Place("desk-letters", lambda w: "/admin/tournaments/deadletter/", "operator1"),
    Place("desk-matches", lambda w: "/admin/tournaments/match/", "organiser1"),
    Place("desk-stuck", lambda w: _desk(Match, w.stuck, "change"), "organiser1"),
    Place("desk-bots", lambda w: "/admin/tournaments/bot/", "organiser1"),
    Place("desk-accounts", lambda w: "/admin/tournaments/account/", "operator1"),
    Place("desk-account-new", lambda w: "/admin/tournaments/account/add/", "operator1"),
    Place("desk-audit", lambda w: "/admin/tournaments/auditentry/", "operator1"),
)
"""The organiser's desk: Django's own pages with ours among them."""
