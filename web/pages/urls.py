"""Addresses of pages. Ids in them are public ones."""

from django.urls import path

from web.pages import audit, bots, compare, exports, fairness, games, guide, home, mail, matches, my_bots, tournaments

urlpatterns = [
    path("", home.home, name="home"),
    path("live/", home.live, name="home_live"),
    path("tournaments/", tournaments.tournament_list, name="tournament_list"),
    path("tournaments/<slug:tournament>/", tournaments.tournament, name="tournament"),
    path("tournaments/<slug:tournament>/live/", tournaments.live, name="tournament_live"),
    path("tournaments/<slug:tournament>/rounds/<int:stage>/<int:number>/", tournaments.a_round, name="round"),
    path("tournaments/<slug:tournament>/fairness/", fairness.fairness, name="tournament_fairness"),
    path("tournaments/<slug:tournament>/enter/", tournaments.enter, name="tournament_enter"),
    path("tournaments/<slug:tournament>/leave/", tournaments.leave, name="tournament_leave"),
    path("tournaments/<slug:tournament>/audit/", audit.audit, name="tournament_audit"),
    path("tournaments/<slug:tournament>/export/<str:name>", exports.export, name="tournament_export"),
    path("tournaments/<slug:tournament>/withdraw/<slug:bot>/", tournaments.withdraw, name="tournament_withdraw"),
    path("matches/<slug:match>/", matches.match, name="match"),
    path("matches/<slug:match>/live/", matches.live, name="match_live"),
    path("games/<slug:game>/", games.game, name="game"),
    path("games/<slug:game>/record", games.record, name="game_record"),
    path("bots/", bots.bot_list, name="bot_list"),
    path("bots/<slug:bot>/", bots.bot, name="bot"),
    path("comparisons/<slug:comparison>/", compare.comparison, name="comparison"),
    path("comparisons/<slug:comparison>/live/", compare.live, name="comparison_live"),
    path("comparisons/<slug:comparison>/stop/", compare.stop, name="comparison_stop"),
    path("leaderboard/", bots.leaderboard, name="leaderboard"),
    path("my-bots/", my_bots.my_bots, name="my_bots"),
    path("my-bots/mail/", mail.mail, name="my_mail"),
    path("my-bots/new/", my_bots.new, name="new_bot"),
    path("my-bots/compare/", compare.new, name="new_comparison"),
    path("my-bots/<slug:bot>/", my_bots.my_bot, name="my_bot"),
    path("my-bots/<slug:bot>/token/", my_bots.token, name="bot_token"),
    path("my-bots/<slug:bot>/test-match/", my_bots.test_match, name="bot_test_match"),
    path("my-bots/<slug:bot>/delete/", my_bots.delete, name="bot_delete"),
    path("write-a-bot/", guide.write_a_bot, name="write_a_bot"),
    path("downloads/<str:name>", guide.download, name="download"),
]
