"""The pages of a comparison: what is asked, what is refused, what is shown while it is played."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.web.pages.world import World
from tournaments.models import Bot, Comparison, Presence, Tournament, TournamentStatus

As = Callable[[str], Client]


def versions(world: World) -> tuple[int, int]:
    bot = Bot.objects.get(public_id=world.bot)
    return bot.versions.get(name="0.9").pk, bot.versions.get(name="1").pk


def test_a_comparison_under_way(world: World, as_user: As) -> None:
    text = as_user("").get(f"/comparisons/{world.comparison}/").content.decode()
    for words in (
        "<bdi>greedy 1</bdi>",
        "Figures so far",
        "30 of 600 at the most",
        "99 %:",
        "not stronger: −2.9",
        "30 games",
        "Every game has cards of its own",
    ):
        assert words in text
    assert "Stop it" not in text
    assert "Stop it" in as_user("owner1").get(f"/comparisons/{world.comparison}/live/").content.decode()
    assert as_user("").get(f"/comparisons/{world.finished}/").status_code == 404, "a tournament, but no comparison"


def test_asked_from_the_page_of_a_bot(world: World, as_user: As) -> None:
    client = as_user("owner1")
    form = client.get(f"/my-bots/compare/?b={world.bot}")
    old, new = versions(world)
    chosen = form.context["form"].initial
    assert (chosen["a"].pk, chosen["b"].pk) == (new, old), "the version that was seen first against the one seen last"
    answer = client.post("/my-bots/compare/", {"a": old, "b": new, "least_gap": "10", "most_games": "100"})
    made = Comparison.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"/comparisons/{made.tournament.public_id}/")
    assert (made.least_gap, made.most_games, str(made)) == (10.0, 100, "greedy 1 against greedy 0.9")
    text = client.get(answer["Location"]).content.decode()
    assert (
        "Too early to say whether <bdi>greedy 1</bdi> is stronger than <bdi>greedy 0.9</bdi>: 0 of at least 20" in text
    )
    assert "The chart begins when the first round of games is over." in text
    client.post(f"/comparisons/{made.tournament.public_id}/stop/")
    made.tournament.refresh_from_db()
    assert made.tournament.status == TournamentStatus.CANCELLED
    text = client.get(answer["Location"]).content.decode()
    assert "It ended before the answer was clear (stopped by who asked for it)." in text


def test_nobody_else_stops_it(world: World, as_user: As) -> None:
    as_user("owner2").post(f"/comparisons/{world.comparison}/stop/")
    assert Tournament.objects.get(public_id=world.comparison).status == TournamentStatus.RUNNING


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"b": "same"}, "A and B are both greedy 0.9: choose two bots, or two versions of one."),
        ({"a": ""}, "Choose what is to be compared with."),
        ({"a": "0"}, "That one is not connected now: choose from the list."),
        ({"least_gap": "0"}, "0.0 is too little to be found out: give 1 or more."),
        ({"least_gap": "much"}, "That is no number: give points a game, as 10."),
        ({"most_games": "5000"}, "5000 games are too many: give 2000 or fewer."),
    ],
)
def test_bad_input(world: World, as_user: As, changes: dict[str, str], message: str) -> None:
    old, new = versions(world)
    data = {"a": old, "b": new, "least_gap": "10", "most_games": "100", **changes}
    if data["b"] == "same":
        data["b"] = old
    before = Comparison.objects.count()
    answer = as_user("owner1").post("/my-bots/compare/", data)
    assert answer.status_code == 200
    assert message in answer.content.decode()
    assert Comparison.objects.count() == before


def test_with_nothing_connected_it_says_what_is_needed(as_user: As) -> None:
    Presence.objects.all().delete()
    assert "Two must be connected" in as_user("owner1").get("/my-bots/compare/").content.decode()
