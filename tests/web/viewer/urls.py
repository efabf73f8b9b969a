"""The names of pages that the frame of the site links to."""

from django.http import HttpResponse
from django.urls import path

NAMES = (
    "tournament_list",
    "leaderboard",
    "write_a_bot",
    "my_bots",
    "account_login",
    "account_signup",
    "account_logout",
)

urlpatterns = [
    path("", HttpResponse, name="home"),
    *(path(f"{name}/", HttpResponse, name=name) for name in NAMES),
]
