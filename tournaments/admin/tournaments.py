"""Tournaments: a draft is written here; everything after it is an act."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from tournaments.admin.acts import TOURNAMENT_ACTS
from tournaments.admin.looking import WithActs, actor_of
from tournaments.models import Match, MatchStatus, Stage, StageFormat, Tournament, TournamentStatus
from tournaments.services.notes import audit

STAGE_WORDS = {
    "format": ("Format", ""),
    "seats": ("Seats at a table", "2 to 14, from 8 on with two games of cards combined; in an elimination 2 to 7."),
    "rounds": ("Rounds", "Of a Swiss; a round robin has what it needs."),
    "laps": ("Laps", "Of a round robin: how often it goes round."),
    "games_per_match": ("Games a match", ""),
    "top_cut": ("Top cut", "So many of the stage before go into an elimination. Empty: all."),
    "go_on": ("Go on", "So many of each table, in an elimination. Empty: the best half."),
    "has_third_place": ("Third place", "A match for it, in single elimination."),
    "deal_mode": ("Deals", "Shared: tables play the same cards, and who held the same seat is compared."),
}
"""Label and help of each field."""


class StageForm(forms.ModelForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "format" in self.fields:
            self.fields["format"].initial = StageFormat.SWISS

    def has_changed(self) -> bool:
        """What stands on the page is meant, the usual values too."""
        return True


class StageInline(admin.StackedInline):
    model = Stage
    form = StageForm
    # What all have, then what is of a Swiss or a round robin, then what is of an elimination.
    fields = (
        ("format", "seats", "games_per_match", "deal_mode"),
        ("rounds", "laps"),
        ("top_cut", "go_on", "has_third_place"),
    )
    extra = 0
    min_num = 1
    max_num = 5
    verbose_name_plural = "stages, one after the other"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_draft(obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_draft(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_draft(obj)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_formset(request, obj, validate_min=True, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        formfield = super().formfield_for_dbfield(db_field, request, **kwargs)
        if formfield and db_field.name in STAGE_WORDS:
            formfield.label, formfield.help_text = STAGE_WORDS[db_field.name]
        return formfield


def _is_draft(tournament: Tournament | None) -> bool:
    """Or one that is not there yet."""
    return tournament is None or tournament.status == TournamentStatus.DRAFT


class TournamentForm(forms.ModelForm):
    class Meta:
        labels: ClassVar[dict[str, str]] = {
            "start_ms": "Get ready (ms)",
            "decision_ms": "A decision (ms)",
            "bank_ms": "Bank (ms)",
            "thinking_ms": "Thinking in all (ms)",
            "turn_cap": "Turns a seat",
            "has_playoff": "Playoff",
            "join_wait_s": "Wait for a bot (s)",
            "entry_mode": "Entry",
            "entry_code": "Invitation code",
            "round_pace": "Rounds",
            "round_minutes": "Every so many minutes",
            "round_time": "Every day at",
            "round_zone": "Time zone",
            "registration_closes_at": "Registration closes (UTC)",
            "starts_at": "Starts (UTC)",
            "max_entries_per_owner": "Bots of one owner",
        }
        help_texts: ClassVar[dict[str, str]] = {
            "name": "As it stands on the site.",
            "description": "What it is about, for those who think of entering. Plain text.",
            "is_rated": "Matches move the ratings of those who play.",
            "is_trusted": "Bots of one owner may sit at one table: for house bots, demonstrations and friends.",
            "is_listed": "Off: only those who have its address find it.",
            "min_entrants": "With fewer it does not start.",
            "max_entrants": "Empty: any number.",
            "max_entries_per_owner": "Empty: any number.",
            "tiebreaks": "What follows the points, in this order: some of opponent_points, first_places, mean_margin, "
            "direct. Empty: equal points share a place.",
            "entry_code": "Empty: one is drawn when registration opens. Hand it to those who may enter.",
            "round_pace": "When the rounds after the first open. Owners get a mail an hour before.",
            "round_minutes": "From opening to opening; at once if a round takes longer.",
            "round_time": "As in 20:00, on the clocks of the time zone.",
            "round_zone": "Of “every day at”: a name as Europe/Berlin.",
            "registration_closes_at": "Empty: at the start.",
            "start_mode": "By hand: with the button “Start”.",
            "starts_at": "For a start at a time.",
            "start_ms": "From the call to the bot’s “ready”. 30000 is half a minute.",
            "decision_ms": "One decision, before the bank is touched.",
            "bank_ms": "A reserve for slow decisions, for a whole game.",
            "thinking_ms": "All decisions of a game together.",
            "turn_cap": "After so many turns each, a game round ends with nobody out.",
            "has_playoff": "Ties for the first place of a game are played off, in three more game rounds of six cards at most. "
            "Off: they share it.",
            "join_wait_s": "A bot that is not connected by then is absent from its match.",
        }


@admin.register(Tournament)
class TournamentAdmin(WithActs):
    form = TournamentForm
    inlines = (StageInline,)
    acts = TOURNAMENT_ACTS
    change_form_template = "admin/tournaments/with_acts.html"
    list_display = ("name", "status", "kind", "entrant_count", "organiser", "started_at")
    list_filter = ("status", "kind")
    list_select_related = ("organiser",)
    search_fields = ("name", "public_id")
    fieldsets = (
        (None, {"fields": ("name", "description", "is_rated", "is_trusted", "is_listed")}),
        (
            "Who may enter",
            {"fields": ("entry_mode", "entry_code", "min_entrants", "max_entrants", "max_entries_per_owner")},
        ),
        ("Standings", {"fields": ("has_playoff", "tiebreaks")}),
        (
            "When",
            {
                "fields": (
                    "registration_closes_at",
                    "start_mode",
                    "starts_at",
                    "round_pace",
                    "round_minutes",
                    "round_time",
                    "round_zone",
                )
            },
        ),
        (
            "Time and limits",
            {
                "classes": ("collapse",),
                "description": "The usual values are good for most leagues.",
                "fields": ("start_ms", "decision_ms", "bank_ms", "thinking_ms", "turn_cap", "join_wait_s"),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        rows = super().get_queryset(request).annotate(entrants_all=Count("entrants"))
        return rows if actor_of(request).is_superuser else rows.filter(organiser=actor_of(request))

    @admin.display(description="bots", ordering="entrants_all")
    def entrant_count(self, row: Any) -> int:
        return int(row.entrants_all)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request) and _is_draft(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What others have seen is cancelled, never deleted."""
        return obj is not None and self.has_view_permission(request) and _is_draft(obj)

    def beside(self, row: Any) -> dict[str, Any]:
        stuck = Match.objects.filter(tournament_round__stage__tournament=row, status=MatchStatus.NEEDS_ATTENTION)
        return {
            "site_page": reverse("tournament", args=[row.public_id]),
            "entrants": row.entrants.select_related("bot__owner", "version").order_by("seed_number", "pk"),
            "stuck": stuck.select_related("tournament_round__stage__tournament"),
        }

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        """A draft is nobody's but the organiser's; from the opening of registration on it is the services'."""
        if not change:
            obj.organiser = actor_of(request)
        super().save_model(request, obj, form, change)
        audit(
            action="tournament_edit" if change else "tournament_create",
            actor=actor_of(request),
            subject=f"tournament {obj.public_id}",
            tournament=obj,
            after={name: form.cleaned_data[name] for name in form.changed_data},
        )

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Stages are numbered as they stand on the page."""
        formset.save(commit=False)
        for gone in formset.deleted_objects:
            gone.delete()
        kept = [each for each in formset.forms if each not in formset.deleted_forms]
        for number, each in enumerate(kept, start=1):
            each.instance.number = number
            each.instance.save()

    def response_add(self, request: HttpRequest, obj: Tournament, post_url_continue: str | None = None) -> HttpResponse:
        return self._after_saving(request, obj)

    def response_change(self, request: HttpRequest, obj: Tournament) -> HttpResponse:
        return self._after_saving(request, obj)

    def _after_saving(self, request: HttpRequest, obj: Tournament) -> HttpResponse:
        if "_open" in request.POST:
            return HttpResponseRedirect(self.act_url(obj, "open-registration"))
        messages.success(request, f"{obj.name} is saved. Next: open registration.")
        return HttpResponseRedirect(self.row_url(obj))
