"""What an organiser can do to a tournament or a match: the words of the page that asks, and the service that does it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms

from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Bot,
    Entrant,
    EntrantStatus,
    Match,
    MatchStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.selectors.plans import tournament_size
from tournaments.selectors.shards import live_shards
from tournaments.services.attempts import match_retry
from tournaments.services.corrections import match_void
from tournaments.services.registration import entrant_enter, entrant_withdraw, tournament_open_registration
from tournaments.services.running import (
    tournament_cancel,
    tournament_pause,
    tournament_resume,
    tournament_start,
)

Do = Callable[[Any, Account, dict[str, Any]], str]
"""(row, actor, what the form says) -> what was done. Raises TournamentError."""
Facts = Callable[[Any], list[str]]


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


def _void(match: Match, actor: Account, said: dict[str, Any]) -> str:
    match_void(match=match, actor=actor, reason=said["reason"])
    return f"{match} is void."


def _retry(match: Match, actor: Account, said: dict[str, Any]) -> str:
    match_retry(match=match, actor=actor)
    return f"{match} goes back to play."


def _rehearsal(tournament: Tournament) -> list[str]:
    """What the start would lead to."""
    entrants = list(tournament.entrants.filter(status=EntrantStatus.ENTERED).select_related("bot"))
    size = tournament_size(tournament, len(entrants))
    facts = [f"{len(entrants)} bots are entered."]
    if size:
        minutes = -(-size.worst_time_s // 60)
        facts.append(f"{size.rounds} rounds, {size.games} games; all of it ends within {minutes} minutes.")
    here = set(
        Bot.objects.filter(entries__in=entrants, presences__shard__in=live_shards()).values_list("pk", flat=True)
    )
    away = [entrant.bot.name for entrant in entrants if entrant.bot_id not in here]
    if away:
        facts.append(f"Not connected now: {', '.join(away)}. Who does not come in time is absent from its match.")
    return facts


def _plan(tournament: Tournament) -> list[str]:
    return [f"Stage {stage.number}: {stage.get_format_display()}." for stage in tournament.stages.all()]


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
    "void": Act(
        "Declare it void",
        "Declare {row} void?",
        "All its entrants get the mean, half a point, and no rating moves. This cannot be undone.",
        (_m.WAITING, _m.PLAYING, _m.PLAYED, _m.NEEDS_ATTENTION),
        _void,
        form=ReasonForm,
        is_danger=True,
    ),
}
