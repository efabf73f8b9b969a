"""A tournament, its stages and who is in it."""

from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from tournaments.ids import new_nonce, new_public_id
from tournaments.models.bots import Bot, BotVersion
from tournaments.models.status import (
    ELIMINATION,
    DealMode,
    EntrantStatus,
    EntryMode,
    RoundPace,
    StageFormat,
    StartMode,
    TournamentKind,
    TournamentStatus,
)
from tournaments.ranking import DEFAULT_TIEBREAKS, Tiebreak

MIN_SEATS = 2
MAX_SEATS = 14


def check_zone(name: str) -> None:
    """A validator. Only names, never paths."""
    if name not in available_timezones():
        raise ValidationError(f"“{name}” is no time zone: give a name as Europe/Berlin or UTC")


def check_tiebreaks(text: str) -> None:
    """A validator: names with commas between them, each at most once."""
    known, names = [each.value for each in Tiebreak], _names(text)
    if len(set(names)) < len(names) or not set(names) <= set(known):
        raise ValidationError(f"“{text}” is no order of tiebreaks: give some of {', '.join(known)}, each once")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


class Tournament(models.Model):
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    kind = models.CharField(max_length=12, choices=TournamentKind, default=TournamentKind.LEAGUE)
    status = models.CharField(max_length=12, choices=TournamentStatus, default=TournamentStatus.DRAFT)
    status_reason = models.CharField(max_length=400, blank=True)
    """Why it was cancelled, ended early, or stands still; empty when all is well."""
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="organised_tournaments"
    )
    is_rated = models.BooleanField("rated", default=True)
    is_trusted = models.BooleanField("trusted field", default=False)
    """Owners need not be kept apart."""
    is_listed = models.BooleanField("listed", default=True)
    """Test matches and challenges are hidden from lists; whoever has the address may look."""

    min_entrants = models.PositiveIntegerField(default=2, validators=[MinValueValidator(2)])
    max_entrants = models.PositiveIntegerField(null=True, blank=True)
    max_entries_per_owner = models.PositiveIntegerField(null=True, blank=True)
    registration_closes_at = models.DateTimeField(null=True, blank=True)
    """None: at the start."""
    entry_mode = models.CharField(max_length=8, choices=EntryMode, default=EntryMode.OPEN)
    entry_code = models.CharField(max_length=40, blank=True)
    """What owners must know to enter by invitation; shown to the organiser alone."""
    start_mode = models.CharField(max_length=8, choices=StartMode, default=StartMode.BY_HAND)
    starts_at = models.DateTimeField(null=True, blank=True)
    round_pace = models.CharField(max_length=12, choices=RoundPace, default=RoundPace.BACK_TO_BACK)
    """When the rounds after the first open."""
    round_minutes = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 31)]
    )
    """Every so many minutes: from opening to opening."""
    round_time = models.TimeField(null=True, blank=True)
    """Every day: the time on the clocks of `round_zone`."""
    round_zone = models.CharField(max_length=60, default="UTC", validators=[check_zone])
    """A name of the time zone database, as in Europe/Berlin."""

    start_ms = models.PositiveIntegerField(default=30_000)
    """From GameStart to GameReady. These four are per seat and game."""
    decision_ms = models.PositiveIntegerField(default=2_000, validators=[MinValueValidator(1)])
    bank_ms = models.PositiveIntegerField(default=30_000)
    thinking_ms = models.PositiveIntegerField(default=120_000, validators=[MinValueValidator(1)])
    turn_cap = models.PositiveIntegerField(default=40, validators=[MinValueValidator(1)])
    """Turns each seat has in a game round before it ends with nobody out (RULES 19)."""
    has_playoff = models.BooleanField("playoff", default=False)
    """Ties for the first place of a game are played off (RULES 20); the scores of that are in no total and in no margin."""
    join_wait_s = models.PositiveIntegerField(default=120)
    """How long a match waits for a bot that is not connected."""

    tiebreaks = models.CharField(
        max_length=120, blank=True, default=", ".join(DEFAULT_TIEBREAKS), validators=[check_tiebreaks]
    )
    """What follows the points in the standings, in this order; empty: nothing, equal points share a place."""

    secret_hash = models.CharField(max_length=64, blank=True, editable=False)
    """SHA-256 of the secret, shown from the opening of registration on."""
    entropy = models.CharField(max_length=64, blank=True, editable=False)
    """Set at the close of registration: from then on the list of entrants is what it is."""

    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    registration_closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    next_round_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When the next round opens, from the close of the one before on; None: at once, or not known yet."""
    mailed_for = models.DateTimeField(null=True, blank=True, editable=False)
    """The opening of which owners were told last."""
    next_try_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When the sweeper looks again; None: nothing to do."""
    strength_due_at = models.DateTimeField(null=True, blank=True, editable=False)
    """Since when its strengths wait to be computed; None: they are what its results say, or nobody asks."""

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                condition=Q(max_entrants=None) | Q(max_entrants__gte=F("min_entrants")),
                name="min_up_to_max_entrants",
                violation_error_message="fewer entrants at most than at least: raise max_entrants",
            ),
            models.CheckConstraint(
                condition=~Q(start_mode=StartMode.AT_TIME) | Q(starts_at__isnull=False),
                name="a_timed_start_has_its_time",
                violation_error_message="a start at a time needs starts_at: give one, or start by hand",
            ),
            models.CheckConstraint(
                condition=~Q(round_pace=RoundPace.EVERY) | Q(round_minutes__isnull=False),
                name="rounds_every_so_often_have_their_minutes",
                violation_error_message="rounds every so many minutes need round_minutes",
            ),
            models.CheckConstraint(
                condition=~Q(round_pace=RoundPace.DAILY) | Q(round_time__isnull=False),
                name="rounds_every_day_have_their_time",
                violation_error_message="rounds every day need round_time, as in 20:00",
            ),
        )
        indexes = (
            models.Index(fields=("next_try_at",), name="tournament_due", condition=Q(next_try_at__isnull=False)),
            models.Index(fields=("strength_due_at",), name="strength_due", condition=Q(strength_due_at__isnull=False)),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def tiebreak_order(self) -> tuple[Tiebreak, ...]:
        return tuple(Tiebreak(name) for name in _names(self.tiebreaks))


class TournamentSecret(models.Model):
    """What all deals of a tournament follow from. In a table of its own, which no admin, API, export or log reads."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="secrets")
    number = models.PositiveIntegerField(default=1)
    """Re-runs after the secret was published use the next, newly committed one."""
    secret = models.BinaryField(max_length=32)
    secret_hash = models.CharField(max_length=64)
    committed_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="secrets_are_numbered"),)

    def __str__(self) -> str:
        return f"committed {self.secret_hash}"


class Stage(models.Model):
    """One format within a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveIntegerField(default=1)
    format = models.CharField(max_length=20, choices=StageFormat)
    seats = models.PositiveIntegerField(
        default=4, validators=[MinValueValidator(MIN_SEATS), MaxValueValidator(MAX_SEATS)]
    )
    """The planned table size; a table may differ where the field does not divide."""
    rounds = models.PositiveIntegerField(default=4, validators=[MinValueValidator(1)])
    """Of a Swiss; a round robin has what its schedule needs."""
    laps = models.PositiveIntegerField(default=1, validators=[MinValueValidator(1)])
    """How often a round robin goes through its schedule."""
    top_cut = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(2)])
    """Elimination after another stage: so many are taken, in the order of its standings. None: everybody."""
    go_on = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    """Elimination at tables: so many of each table go on. None: the best half, rounded down."""
    has_third_place = models.BooleanField("match for third place", default=False)
    """Single elimination at two seats: those who lose the semifinals meet."""
    games_per_match = models.PositiveIntegerField(default=1, validators=[MinValueValidator(1), MaxValueValidator(100)])
    deal_mode = models.CharField(max_length=12, choices=DealMode, default=DealMode.INDEPENDENT)
    schedule = models.JSONField(default=list, blank=True, editable=False)
    """Of a round robin, made when the stage begins: per round {"tables": [[entrant id, ...], ...], "sitting_out": [...]}."""
    seeding = models.JSONField(default=list, blank=True, editable=False)
    """Of an elimination, made when the stage begins: entrant ids, seed 1 first. Nobody else plays in it."""

    class Meta:
        ordering = ("tournament", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="stages_are_numbered"),
            models.CheckConstraint(
                condition=Q(seats__gte=MIN_SEATS, seats__lte=MAX_SEATS), name="two_to_fourteen_seats"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, rounds__gte=1, laps__gte=1, games_per_match__gte=1),
                name="stage_counts_from_one",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament} stage {self.number}"

    @property
    def is_elimination(self) -> bool:
        return self.format in ELIMINATION


class Entrant(models.Model):
    """A bot in one tournament, pinned to a version."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="entries")
    version = models.ForeignKey(BotVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    """None until a bot that was never seen says hello; its no-shows until then are unrated."""
    nonce = models.CharField(max_length=64, default=new_nonce)
    seed_number = models.PositiveIntegerField(null=True, blank=True)
    """From 1, given at the start: by rating, equals by the seating key."""
    status = models.CharField(max_length=10, choices=EntrantStatus, default=EntrantStatus.ENTERED)
    entered_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.CharField(max_length=400, blank=True)
    is_compared = models.BooleanField(default=False, editable=False)
    """In a comparison, which alone enters two versions of one bot."""

    class Meta:
        ordering = ("tournament", "seed_number", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "bot"), condition=Q(is_compared=False), name="one_entry_a_bot"
            ),
            models.UniqueConstraint(fields=("tournament", "seed_number"), name="seed_numbers_are_unique"),
        )

    def __str__(self) -> str:
        return f"{self.bot.name} in {self.tournament.name}"
