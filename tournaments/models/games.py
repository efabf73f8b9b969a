"""Games, the deal sets they lie in, and the attempts at playing them."""

from django.db import models
from django.db.models import Q

from tournaments.ids import new_attempt_id, new_public_id
from tournaments.models.plans import Entrant, TournamentSecret
from tournaments.models.rounds import Match, TournamentRound
from tournaments.models.shards import Shard
from tournaments.models.status import OPEN_ATTEMPT, AttemptStatus, DealMode, DealSetStatus, FaultType


class DealSet(models.Model):
    """Games that share one seed. The seed itself is derived (`tournaments.seeds`) and stored nowhere."""

    tournament_round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="deal_sets")
    number = models.PositiveIntegerField()
    """From 1 within the round."""
    mode = models.CharField(max_length=12, choices=DealMode, default=DealMode.INDEPENDENT)
    status = models.CharField(max_length=8, choices=DealSetStatus, default=DealSetStatus.OPEN)
    secret = models.ForeignKey(TournamentSecret, on_delete=models.PROTECT, related_name="+")
    final_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("tournament_round", "number")
        constraints = (models.UniqueConstraint(fields=("tournament_round", "number"), name="one_deal_set_of_a_number"),)

    def __str__(self) -> str:
        return f"{self.tournament_round} deal set {self.number}"


class Game(models.Model):
    """One play of eleven game rounds, as its match needs it; what came of it is the result of one attempt."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveIntegerField()
    """From 1 within the match."""
    deal_set = models.ForeignKey(DealSet, on_delete=models.PROTECT, related_name="games")
    replacement = models.PositiveIntegerField(default=0)
    """0: the seed of the deal set. Grows when hands of a lost attempt may have been seen; no other game shares it."""
    result = models.OneToOneField(
        "tournaments.Attempt", null=True, blank=True, on_delete=models.PROTECT, related_name="result_of"
    )
    """The finished attempt; set once."""
    digest = models.CharField(max_length=64, blank=True)
    """Head digest of its record, hexadecimal."""
    game_rounds = models.JSONField(default=list, blank=True)
    """Per finished game round: {"game_round", "scores", "went_out_seat" or null}."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("match", "number")
        constraints = (
            models.UniqueConstraint(fields=("match", "number"), name="one_game_of_a_number"),
            models.CheckConstraint(
                condition=Q(result__isnull=True, finished_at__isnull=True, digest="")
                | (Q(result__isnull=False, finished_at__isnull=False) & ~Q(digest="")),
                name="a_result_is_whole",
            ),
        )

    def __str__(self) -> str:
        return f"{self.match} game {self.number}"


class GameSeat(models.Model):
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="game_seats")
    seat = models.PositiveIntegerField()
    """From 0; seat 0 deals the first game round."""
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="game_seats")
    score = models.PositiveIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    """From 1; equal places are shared, retired seats stand below all others (RULES 21)."""
    retired_in_round = models.PositiveIntegerField(null=True, blank=True)
    """The game round in which the seat retired; None if it played to the end."""

    class Meta:
        ordering = ("game", "seat")
        constraints = (
            models.UniqueConstraint(fields=("game", "seat"), name="a_seat_once_a_game"),
            models.UniqueConstraint(fields=("game", "entrant"), name="an_entrant_once_a_game"),
        )

    def __str__(self) -> str:
        return f"{self.game} seat {self.seat}"


class Attempt(models.Model):
    """One try at playing a game, on one shard."""

    attempt_id = models.CharField(max_length=32, unique=True, default=new_attempt_id, editable=False)
    """`game_id` towards referee and bots."""
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveIntegerField()
    """From 1 within the game."""
    replacement = models.PositiveIntegerField(default=0)
    """The game's when it began: which seed it was dealt from."""
    shard = models.ForeignKey(Shard, on_delete=models.PROTECT, related_name="attempts")
    """Written before the call: every retry goes there."""
    status = models.CharField(max_length=12, choices=AttemptStatus, default=AttemptStatus.STARTING)
    status_reason = models.CharField(max_length=400, blank=True)
    no_show_seats = models.JSONField(default=list, blank=True)
    """Seats that the referee plays from the start."""
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    """When it was known to run; only such attempts count towards the limit."""
    ended_at = models.DateTimeField(null=True, blank=True)
    game_round = models.PositiveIntegerField(default=0)
    """This and the next three: how far it is, as last heard."""
    turn = models.PositiveIntegerField(default=0)
    totals = models.JSONField(default=list, blank=True)
    heard_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("game", "number")
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="one_attempt_of_a_number"),
            models.UniqueConstraint(
                fields=("game",), condition=Q(status__in=OPEN_ATTEMPT), name="one_open_attempt_a_game"
            ),
            models.UniqueConstraint(
                fields=("game",), condition=Q(status=AttemptStatus.FINISHED), name="one_finished_attempt_a_game"
            ),
        )
        indexes = (models.Index(fields=("shard", "status"), name="attempt_shard_status"),)

    def __str__(self) -> str:
        return f"{self.game} attempt {self.number}"


class GameRecord(models.Model):
    """The record file of an attempt, sealed by the referee without the seed; kept for ever."""

    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="record")
    data = models.BinaryField()
    digest = models.CharField(max_length=64)
    is_superseded = models.BooleanField(default=False)
    """It came from an attempt that was no longer wanted, and changed nothing."""
    stored_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"record {self.digest[:12]}"


class GameFault(models.Model):
    """One fault with the figures behind it."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="faults")
    number = models.PositiveIntegerField()
    """In order within the game, from 1."""
    type = models.PositiveSmallIntegerField(choices=FaultType)
    seat = models.PositiveIntegerField()
    game_round = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    """From 1 within the game round; 0 before the first."""
    decision_id = models.PositiveIntegerField()
    """0: none was open."""
    budget_ms = models.PositiveIntegerField()
    """What was allowed and used; both 0 where no clock is at stake."""
    used_ms = models.PositiveIntegerField()
    last_latencies_ms = models.JSONField(default=list, blank=True)
    detail = models.TextField(blank=True)
    reply = models.TextField(blank=True)
    """Shows cards: only for those who may see them."""
    retires = models.BooleanField()

    class Meta:
        ordering = ("attempt", "number")
        constraints = (models.UniqueConstraint(fields=("attempt", "number"), name="one_fault_of_a_number"),)

    def __str__(self) -> str:
        return f"{self.get_type_display()} of seat {self.seat}"
