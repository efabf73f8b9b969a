"""Static files under names that carry their hash, so that browsers may keep them for ever."""

import re
from collections.abc import Callable
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

_OF_OTHERS = ("admin/", "django_htmx/", "rest_framework/")
"""Scripts of other packages import nothing; what looks like it stands in their comments."""


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites `import ... from "./x.js";` in modules, for a module names its neighbours itself."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, *args: Any, **kwargs: Any) -> Callable[[re.Match[str]], str]:
        if name.endswith(".js") and name.startswith(_OF_OTHERS):
            return lambda match: match["matched"]
        converter: Callable[[re.Match[str]], str] = super().url_converter(name, *args, **kwargs)
        return converter
