"""Control addresses beyond this machine want certificates."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tournaments.client_tls import ClientTls
from web.settings import env

NAMES = ("CROWNS_CONTROL_CA", "CROWNS_CONTROL_CERT", "CROWNS_CONTROL_KEY")


def test_three_files_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.client_tls(*NAMES) is None
    for name, file in zip(NAMES, ("ca", "crt", "key"), strict=True):
        monkeypatch.setenv(name, file)
        if name != NAMES[-1]:
            with pytest.raises(ImproperlyConfigured, match="give all of them, or none"):
                env.client_tls(*NAMES)
    assert env.client_tls(*NAMES) == ClientTls(Path("ca"), Path("crt"), Path("key"))


@pytest.mark.parametrize("address", ["127.0.0.1:7071", "[::1]:7071", "localhost:7071", "unix:/run/crowns/control.sock"])
def test_this_machine_needs_none(address: str) -> None:
    env.require_tls_beyond_this_machine("CROWNS_SHARDS", [address], None)


@pytest.mark.parametrize("address", ["192.0.2.1:7071", "referee.internal:7071", "[2001:db8::1]:7071"])
def test_beyond_it_they_are_compulsory(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"CROWNS_SHARDS: .* is beyond this machine"):
        env.require_tls_beyond_this_machine("CROWNS_SHARDS", ["127.0.0.1:7071", address], None)
    tls = ClientTls(Path("ca"), Path("crt"), Path("key"))
    env.require_tls_beyond_this_machine("CROWNS_SHARDS", [address], tls)
