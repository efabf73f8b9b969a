"""The states of every row that has some, and for each the one function that lists the allowed moves."""

from django.db.models import IntegerChoices, TextChoices


class TournamentKind(TextChoices):
    LEAGUE = "league", "League"
    TEST = "test", "Test match"
    CHALLENGE = "challenge", "Challenge"
    COMPARE = "compare", "Comparison"
    LADDER = "ladder", "Ladder"


class StageFormat(TextChoices):
    SWISS = "swiss", "Swiss"
    ROUND_ROBIN = "round_robin", "Round robin"
    SINGLE_ELIMINATION = "single_elimination", "Single elimination"
    DOUBLE_ELIMINATION = "double_elimination", "Double elimination"


class DealMode(TextChoices):
    INDEPENDENT = "independent", "Independent deals"
    FIELD = "field", "Shared deals across tables"
    ROTATED = "rotated", "One deal with the seats moved on"


class StartMode(TextChoices):
    BY_HAND = "by_hand", "By hand"
    AT_TIME = "at_time", "At a time"


class EntryMode(TextChoices):
    OPEN = "open", "Open to everybody"
    CODE = "code", "By invitation code"
    PRIVATE = "private", "Only the organiser enters bots"


class RoundPace(TextChoices):
    BACK_TO_BACK = "back_to_back", "One after the other"
    EVERY = "every", "Every so many minutes"
    DAILY = "daily", "Every day at a time"


class DeadLetterStatus(TextChoices):
    WAITING = "waiting", "Waiting"
    REPLAYED = "replayed", "Sent again"
    DROPPED = "dropped", "Dropped"


class TournamentStatus(TextChoices):
    DRAFT = "draft", "Draft"
    REGISTRATION = "registration", "Registration open"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    FINISHED = "finished", "Finished"
    CANCELLED = "cancelled", "Cancelled"


class EntrantStatus(TextChoices):
    ENTERED = "entered", "Entered"
    WITHDRAWN = "withdrawn", "Withdrawn"


class RoundStatus(TextChoices):
    PAIRED = "paired", "Paired"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class ByeKind(TextChoices):
    BYE = "bye", "Bye"
    """A two-seat Swiss with an odd field: 1 point, unrated, outside tiebreaks."""
    ABSENT = "absent", "Absent"
    """0 points."""
    NOT_ENTERED = "not_entered", "Not entered yet"
    """A round before a late entry: 0 points."""
    SITS_OUT = "sits_out", "Sits out"
    """The schedule has no table for it, or its opponents have gone: no points and no match counted."""
    GOES_ON = "goes_on", "Goes on without a match"
    """Elimination: a top seed in the first round, who waits for others, or whose opponents have gone. No points."""


class MatchStatus(TextChoices):
    WAITING = "waiting", "Waiting"
    PLAYING = "playing", "Playing"
    PLAYED = "played", "Played"
    SCORED = "scored", "Scored"
    NEEDS_ATTENTION = "needs_attention", "Needs attention"
    VOID = "void", "Void"
    SUPERSEDED = "superseded", "Superseded"


class DealSetStatus(TextChoices):
    OPEN = "open", "Open"
    FINAL = "final", "Final"


class AttemptStatus(TextChoices):
    STARTING = "starting", "Starting"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"
    ABANDONED = "abandoned", "Abandoned"
    VOID = "void", "Void"
    SUPERSEDED = "superseded", "Superseded"


class FaultType(IntegerChoices):
    """As in `fivecrowns.game.v1.FaultType`."""

    START_TIMEOUT = 1, "Not ready in time"
    NO_SHOW = 2, "Not connected"
    DISCONNECT = 3, "Connection lost"
    RESIGN = 4, "Resigned"
    THINKING_USED_UP = 5, "Thinking time used up"
    MOVE_TIMEOUT = 6, "No answer in time"
    ILLEGAL = 7, "Illegal answer"
    MALFORMED = 8, "Unreadable answer"
    BOT_ERROR = 9, "Error of its own"


OPEN_ATTEMPT = (AttemptStatus.STARTING, AttemptStatus.RUNNING)
"""An attempt in one of these takes a place of each of its bots."""
ELIMINATION = (StageFormat.SINGLE_ELIMINATION, StageFormat.DOUBLE_ELIMINATION)
SETTLED_MATCH = (MatchStatus.SCORED, MatchStatus.VOID)
"""A round closes when all its matches are in these."""


def tournament_moves(status: str) -> frozenset[str]:
    s = TournamentStatus
    allowed: dict[str, set[str]] = {
        s.DRAFT: {s.REGISTRATION, s.CANCELLED},
        s.REGISTRATION: {s.RUNNING, s.CANCELLED},
        s.RUNNING: {s.PAUSED, s.FINISHED, s.CANCELLED},
        s.PAUSED: {s.RUNNING, s.CANCELLED},
    }
    return frozenset(allowed.get(status, ()))


def round_moves(status: str) -> frozenset[str]:
    """A closed round opens again only by an audited re-run."""
    s = RoundStatus
    allowed: dict[str, set[str]] = {s.PAIRED: {s.OPEN}, s.OPEN: {s.CLOSED}, s.CLOSED: {s.OPEN}}
    return frozenset(allowed.get(status, ()))


def match_moves(status: str) -> frozenset[str]:
    """From waiting straight to scored goes a match without a game: too few came."""
    s = MatchStatus
    allowed: dict[str, set[str]] = {
        s.WAITING: {s.PLAYING, s.SCORED, s.NEEDS_ATTENTION, s.VOID},
        s.PLAYING: {s.PLAYED, s.WAITING, s.NEEDS_ATTENTION, s.VOID},
        s.PLAYED: {s.SCORED, s.NEEDS_ATTENTION, s.VOID},
        s.NEEDS_ATTENTION: {s.WAITING, s.PLAYED, s.VOID},
        s.SCORED: {s.VOID, s.SUPERSEDED},
        s.VOID: {s.SUPERSEDED},
    }
    return frozenset(allowed.get(status, ()))


def deal_set_moves(status: str) -> frozenset[str]:
    return frozenset({DealSetStatus.FINAL}) if status == DealSetStatus.OPEN else frozenset()


def attempt_moves(status: str) -> frozenset[str]:
    s = AttemptStatus
    allowed: dict[str, set[str]] = {
        s.STARTING: {s.RUNNING, s.ABANDONED, s.VOID},
        s.RUNNING: {s.FINISHED, s.VOID, s.ABANDONED},
        s.FINISHED: {s.SUPERSEDED},
    }
    return frozenset(allowed.get(status, ()))
