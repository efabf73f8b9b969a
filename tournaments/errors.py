"""What a service raises when its caller is wrong. Pages, API and commands translate it; nothing has been changed."""

from typing import Any


class TournamentError(Exception):
    """`code` is stable and for machines, the message for people: it names the value and says what to do."""

    def __init__(self, code: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.extra = extra


class InvalidTransition(TournamentError):
    """The row is not in a state from which it may move there."""

    def __init__(self, what: str, status: str, to: str) -> None:
        super().__init__("invalid_transition", f"{what} is {status}: it cannot become {to}", status=status, to=to)


class InvariantViolation(AssertionError):
    """We are wrong. Never caught by policy: the act fails and is seen."""
