"""TLS of a port: certificate and key from files, read again when they change."""

from __future__ import annotations

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

log = logging.getLogger(__name__)


class TlsError(Exception):
    """Files that no TLS port can be made of; the message names them."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """PEM files."""

    certificate: Path
    """With the certificates between it and the CA, if any."""
    key: Path
    client_ca: Path | None = None
    """Who connects must show a certificate of this CA; None: nobody is asked for one."""

    @property
    def paths(self) -> list[Path]:
        return [self.certificate, self.key, *filter(None, [self.client_ca])]


def server_credentials(files: TlsFiles) -> grpc.ServerCredentials:
    """Raises TlsError. Files replaced later count from the next handshake; broken ones are reported and the old ones kept."""
    watcher = _Watcher(files)
    return grpc.dynamic_ssl_server_credentials(
        watcher.current,
        watcher.changed,  # type: ignore[arg-type]  # None is allowed, which the stubs do not say
        require_client_authentication=files.client_ca is not None,
    )


class _Watcher:
    def __init__(self, files: TlsFiles) -> None:
        self._files = files
        self._seen = _stamps(files)
        self.current = _load(files)

    def changed(self) -> grpc.ServerCertificateConfiguration | None:
        """Called by grpc in a thread of its own before each handshake; None: nothing is new."""
        stamps = _stamps(self._files)
        if stamps == self._seen:
            return None
        self._seen = stamps
        try:
            config = _load(self._files)
        except TlsError as error:
            log.error("the TLS files have changed, but %s: the old ones are used on", error)
            return None
        log.info("TLS certificate read again from %s", self._files.certificate)
        return config


def _stamps(files: TlsFiles) -> list[tuple[int, int, int]]:
    found = []
    for path in files.paths:
        try:
            stat = path.stat()
        except OSError:
            found.append((0, 0, 0))
        else:
            found.append((stat.st_mtime_ns, stat.st_size, stat.st_ino))
    return found


def _load(files: TlsFiles) -> grpc.ServerCertificateConfiguration:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # grpc would take a key of another certificate without a word and fail at every handshake.
        context.load_cert_chain(files.certificate, files.key, password=_no_password)
        if files.client_ca is not None:
            context.load_verify_locations(files.client_ca)
        certificate, key = files.certificate.read_bytes(), files.key.read_bytes()
        client_ca = None if files.client_ca is None else files.client_ca.read_bytes()
    except (OSError, ValueError) as error:
        names = ", ".join(map(str, files.paths))
        raise TlsError(f"certificate and key cannot be used ({names}): {error.strerror or error}") from error  # type: ignore[union-attr]
    return grpc.ssl_server_certificate_configuration([(key, certificate)], client_ca)


def _no_password() -> str:
    raise ValueError("the key is protected by a password: give one without")
