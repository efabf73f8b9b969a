"""The site's key, and the bot tokens it signs. A referee checks them by the public keys that the site pushes to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.utils import timezone

from referee.record.tokens import TokenClaims, TokenError, read_token, sign_token
from tournaments.keyfiles import kept

__all__ = ["SigningKey", "TokenError", "issue_token", "public_keys", "signing_key", "token_claims"]

_DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class SigningKey:
    kid: str
    """First 16 hexadecimal digits of SHA-256 of the public key."""
    private: Ed25519PrivateKey

    @property
    def public_bytes(self) -> bytes:
        return _public_bytes(self.private)


def signing_key() -> SigningKey:
    """Made at the first need, then kept in the file that the settings name."""
    return _load(Path(settings.TOKEN_KEY_FILE))


def public_keys() -> Mapping[str, Ed25519PublicKey]:
    key = signing_key()
    return {key.kid: key.private.public_key()}


def issue_token(*, bot: str, owner: str, generation: int) -> str:
    """A token for the bot of this public id."""
    key = signing_key()
    now = int(timezone.now().timestamp())
    claims = TokenClaims(bot, owner, generation, issued_at=now, expires_at=now + settings.TOKEN_DAYS * _DAY_S)
    return sign_token(claims, key.kid, key.private)


def token_claims(token: str) -> TokenClaims:
    """Of a genuine token; whether its generation still counts is another question. Raises `TokenError`."""
    return read_token(token, public_keys())


@cache
def _load(path: Path) -> SigningKey:
    private = load_pem_private_key(kept(path, _new_key), password=None)
    if not isinstance(private, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 key: give the file of one, or remove it")
    return SigningKey(sha256(_public_bytes(private)).hexdigest()[:16], private)


def _public_bytes(private: Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def _new_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
