"""Is it alive, and does it get on?"""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from tournaments.selectors.health import site_health


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database answers; the body says what stands still."""
    return JsonResponse(site_health())
