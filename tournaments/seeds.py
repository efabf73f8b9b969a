"""Where every deal comes from: a committed secret, the entrants' nonces, and the place of the deal. Pure but for `new_secret`.

    entropy = SHA-256(F(id 1) F(nonce 1) F(id 2) F(nonce 2) ...)      pairs sorted by entrant id
    seed    = HMAC-SHA256(secret, F(label) F(entropy) F(tournament) F(stage) F(tournament_round) F(deal_set) F(replacement))

`F(x)` is the length of x as four bytes, big-endian, then x. Texts (labels, public ids, nonces) are UTF-8, numbers are written
in decimal, entropy is its 32 bytes. The label of a deal is `deal`, that of seating and tie order `seating` with deal set and
replacement 0. The tournament is its public id; stage, round and deal set are numbers from 1 within their parent, the replacement
counts from 0.

The vectors in tests/data/seed_vectors.json let any language check itself. What this shows: no deal was changed after the close of
registration. What it does not show: without a public beacon an organiser could still have chosen among last entries.
"""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256

SECRET_BYTES = 32
DEAL = "deal"
SEATING = "seating"


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def secret_hash(secret: bytes) -> str:
    """What is shown before registration closes: SHA-256 of the secret, hexadecimal."""
    return sha256(secret).hexdigest()


def entropy(entrants: Iterable[tuple[str, str]]) -> bytes:
    """The entrants' share, from (public id, nonce) of each, in any order."""
    return sha256(b"".join(_field(text.encode()) for pair in sorted(entrants) for text in pair)).digest()


def deal_seed(
    secret: bytes,
    entropy: bytes,
    *,
    tournament: str,
    stage: int,
    tournament_round: int,
    deal_set: int,
    replacement: int = 0,
) -> bytes:
    """The 32 bytes that the deals of a deal set follow from."""
    return _derived(secret, DEAL, entropy, tournament, stage, tournament_round, deal_set, replacement)


def seating_seed(secret: bytes, entropy: bytes, *, tournament: str, stage: int, tournament_round: int = 0) -> bytes:
    """What decides seats and order among equals; round 0: the order of the field."""
    return _derived(secret, SEATING, entropy, tournament, stage, tournament_round, 0, 0)


def lot(seating: bytes, entrant: str) -> bytes:
    """The lot an entrant draws: lower goes first among equals."""
    return hmac.digest(seating, entrant.encode(), "sha256")


def _derived(secret: bytes, label: str, entropy: bytes, tournament: str, *numbers: int) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    fields = (label.encode(), entropy, tournament.encode(), *(str(number).encode() for number in numbers))
    return hmac.digest(secret, b"".join(map(_field, fields)), "sha256")


def _field(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value
