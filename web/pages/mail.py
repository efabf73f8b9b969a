"""Where an owner is told by mail before a round of his bots opens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments.services.accounts import account_set_email
from web.pages.finding import account_of
from web.pages.forms import MailForm


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mail(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    form = MailForm(request.POST if request.method == "POST" else None, initial={"email": account.email})
    if request.method != "POST" or not form.is_valid():
        return render(request, "pages/mail.html", {"section": "my_bots", "form": form})
    account_set_email(account=account, email=form.cleaned_data["email"])
    messages.success(request, "You get mail before rounds." if account.email else "You get no mail.")
    return redirect("my_bots")
