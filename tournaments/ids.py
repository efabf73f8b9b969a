"""Random ids that appear outside the database."""

import secrets

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""No two of these are read for each other when a link is typed by hand."""

PUBLIC_ID_LENGTH = 12
ATTEMPT_ID_LENGTH = 32


def new_public_id() -> str:
    """The id of a row in addresses; 59 bits, unique, no secret."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def new_attempt_id() -> str:
    """What referee and bots know a game by: 128 bits, so that nobody guesses another's."""
    return secrets.token_hex(ATTEMPT_ID_LENGTH // 2)


def new_nonce() -> str:
    """An entrant's share in the entropy of a tournament, for an entry that brings none of its own."""
    return secrets.token_hex(16)
