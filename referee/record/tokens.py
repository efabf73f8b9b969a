"""Bot tokens: what the site signs and what the referee believes.

A token is a JWT signed with Ed25519 (`alg` EdDSA and no other), with `kid` in its header and the claims `iss`, `aud`, `sub` (bot),
`own` (owner), `gen` (generation, one more at each rotation), `iat` and `exp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "EdDSA"
ISSUER = "crowns-arena"
AUDIENCE = "crowns-referee"
_REQUIRED = ["iss", "aud", "sub", "own", "gen", "iat", "exp"]


class TokenError(ValueError):
    """Not a token to believe; the message says why without repeating the token."""


@dataclass(frozen=True, slots=True)
class TokenClaims:
    bot_id: str
    owner: str
    generation: int
    issued_at: int
    """Seconds since 1970 UTC."""
    expires_at: int


def sign_token(claims: TokenClaims, kid: str, key: Ed25519PrivateKey) -> str:
    payload = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": claims.bot_id,
        "own": claims.owner,
        "gen": claims.generation,
        "iat": claims.issued_at,
        "exp": claims.expires_at,
    }
    return jwt.encode(payload, key, algorithm=ALGORITHM, headers={"kid": kid})


def read_token(token: str, keys: Mapping[str, Ed25519PublicKey]) -> TokenClaims:
    """The claims of a token signed by one of these keys. Raises TokenError."""
    try:
        kid = str(jwt.get_unverified_header(token).get("kid"))
        if kid not in keys:
            raise TokenError("the token is signed with a key this server does not know: get a new token on the site")
        claims = jwt.decode(
            token, keys[kid], algorithms=[ALGORITHM], audience=AUDIENCE, issuer=ISSUER, options={"require": _REQUIRED}
        )
    except jwt.ExpiredSignatureError as error:
        raise TokenError("the token has expired: rotate it on the site") from error
    except jwt.InvalidTokenError as error:
        raise TokenError(f"the token is not valid ({error}): copy it again from the site") from error
    generation = claims["gen"]
    if not isinstance(generation, int) or isinstance(generation, bool):
        raise TokenError("the token's generation is no number")
    return TokenClaims(str(claims["sub"]), str(claims["own"]), generation, int(claims["iat"]), int(claims["exp"]))
