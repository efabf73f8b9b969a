"""What an organiser can do to a tournament or a match: the words of the page that asks, and the service that does it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.db import transaction

from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Bot,
    DeadLetter,
    DeadLetterStatus,
    Entrant,
    EntrantStatus,
    Match,
    MatchStatus,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.rehearsal import rehearsal
from tournaments.selectors.shards import live_shards
from tournaments.services.attempts import match_retry
from tournaments.services.corrections import match_correct, match_void
from tournaments.services.dead_letters import dead_letter_drop, dead_letter_replay, why_harmless
from tournaments.services.late import entrant_admit, late_entry_problem
from tournaments.services.registration import entrant_enter, entrant_withdraw, tournament_open_registration
from tournaments.services.reruns import game_rerun, match_rerun, round_name, round_rerun
from tournaments.services.rollback import tournament_roll_back
from tournaments.services.running import (
    tournament_cancel,
    tournament_pause,
    tournament_resume,
    tournament_start,
)

Do = Callable[[Any, Account, dict[str, Any]], str]
"""(row, actor, what the form says) -> what was done. Raises TournamentError."""
Facts = Callable[[Any], list[str]]
Preview = Callable[[Any, dict[str, Any]], Consequences]
"""(row, what the form says) -> what would follow. Raises TournamentError."""


class Confirm(forms.Form):
    """Nothing to say but yes."""

    use_required_attribute = False

    def __init__(self, row: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.row = row


class ReasonForm(Confirm):
    reason = forms.CharField(
        max_length=400,
        help_text="Owners and spectators read it.",
        error_messages={
            "required": "Say why: owners and spectators read it.",
            "max_length": "The reason has %(show_value)s characters: at most %(limit_value)s.",
        },
    )


class PauseForm(ReasonForm):
    reason = forms.CharField(max_length=400, required=False, help_text="Shown on the page of the tournament.")


class BotsForm(Confirm):
    """Bots that are not in it yet."""

    bots = forms.ModelMultipleChoiceField(
        queryset=Bot.objects.none(),
        to_field_name="public_id",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one bot.",
            "invalid_choice": "“%(value)s” is no bot that can be entered: choose from the list.",
            "invalid_pk_value": "“%(pk)s” is no bot: choose from the list.",
        },
    )

    def __init__(self, row: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(row, *args, **kwargs)
        choice: Any = self.fields["bots"]
        choice.queryset = (
            Bot.objects.filter(deleted_at=None)
            .exclude(entries__tournament=row)
            .select_related("owner")
            .order_by("-is_house", "owner__username", "name")
        )
        here = set(choice.queryset.filter(presences__shard__in=live_shards()).values_list("pk", flat=True))
        choice.label_from_instance = lambda bot: _bot_label(bot, bot.pk in here)


def _bot_label(bot: Bot, is_here: bool) -> str:
    kind = "house bot" if bot.is_house else f"by {bot.owner.username}"
    return f"{bot.name} ({kind}{', connected' if is_here else ''})"


class WithdrawForm(ReasonForm):
    entrant = forms.ModelChoiceField(
        queryset=Entrant.objects.none(),
        to_field_name="public_id",
        error_messages={
            "required": "Choose the bot that is to go.",
            "invalid_choice": "“%(value)s” is no bot that plays in it: choose from the list.",
        },
    )
    field_order = ("entrant", "reason")

    def __init__(self, row: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(row, *args, **kwargs)
        choice: Any = self.fields["entrant"]
        choice.queryset = row.entrants.filter(status=EntrantStatus.ENTERED).select_related("bot__owner")
        choice.label_from_instance = lambda entrant: _bot_label(entrant.bot, False)


class RerunForm(ReasonForm):
    game = forms.ChoiceField(required=False, label="What", help_text="The other results of the match are kept.")
    field_order = ("game", "reason")

    def __init__(self, row: Match, *args: Any, **kwargs: Any) -> None:
        super().__init__(row, *args, **kwargs)
        choice: Any = self.fields["game"]
        planned = row.tournament_round.stage.games_per_match
        games = row.games.filter(number__lte=planned).order_by("number")
        choice.choices = [("", "All games"), *((game.public_id, f"Game {game.number}") for game in games)]
        choice.error_messages["invalid_choice"] = "“%(value)s” is no game of the match: choose from the list."
        if planned == 1:
            del self.fields["game"]


class RoundForm(ReasonForm):
    tournament_round = forms.ModelChoiceField(
        queryset=TournamentRound.objects.none(),
        label="Round",
        error_messages={
            "required": "Choose the round.",
            "invalid_choice": "There is no such round: choose from the list.",
        },
    )
    field_order = ("tournament_round", "reason")

    def __init__(self, row: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(row, *args, **kwargs)
        choice: Any = self.fields["tournament_round"]
        choice.queryset = (
            TournamentRound.objects.filter(stage__tournament=row)
            .select_related("stage")
            .order_by("stage__number", "number")
        )
        choice.label_from_instance = lambda each: (
            f"{round_name(each).capitalize()}, {each.get_status_display().lower()}"
        )


class CorrectForm(ReasonForm):
    """A place for each entrant; all of them empty: as played."""

    def __init__(self, row: Match, *args: Any, **kwargs: Any) -> None:
        super().__init__(row, *args, **kwargs)
        self.seated = list(row.match_entrants.select_related("entrant__bot").order_by("position"))
        for each in self.seated:
            self.fields[each.entrant.public_id] = forms.IntegerField(
                label=f"Place of {each.entrant.bot.name}",
                required=False,
                initial=each.corrected_place,
                min_value=1,
                max_value=len(self.seated),
                error_messages={
                    "invalid": "A place is a number from 1.",
                    "min_value": "Places count from 1.",
                    "max_value": "There are only %(limit_value)s places.",
                },
            )
        self.order_fields([*(each.entrant.public_id for each in self.seated), "reason"])

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        given = {each.entrant: said.get(each.entrant.public_id) for each in self.seated}
        said["places"] = {entrant: place for entrant, place in given.items() if place is not None}
        return said


@dataclass(frozen=True, slots=True)
class Act:
    label: str
    """On the button."""
    question: str
    """The heading of the page that asks; `{row}` is the row."""
    words: str
    """What will happen."""
    statuses: tuple[str, ...]
    """In which it is offered."""
    do: Do
    form: type[Confirm] = Confirm
    facts: Facts = field(default=lambda row: [])
    """What one should know before saying yes."""
    preview: Preview | None = None
    """What would follow from what the form says; the page shows it and asks once more."""
    is_next: bool = False
    """The usual next step."""
    is_danger: bool = False


def acts_for(acts: Mapping[str, Act], row: Any) -> Iterator[tuple[str, Act]]:
    return ((name, act) for name, act in acts.items() if row.status in act.statuses)


def _open(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    tournament_open_registration(tournament=tournament, actor=actor)
    return f"Registration for {tournament.name} is open. Owners can enter bots, or you do; then start it."


def _enter(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    """Each bot by itself: those before the first refusal are in."""
    entered: list[str] = []
    for bot in said["bots"]:
        try:
            entrant_enter(tournament=tournament, bot=bot, actor=actor)
        except TournamentError as error:
            done = f" (entered before that: {', '.join(entered)})" if entered else ""
            raise TournamentError(error.code, error.message + done, **error.extra) from error
        entered.append(bot.name)
    return f"Entered: {', '.join(entered)}."


def _admit(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    with transaction.atomic():
        for bot in said["bots"]:
            entrant_admit(tournament=tournament, bot=bot, actor=actor)
    return f"Admitted: {', '.join(bot.name for bot in said['bots'])}."


def _late(tournament: Tournament) -> list[str]:
    problem = late_entry_problem(tournament)
    return [f"Nobody can be admitted now: {problem}."] if problem else []


def _start(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    tournament_start(tournament=tournament, actor=actor)
    return f"{tournament.name} has started. It runs by itself from here."


def _pause(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    tournament_pause(tournament=tournament, actor=actor, reason=said["reason"])
    return f"{tournament.name} is paused: the open round is played to its end."


def _resume(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    tournament_resume(tournament=tournament, actor=actor)
    return f"{tournament.name} goes on."


def _cancel(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    tournament_cancel(tournament=tournament, actor=actor, reason=said["reason"])
    return f"{tournament.name} is cancelled, and its owners are told."


def _withdraw(tournament: Tournament, actor: Account, said: dict[str, Any]) -> str:
    entrant_withdraw(entrant=said["entrant"], actor=actor, reason=said["reason"])
    return f"{said['entrant'].bot.name} is withdrawn."


def _rerun_match(match: Match, actor: Account | None, said: dict[str, Any], *, preview: bool = False) -> Consequences:
    game = said.get("game")
    if game:
        return game_rerun(game=match.games.get(public_id=game), actor=actor, reason=said["reason"], preview=preview)
    return match_rerun(match=match, actor=actor, reason=said["reason"], preview=preview)


def _void_match(match: Match, actor: Account | None, said: dict[str, Any], *, preview: bool = False) -> Consequences:
    return match_void(match=match, actor=actor, reason=said["reason"], preview=preview)


def _correct_match(match: Match, actor: Account | None, said: dict[str, Any], *, preview: bool = False) -> Consequences:
    return match_correct(match=match, places=said["places"], actor=actor, reason=said["reason"], preview=preview)


def _rerun_round(
    row: Tournament, actor: Account | None, said: dict[str, Any], *, preview: bool = False
) -> Consequences:
    return round_rerun(tournament_round=said["tournament_round"], actor=actor, reason=said["reason"], preview=preview)


def _roll_back(row: Tournament, actor: Account | None, said: dict[str, Any], *, preview: bool = False) -> Consequences:
    return tournament_roll_back(
        tournament_round=said["tournament_round"], actor=actor, reason=said["reason"], preview=preview
    )


def _asks_twice(change: Callable[..., Consequences]) -> dict[str, Any]:
    """Fields of an act that says what follows before it is done, and the same when it was."""
    return {
        "do": lambda row, actor, said: " ".join(change(row, actor, said).sentences()),
        "preview": lambda row, said: change(row, None, said, preview=True),
    }


def _retry(match: Match, actor: Account, said: dict[str, Any]) -> str:
    match_retry(match=match, actor=actor)
    return f"{match} goes back to play."


def _rehearsal(tournament: Tournament) -> list[str]:
    """What the start would lead to."""
    entrants = list(tournament.entrants.filter(status=EntrantStatus.ENTERED).select_related("bot"))
    found = rehearsal(tournament)
    facts = [f"{len(entrants)} bots are entered.", *(found.sentences() if found else ())]
    here = set(
        Bot.objects.filter(entries__in=entrants, presences__shard__in=live_shards()).values_list("pk", flat=True)
    )
    away = [entrant.bot.name for entrant in entrants if entrant.bot_id not in here]
    if away:
        facts.append(f"Not connected now: {', '.join(away)}. Who does not come in time is absent from its match.")
    return facts


def _plan(tournament: Tournament) -> list[str]:
    found = rehearsal(tournament)
    stages = [f"Stage {stage.number}: {stage.get_format_display()}." for stage in tournament.stages.all()]
    return stages + (found.sentences() if found else [])


_s = TournamentStatus
TOURNAMENT_ACTS: dict[str, Act] = {
    "open-registration": Act(
        "Open registration",
        "Open registration for {row}?",
        "From then on the plan stays as it is. Owners can enter their bots, and so can you. "
        "The fingerprint of the secret that all deals follow from is shown.",
        (_s.DRAFT,),
        _open,
        facts=_plan,
        is_next=True,
    ),
    "start": Act(
        "Start",
        "Start {row}?",
        "Registration closes and the first round is paired and played. All rounds follow by themselves.",
        (_s.REGISTRATION,),
        _start,
        facts=_rehearsal,
        is_next=True,
    ),
    "enter": Act(
        "Enter bots",
        "Enter bots in {row}",
        "Bots of any owner; those that are connected now are marked.",
        (_s.REGISTRATION,),
        _enter,
        form=BotsForm,
    ),
    "admit": Act(
        "Admit a bot late",
        "Admit bots to {row}",
        "They play from the next round of the Swiss on, with 0 points for each round before.",
        (_s.RUNNING, _s.PAUSED),
        _admit,
        form=BotsForm,
        facts=_late,
    ),
    "pause": Act(
        "Pause",
        "Pause {row}?",
        "The open round is played to its end; no further one opens until you resume.",
        (_s.RUNNING,),
        _pause,
        form=PauseForm,
    ),
    "resume": Act("Resume", "Resume {row}?", "The next round opens.", (_s.PAUSED,), _resume, is_next=True),
    "withdraw": Act(
        "Withdraw a bot",
        "Withdraw a bot from {row}",
        "What it has played stays; it is paired no more. Its owner is told.",
        (_s.REGISTRATION, _s.RUNNING, _s.PAUSED),
        _withdraw,
        form=WithdrawForm,
    ),
    "rerun-round": Act(
        "Play a round again",
        "Play a round of {row} again?",
        "All its matches are played anew, from other cards; pairings of later rounds stay as they are.",
        (_s.RUNNING, _s.PAUSED, _s.FINISHED),
        form=RoundForm,
        **_asks_twice(_rerun_round),
    ),
    "roll-back": Act(
        "Roll back",
        "Roll {row} back to a round?",
        "All rounds after it are taken back and paired anew. The tournament is paused, so that you can correct results first.",
        (_s.RUNNING, _s.PAUSED),
        form=RoundForm,
        is_danger=True,
        **_asks_twice(_roll_back),
    ),
    "cancel": Act(
        "Cancel the tournament",
        "Cancel {row}?",
        "Open matches become void and their games are called off. What was scored stays. This cannot be undone.",
        (_s.DRAFT, _s.REGISTRATION, _s.RUNNING, _s.PAUSED),
        _cancel,
        form=ReasonForm,
        is_danger=True,
    ),
}

_m = MatchStatus
MATCH_ACTS: dict[str, Act] = {
    "retry": Act(
        "Play it again",
        "Send {row} back to play?",
        "It gets as many tries as at first, with cards that nobody has seen.",
        (_m.NEEDS_ATTENTION,),
        _retry,
        is_next=True,
    ),
    "rerun": Act(
        "Play it anew",
        "Play {row} anew?",
        "A new match takes its place, with cards that nobody has seen. This one stays to be looked at and counts no longer.",
        (_m.SCORED, _m.VOID),
        form=RerunForm,
        **_asks_twice(_rerun_match),
    ),
    "correct": Act(
        "Correct the result",
        "Correct the result of {row}",
        "Give every bot its place; who ties shares the better one. All empty: as it was played. "
        "Points and ratings follow, scores and records stay.",
        (_m.SCORED,),
        form=CorrectForm,
        **_asks_twice(_correct_match),
    ),
    "void": Act(
        "Declare it void",
        "Declare {row} void?",
        "All its entrants get the mean, half a point, and no rating moves. This cannot be undone.",
        (_m.WAITING, _m.PLAYING, _m.PLAYED, _m.NEEDS_ATTENTION, _m.SCORED),
        form=ReasonForm,
        is_danger=True,
        **_asks_twice(_void_match),
    ),
}


def _replay(letter: DeadLetter, actor: Account, said: dict[str, Any]) -> str:
    dead_letter_replay(letter=letter, actor=actor)
    return f"{letter} is sent again."


def _drop(letter: DeadLetter, actor: Account, said: dict[str, Any]) -> str:
    dead_letter_drop(letter=letter, actor=actor)
    return f"{letter} is dropped."


def _harm(letter: DeadLetter) -> list[str]:
    why = why_harmless(letter)
    return [f"Harmless: {why}."] if why else ["What it was about may still wait for it."]


LETTER_ACTS: dict[str, Act] = {
    "replay": Act(
        "Send it again",
        "Send {row} again?",
        "A worker does what the message asks for, if there is still something to do.",
        (DeadLetterStatus.WAITING,),
        _replay,
        facts=_harm,
        is_next=True,
    ),
    "drop": Act(
        "Drop it",
        "Drop {row}?",
        "Nobody does what the message asks for.",
        (DeadLetterStatus.WAITING,),
        _drop,
        facts=_harm,
    ),
}
