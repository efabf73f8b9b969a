"""Entry point of the web processes: `uvicorn web.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
application = get_asgi_application()
