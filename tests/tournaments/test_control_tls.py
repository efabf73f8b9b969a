"""The site shows a certificate to referees."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pytest_django import Settings

from referee.rpc.tls import TlsFiles
from tests.support.certificates import Authority
from tests.support.referee import RUN_SECRET, Site, running_referee
from tournaments import referee_client
from tournaments.client_tls import ClientTls
from tournaments.referee_client import RefereeUnavailable


async def incarnation(site: Site) -> str:
    address = f"127.0.0.1:{site.referee.control_port}"
    return (await asyncio.to_thread(referee_client.list_bots, address)).incarnation


async def test_the_site_shows_its_certificate(tmp_path: Path, settings: Settings) -> None:
    """And shows the new one when it was replaced, without a restart."""
    ca, other = Authority(tmp_path), Authority(tmp_path, "other")
    settings.CONTROL_SECRET_RUN = RUN_SECRET
    tls = TlsFiles(*ca.issue("referee"), client_ca=ca.file)
    async with running_referee(tmp_path / "data", control_tls=tls) as site:
        settings.CONTROL_TLS = None
        with pytest.raises(RefereeUnavailable):
            await incarnation(site)
        for stranger in (other.issue("site"), ca.issue("site", days=-1)):
            settings.CONTROL_TLS = ClientTls(ca.file, *stranger)
            with pytest.raises(RefereeUnavailable):
                await incarnation(site)
        ca.issue("site")
        assert await incarnation(site) == site.referee.incarnation
        settings.CONTROL_TLS = ClientTls(other.file, *ca.issue("site"))
        with pytest.raises(RefereeUnavailable, match="CERTIFICATE_VERIFY_FAILED"):
            await incarnation(site)
        settings.CONTROL_TLS = ClientTls(ca.file, tmp_path / "away.crt", tmp_path / "site.key")
        with pytest.raises(RefereeUnavailable, match=r"away\.crt cannot be read"):
            await incarnation(site)
