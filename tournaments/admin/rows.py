"""Matches with their two acts, and rows that are looked at only; accounts for the operator."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.admin.acts import LETTER_ACTS, MATCH_ACTS
from tournaments.admin.looking import LookOnly, WithActs, actor_of
from tournaments.models import Account, AuditEntry, Bot, DeadLetter, Mail, Match, Shard
from tournaments.services.dead_letters import why_harmless


@admin.register(Match)
class MatchAdmin(WithActs):
    acts = MATCH_ACTS
    change_form_template = "admin/tournaments/with_acts.html"
    list_display = ("place", "status", "who", "status_reason", "next_try_at")
    list_filter = ("status", "tournament_round__stage__tournament__status")
    search_fields = ("public_id", "tournament_round__stage__tournament__name")
    ordering = ("-pk",)
    fields = (
        "place",
        "who",
        "status",
        "status_reason",
        "replacement",
        "tries",
        "join_until",
        "next_try_at",
        "started_at",
        "played_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        rows = (
            super()
            .get_queryset(request)
            .select_related("tournament_round__stage__tournament")
            .prefetch_related("match_entrants__entrant__bot")
        )
        actor = actor_of(request)
        return rows if actor.is_superuser else rows.filter(tournament_round__stage__tournament__organiser=actor)

    @admin.display(description="match")
    def place(self, row: Match) -> str:
        return str(row)

    @admin.display(description="bots")
    def who(self, row: Match) -> str:
        return ", ".join(each.entrant.bot.name for each in row.match_entrants.all())

    def beside(self, row: Any) -> dict[str, Any]:
        return {"site_page": reverse("match", args=[row.public_id])}


@admin.register(Bot)
class BotAdmin(LookOnly):
    list_display = ("name", "owner", "is_house", "created_at", "deleted_at")
    list_filter = ("is_house",)
    list_select_related = ("owner",)
    search_fields = ("name", "public_id", "owner__username")
    ordering = ("-pk",)
    fields = ("name", "owner", "description", "is_house", "max_games", "created_at", "deleted_at", "site_page")

    @admin.display(description="on the site")
    def site_page(self, row: Bot) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("bot", args=[row.public_id]), row.name)


@admin.register(Shard)
class ShardAdmin(LookOnly):
    list_display = ("name", "bot_address", "is_enabled", "is_draining", "last_seen_at", "incarnation_since")
    fields = (*list_display, "control_address", "synced_revision")


@admin.register(DeadLetter)
class DeadLetterAdmin(WithActs):
    """Messages to the workers that died; for the operator."""

    acts = LETTER_ACTS
    change_form_template = "admin/tournaments/with_acts.html"
    list_display = ("__str__", "reason", "queue", "found_at", "status", "harmless")
    list_filter = ("status", "task")
    fields = ("task", "args", "reason", "queue", "message_id", "found_at", "status", "ended_at", "harmless")

    @admin.display(description="harmless, for")
    def harmless(self, row: DeadLetter) -> str:
        return why_harmless(row)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def get_queryset(self, request: HttpRequest) -> QuerySet[DeadLetter]:
        rows = super().get_queryset(request)
        return rows if actor_of(request).is_superuser else rows.none()


@admin.register(Mail)
class MailAdmin(LookOnly):
    """What was not sent yet, and why; for the operator."""

    list_display = ("subject", "address", "created_at", "tries", "problem", "next_try_at")
    fields = (*list_display, "body")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)


@admin.register(AuditEntry)
class AuditAdmin(LookOnly):
    """For the operator: it tells the entrants' shares before registration closes."""

    list_display = ("at", "actor", "action", "subject", "tournament")
    list_filter = ("action",)
    list_select_related = ("actor", "tournament")
    search_fields = ("subject", "actor__username", "tournament__name")
    fields = (*list_display, "before", "after")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)


@admin.register(Account)
class AccountAdmin(UserAdmin):
    """For the operator. `is_staff` makes an organiser."""

    list_display = ("username", "is_staff", "is_superuser", "is_active", "date_joined", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("username",)
    filter_horizontal = ()
    readonly_fields = ("set_password", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "set_password")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """What the row says of the password is not shown, so no field of the form asks for it."""
        if obj is not None:
            kwargs["form"] = forms.ModelForm
        return super().get_form(request, obj, change=change, **kwargs)

    @admin.display(description="password")
    def set_password(self, row: Account) -> SafeString:
        return format_html('<a href="{}">Set a new one</a>', reverse("admin:auth_user_password_change", args=[row.pk]))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Bots and tournaments name their owner for ever: who is to go is made inactive."""
        return False
