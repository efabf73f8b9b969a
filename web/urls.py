from django.contrib import admin
from django.urls import include, path

from web.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("api/", include("web.api.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("", include("web.pages.urls")),
]
