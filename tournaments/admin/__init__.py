"""The organiser's desk. What has a service is done by it, on a page that asks first; rows that services own are shown only.

Secrets of tournaments, tokens and seeds are registered nowhere.
"""

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group
from knox.models import AuthToken

from tournaments.admin import rows, tournaments

__all__ = ["rows", "tournaments"]

admin.site.site_header = "Crowns Arena: organising"
admin.site.site_title = "Crowns Arena"
admin.site.index_title = "What there is to organise"
for _of_others in (Group, EmailAddress, AuthToken):
    admin.site.unregister(_of_others)
