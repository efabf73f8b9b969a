"""What people type. Each error names the value and says what to do; nothing is saved with one."""

from typing import Any

from django import forms

from tournaments.errors import TournamentError
from tournaments.models import Account, Bot, EntryMode, Tournament, TournamentStatus
from tournaments.names import MAX_GRAPHEMES, MIN_GRAPHEMES
from tournaments.selectors.bots import bots_of
from tournaments.services.registration import MAX_NONCE_LENGTH
from tournaments.services.test_matches import MAX_OPPONENTS

_LONGEST_NAME = 400
_LONGEST_DESCRIPTION = 400


class PageForm(forms.Form):
    """Marks nothing as required in HTML: our own messages say more than the browser's."""

    use_required_attribute = False

    def refuse(self, error: TournamentError, field: str | None = None) -> None:
        """What a service said, at the field it is about."""
        self.add_error(field if field in self.fields else None, _sentence(error.message))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")


class BotForm(PageForm):
    name = forms.CharField(
        max_length=_LONGEST_NAME,
        strip=False,
        help_text=f"{MIN_GRAPHEMES} to {MAX_GRAPHEMES} characters. It cannot be changed later.",
        error_messages={
            "required": "Give the bot a name.",
            "max_length": "A name of %(show_value)s characters is too long: at most 30.",
        },
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    description = forms.CharField(
        required=False,
        max_length=_LONGEST_DESCRIPTION,
        help_text="What it does, for those who look at its page.",
        error_messages={"max_length": "The description has %(show_value)s characters: at most %(limit_value)s."},
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def refused(self, error: TournamentError) -> None:
        self.refuse(error, "name" if error.code in ("name_refused", "name_taken") else None)


class EnterForm(PageForm):
    """One of the owner's bots for a tournament."""

    bot = forms.ModelChoiceField(
        queryset=Bot.objects.none(),
        to_field_name="public_id",
        empty_label=None,
        error_messages={
            "required": "Choose the bot that is to play.",
            "invalid_choice": "“%(value)s” is not one of your bots that can be entered here: choose one from the list.",
        },
    )
    code = forms.CharField(
        label="Invitation code",
        max_length=40,
        error_messages={
            "required": "Give the invitation code: the organiser has it.",
            "max_length": "%(show_value)s characters are too many: an invitation code has at most %(limit_value)s.",
        },
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    nonce = forms.CharField(
        label="Your share in the shuffle",
        required=False,
        max_length=MAX_NONCE_LENGTH,
        help_text="Any characters you like go into all deals, so that nobody can know them before. "
        "Left empty, some are drawn.",
        error_messages={"max_length": "%(show_value)s characters are too many: at most %(limit_value)s."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, tournament: Tournament, owner: Account, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own: Any = self.fields["bot"]
        own.queryset = bots_of(owner).exclude(entries__tournament=tournament)
        if tournament.entry_mode != EntryMode.CODE:
            del self.fields["code"]

    def refused(self, error: TournamentError) -> None:
        field = "code" if error.code == "wrong_code" else "nonce" if "nonce" in error.extra else "bot"
        self.refuse(error, field)


class OwnBotForm(PageForm):
    """Names a bot that is entered."""

    bot = forms.SlugField(
        error_messages={"required": "Say which bot.", "invalid": "That is not the id of a bot: choose one on the page."}
    )


class MailForm(PageForm):
    email = forms.EmailField(
        label="Mail address",
        required=False,
        max_length=254,
        help_text="Left empty, you get no mail. Nobody else sees it.",
        error_messages={
            "invalid": "That is no mail address: it looks like name@example.org.",
            "max_length": "%(show_value)s characters are too many: an address has at most %(limit_value)s.",
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class WithdrawForm(PageForm):
    """Out for the rest of a tournament."""

    reason = forms.CharField(
        required=False,
        max_length=400,
        help_text="Everybody can read it.",
        error_messages={"max_length": "The reason has %(show_value)s characters: at most %(limit_value)s."},
    )


class TestMatchForm(PageForm):
    """Against whom."""

    __test__ = False  # no test of pytest's

    opponents = forms.ModelMultipleChoiceField(
        queryset=Bot.objects.none(),
        to_field_name="public_id",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one house bot to play against.",
            "invalid_choice": "“%(value)s” is no house bot that is connected now: choose from the list.",
            "invalid_pk_value": "“%(pk)s” is no house bot: choose from the list.",
        },
    )

    def __init__(self, house_bots: list[Bot], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        opponents: Any = self.fields["opponents"]
        opponents.queryset = Bot.objects.filter(pk__in=[bot.pk for bot in house_bots])

    def clean_opponents(self) -> list[Bot]:
        chosen: list[Bot] = list(self.cleaned_data["opponents"])
        if len(chosen) > MAX_OPPONENTS:
            raise forms.ValidationError(f"{len(chosen)} opponents are too many: a table has 7 seats, so choose 6.")
        return chosen


class TournamentFilter(forms.Form):
    """The list of tournaments; what it does not understand it leaves out."""

    STATUS = (
        ("", "Any"),
        (TournamentStatus.REGISTRATION, "Open for entry"),
        (TournamentStatus.RUNNING, "Running"),
        (TournamentStatus.FINISHED, "Finished"),
        (TournamentStatus.CANCELLED, "Cancelled"),
    )
    status = forms.ChoiceField(choices=STATUS, required=False)
    q = forms.CharField(label="Name", required=False, max_length=120)
