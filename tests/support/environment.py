"""The environment of a test run; loaded by pytest before Django's settings are read (`-p` in pyproject.toml).

Everything lives in a folder made for the run. `CROWNS_TEST_DATABASE_URL` runs the same tests on PostgreSQL.
"""

import atexit
import os
import shutil
import signal
import tempfile

_folder = tempfile.mkdtemp(prefix="crowns-test-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)

_KEPT = ("CROWNS_TEST_", "CROWNS_BUILD")
"""Where the tests run, and which build they are about (`referee.compiled`): the source, if nothing is said."""
for _name in [name for name in os.environ if name.startswith("CROWNS_") and not name.startswith(_KEPT)]:
    del os.environ[_name]

os.makedirs(os.path.join(_folder, "static"))  # the server of static files warns if it is missing
os.environ["CROWNS_DATA_DIR"] = _folder
os.environ.setdefault("CROWNS_BUILD", "pure")
os.environ["CROWNS_HASHED_STATIC"] = "0"
if _url := os.environ.get("CROWNS_TEST_DATABASE_URL"):
    os.environ["CROWNS_DATABASE_URL"] = _url
    for _name in ("SECRET_KEY", "CONTROL_SECRET_RUN", "CONTROL_SECRET_WATCH"):
        os.environ[f"CROWNS_{_name}"] = f"test-{_name}-0123456789-0123456789-0123456789-0123456789"

# A shell that starts the tests in the background makes them, and every process they start, deaf to Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
