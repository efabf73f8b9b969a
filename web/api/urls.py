"""Addresses of the API. Without a slash at the end; who adds one is sent on."""

from django.urls import include, path, re_path

from web.api import accounts, acts, bots, brackets, entries, games, reports, rounds, tournaments, whoami
from web.api.reference import Nowhere, reference
from web.api.schema import SchemaDocument

v1 = [
    path("login", accounts.Login.as_view(), name="api_login"),
    path("logout", accounts.Logout.as_view()),
    path("logout-all", accounts.LogoutAll.as_view()),
    path("me", accounts.Me.as_view()),
    path("me/bots", bots.MyBots.as_view()),
    path("me/tournaments", tournaments.MyTournaments.as_view()),
    path("me/notices", accounts.MyNotices.as_view()),
    path("tournaments", tournaments.Tournaments.as_view()),
    path("tournaments/<slug:tournament>", tournaments.TournamentDetail.as_view()),
    path("tournaments/<slug:tournament>/open-registration", tournaments.TournamentOpenRegistration.as_view()),
    path("tournaments/<slug:tournament>/start", tournaments.TournamentStart.as_view()),
    path("tournaments/<slug:tournament>/pause", tournaments.TournamentPause.as_view()),
    path("tournaments/<slug:tournament>/resume", tournaments.TournamentResume.as_view()),
    path("tournaments/<slug:tournament>/cancel", tournaments.TournamentCancel.as_view()),
    path("tournaments/<slug:tournament>/rounds", rounds.Rounds.as_view()),
    path("tournaments/<slug:tournament>/matches", rounds.TournamentMatches.as_view()),
    path("tournaments/<slug:tournament>/entrants", rounds.Entrants.as_view()),
    path("tournaments/<slug:tournament>/stages/<int:stage>/standings", rounds.StageStandings.as_view()),
    path("tournaments/<slug:tournament>/stages/<int:stage>/bracket", brackets.StageBracketView.as_view()),
    path("tournaments/<slug:tournament>/stages/<int:stage>/places", brackets.StagePlaces.as_view()),
    path("tournaments/<slug:tournament>/strength", reports.TournamentStrengths.as_view()),
    path("tournaments/<slug:tournament>/fairness", reports.TournamentFairness.as_view()),
    path("tournaments/<slug:tournament>/entries", entries.Entries.as_view()),
    path("tournaments/<slug:tournament>/entries/<slug:bot>", entries.Entry.as_view()),
    path("tournaments/<slug:tournament>/entries/<slug:bot>/withdraw", entries.EntryWithdraw.as_view()),
    path("tournaments/<slug:tournament>/rounds/<int:stage>/<int:number>/rerun", acts.RoundRerun.as_view()),
    path("tournaments/<slug:tournament>/rounds/<int:stage>/<int:number>/roll-back", acts.RollBack.as_view()),
    path("matches/<slug:match>", games.MatchDetail.as_view()),
    path("matches/<slug:match>/retry", acts.MatchRetry.as_view()),
    path("matches/<slug:match>/rerun", acts.MatchRerun.as_view()),
    path("matches/<slug:match>/void", acts.MatchVoid.as_view()),
    path("matches/<slug:match>/correct", acts.MatchCorrect.as_view()),
    path("games/<slug:game>", games.GameDetail.as_view()),
    path("games/<slug:game>/rerun", acts.GameRerun.as_view()),
    path("games/<slug:game>/record", games.GameRecordFile.as_view()),
    path("games/<slug:game>/transcript", games.GameTranscript.as_view()),
    path("live", rounds.Live.as_view()),
    path("bots", bots.Bots.as_view()),
    path("bots/<slug:bot>", bots.BotDetail.as_view()),
    path("bots/<slug:bot>/token", bots.BotToken.as_view()),
    path("bots/<slug:bot>/test-matches", bots.BotTestMatches.as_view()),
    path("bots/<slug:bot>/versions", bots.BotVersions.as_view()),
    path("bots/<slug:bot>/ratings", bots.BotRatings.as_view()),
    path("bots/<slug:bot>/matches", bots.BotMatches.as_view()),
    path("bots/<slug:bot>/faults", bots.BotFaults.as_view()),
    path("leaderboard", bots.Leaderboard.as_view()),
    path("bot", whoami.WhoAmI.as_view()),
]

urlpatterns = [
    path("v1/", include(v1)),
    path("schema/", SchemaDocument.as_view(), name="api_schema"),
    path("", reference, name="api_reference"),
    re_path("", Nowhere.as_view()),
]
