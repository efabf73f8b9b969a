"""Is one bot stronger than another? Asked here, and followed while it is played."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from bots.compare import verdict_sentence
from tournaments.errors import TournamentError
from tournaments.models import Account, BotVersion, Comparison
from tournaments.selectors.compare import ComparisonState, comparison_state, comparisons, names, versions_to_compare
from tournaments.services.compare import (
    FEWEST_GAMES,
    MOST_GAMES,
    USUAL_GAP,
    USUAL_MOST_GAMES,
    comparison_start,
)
from tournaments.services.registration import may_organise
from tournaments.services.running import tournament_cancel
from web.api.compare import find_comparison
from web.charts import EvidencePoint, evidence_chart, whisker
from web.pages.finding import account_of, found
from web.pages.forms import PageForm

SECTION = "my_bots"
SHOWN = 10


class ComparisonForm(PageForm):
    a = forms.ModelChoiceField(
        label="A, what you have",
        queryset=BotVersion.objects.none(),
        empty_label=None,
        error_messages={
            "required": "Choose what is to be compared with.",
            "invalid_choice": "That one is not connected now: choose from the list.",
        },
    )
    b = forms.ModelChoiceField(
        label="B, what you hope is stronger",
        queryset=BotVersion.objects.none(),
        empty_label=None,
        error_messages={
            "required": "Choose what you hope is stronger.",
            "invalid_choice": "That one is not connected now: choose from the list.",
        },
    )
    least_gap = forms.FloatField(
        label="The gain that must not be missed, in points a game",
        min_value=1,
        max_value=100,
        help_text="Half of it takes four times the games: about 200 for 10 points, 700 for 5.",
        error_messages={
            "required": "Give a number of points, as 10.",
            "invalid": "That is no number: give points a game, as 10.",
            "min_value": "%(show_value)s is too little to be found out: give 1 or more.",
            "max_value": "%(show_value)s is too much: give 100 or less.",
        },
    )
    most_games = forms.IntegerField(
        label="Games at the most",
        min_value=FEWEST_GAMES,
        max_value=MOST_GAMES,
        help_text="If it is not clear by then, it ends undecided.",
        error_messages={
            "required": "Give a number of games, as 600.",
            "invalid": "That is no whole number: give games, as 600.",
            "min_value": "%(show_value)s games decide nothing: give %(limit_value)s or more.",
            "max_value": "%(show_value)s games are too many: give %(limit_value)s or fewer.",
        },
    )

    def __init__(self, account: Account, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("a", "b"):
            field: Any = self.fields[name]
            field.queryset = versions_to_compare(account)

    def refused(self, error: TournamentError) -> None:
        self.refuse(error, "most_games" if error.code == "invalid" else "a")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    form = ComparisonForm(account, request.POST or None, initial=_usual(request, account))
    if request.method == "POST" and form.is_valid():
        try:
            made = comparison_start(actor=account, **form.cleaned_data)
        except TournamentError as error:
            form.refused(error)
        else:
            messages.success(request, "The comparison has begun.")
            return redirect("comparison", made.tournament.public_id)
    context = {
        "section": SECTION,
        "form": form,
        "choices": versions_to_compare(account).count(),
        "own": [(each, names(each)) for each in comparisons().filter(tournament__organiser=account)[:SHOWN]],
    }
    return render(request, "pages/new_comparison.html", context)


@require_safe
def comparison(request: HttpRequest, comparison: str) -> HttpResponse:
    return render(request, "pages/comparison.html", _live(request, found(find_comparison, comparison)))


@require_safe
def live(request: HttpRequest, comparison: str) -> HttpResponse:
    return render(request, "pages/comparison_live.html", _live(request, found(find_comparison, comparison)))


@login_required
def stop(request: HttpRequest, comparison: str) -> HttpResponse:
    row = found(find_comparison, comparison)
    if request.method == "POST" and may_organise(account_of(request), row.tournament):
        try:
            tournament_cancel(
                tournament=row.tournament, actor=account_of(request), reason="stopped by who asked for it"
            )
        except TournamentError as error:
            messages.error(request, error.message)
    return redirect("comparison", comparison)


def _usual(request: HttpRequest, account: Account) -> dict[str, Any]:
    """B is the bot from whose page one comes, in its newest version; A the next that is connected."""
    here = list(versions_to_compare(account))
    own = [each for each in here if each.bot.public_id == request.GET.get("b")]
    b = own[-1] if own else None
    a = next((each for each in reversed(own) if each != b), None) or next((each for each in here if each != b), None)
    return {"a": a, "b": b, "least_gap": f"{USUAL_GAP:g}", "most_games": USUAL_MOST_GAMES}


def _live(request: HttpRequest, row: Comparison) -> dict[str, Any]:
    state = comparison_state(row)
    points = [EvidencePoint(look.games, look.llr) for look in state.looks]
    user = request.user
    return {
        "section": SECTION,
        "comparison": row,
        "tournament": row.tournament,
        "state": state,
        "names": names(row),
        "sentence": _sentence(state),
        "is_live": not state.is_over,
        "may_stop": not state.is_over and isinstance(user, Account) and may_organise(user, row.tournament),
        "whisker": _whisker(state),
        "chart": evidence_chart(
            points, bounds=(state.progress.lower, state.progress.upper), title="Evidence after each round"
        ),
        "percent": f"{100 * state.progress.level:.0f}",
    }


def _sentence(state: ComparisonState) -> SafeString:
    """The names in `bdi`: whatever they hold, the sentence stays in its order."""
    text: str = escape(verdict_sentence(state.plan, state.progress, "{a}", "{b}"))
    for place, name in zip(("{a}", "{b}"), names(state.comparison), strict=True):
        text = text.replace(place, format_html("<bdi>{}</bdi>", name), 1)
    return SafeString(text)


def _whisker(state: ComparisonState) -> SafeString:
    if state.progress.interval is None:
        return SafeString("")
    low, high = state.progress.interval
    reach = max(abs(low), abs(high), state.plan.least_gap)
    label = f"{state.progress.estimate:+.1f} points a game, {low:+.1f} to {high:+.1f}"
    return whisker(state.progress.estimate, low, high, axis=(-reach, reach), label=label, reference=0.0)
