"""Static files under names that carry their hash, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites `import ... from "./x.js";` in modules, for a module names its neighbours itself."""

    support_js_module_import_aggregation = True
