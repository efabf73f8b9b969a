"""The programs that the tests run, from Debian's packages: installs what is missing, or says what to install.

    python3 -m tests.support.packages

Standard library only: it runs before the environment is made.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

APT = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]


def missing() -> list[str]:
    """Names of packages whose programs are not there. The last three compile the rules."""
    python = "python{}.{}-dev".format(*sys.version_info)
    found = {
        "rabbitmq-server": shutil.which("rabbitmq-server", path=_search_path()),
        "postgresql": shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb")),
        "chromium": shutil.which("chromium"),
        "gcc": shutil.which("gcc"),
        "libc6-dev": Path("/usr/include/stdlib.h").exists(),
        python: Path(sysconfig.get_path("include"), "Python.h").exists(),
    }
    return [package for package, program in found.items() if not program]


def main() -> int:
    packages = missing()
    if not packages:
        return 0
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"the tests need programs that are not installed: apt-get install {' '.join(packages)}", file=sys.stderr)
        return 1
    print(f"installing {', '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with _nothing_starts():
        for command in (["update"], ["install", "--no-install-recommends", "-y", *packages]):
            if subprocess.run([*APT, *command], env=environment, stdin=subprocess.DEVNULL, check=False).returncode:
                print(f"apt-get {command[0]} failed; the tests need {' '.join(packages)}", file=sys.stderr)
                return 1
    return 0


@contextlib.contextmanager
def _nothing_starts() -> Iterator[None]:
    """Debian's packages start their services at once; the tests start their own."""
    policy = Path("/usr/sbin/policy-rc.d")
    if policy.exists():
        yield
        return
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    try:
        yield
    finally:
        policy.unlink()


def _search_path() -> str:
    """Servers live where an ordinary user's search path does not look."""
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/lib/rabbitmq/bin"])


if __name__ == "__main__":
    sys.exit(main())
