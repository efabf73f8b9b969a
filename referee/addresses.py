"""Network addresses as people write them."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether a host, with brackets or without, is this machine and no other can reach it. Names are not looked up."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def is_on_this_machine(address: str) -> bool:
    """Whether HOST:PORT is on loopback, or a socket unix:PATH."""
    return address.startswith("unix:") or is_loopback(address.rpartition(":")[0])
