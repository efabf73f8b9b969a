"""Pages of the desk: rows to look at, and buttons that lead to a page which asks first."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.urls.resolvers import URLPattern

from tournaments.admin.acts import Act, acts_for
from tournaments.errors import TournamentError
from tournaments.models import Account

_NOT_SAID = ("confirmed", "csrfmiddlewaretoken")


class LookOnly(admin.ModelAdmin):
    """Everybody on the staff may look; nobody writes but through services."""

    actions = None
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class WithActs(LookOnly):
    """Rows that an organiser has to do with: he finds his own here, the operator all.

    The page of a row has buttons; each leads to a page that says what will happen and asks.
    """

    acts: ClassVar[Mapping[str, Act]] = {}

    def get_urls(self) -> list[URLPattern]:
        own = path("<int:pk>/do/<slug:name>/", self.admin_site.admin_view(self.act_view), name=self._url_name("act"))
        return [own, *super().get_urls()]

    def _url_name(self, page: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{page}"

    def act_url(self, row: Any, name: str) -> str:
        return reverse(f"admin:{self._url_name('act')}", args=[row.pk, name])

    def row_url(self, row: Any) -> str:
        return reverse(f"admin:{self._url_name('change')}", args=[row.pk])

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            return super().change_view(request, object_id, form_url, extra_context)
        offered = [(act, self.act_url(row, name)) for name, act in acts_for(self.acts, row)]
        context = {"acts": offered, "title": str(row), "subtitle": None, **self.beside(row), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def beside(self, row: Any) -> dict[str, Any]:
        """What the page of the row shows besides its fields."""
        return {}

    def act_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        row = get_object_or_404(self.get_queryset(request), pk=pk)
        act = self.acts.get(name)
        if act is None:
            raise Http404(f"there is nothing called {name!r} to do")
        form = act.form(row, request.POST if request.method == "POST" else None)
        is_said = request.method == "POST" and form.is_valid()
        follows = _preview(act, row, form) if is_said and act.preview else []
        is_asked = act.preview is None or request.POST.get("confirmed") == _told(request)
        if is_said and is_asked and form.is_valid() and _done(request, act, row, form):
            return HttpResponseRedirect(self.row_url(row))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": act.question.format(row=row),
            "row": row,
            "act": act,
            "facts": [*act.facts(row), *follows],
            "asks_first": act.preview is not None and not follows,
            "told": _told(request) if follows else "",
            "form": form,
            "back": self.row_url(row),
        }
        return render(request, "admin/tournaments/act.html", context)


def _done(request: HttpRequest, act: Act, row: Any, form: forms.Form) -> bool:
    try:
        said = act.do(row, actor_of(request), form.cleaned_data)
    except TournamentError as error:
        form.add_error(None, f"{error.message[:1].upper()}{error.message[1:]}.")
        return False
    messages.success(request, said)
    return True


def _told(request: HttpRequest) -> str:
    """What the form says, in short: what was shown to follow is done only as long as it still says the same."""
    said = sorted((name, values) for name, values in request.POST.lists() if name not in _NOT_SAID)
    return sha256(repr(said).encode()).hexdigest()


def _preview(act: Act, row: Any, form: forms.Form) -> list[str]:
    """What would follow, or nothing and an error of the form."""
    assert act.preview is not None
    try:
        return act.preview(row, form.cleaned_data).sentences()
    except TournamentError as error:
        form.add_error(None, f"{error.message[:1].upper()}{error.message[1:]}.")
        return []


def actor_of(request: HttpRequest) -> Account:
    assert isinstance(request.user, Account)
    return request.user
