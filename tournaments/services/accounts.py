"""What an account says of itself."""

from tournaments.models import Account


def account_set_email(*, account: Account, email: str) -> None:
    """Where mail before rounds goes; empty for none. Nobody else sees it."""
    account.email = email
    account.save(update_fields=["email"])
