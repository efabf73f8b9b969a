"""Tournament rounds and the matches in them."""

from django.db import models
from django.db.models import Q

from tournaments.ids import new_public_id
from tournaments.models.plans import Entrant, Stage
from tournaments.models.status import ByeKind, MatchStatus, RoundStatus


class CurrentRounds(models.Manager["TournamentRound"]):
    """Without those that a roll back took back: they count for nothing any more."""

    def get_queryset(self) -> models.QuerySet["TournamentRound"]:
        return super().get_queryset().filter(rolled_back_at=None)


class TournamentRound(models.Model):
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="tournament_rounds")
    number = models.PositiveIntegerField()
    """From 1 within the stage. In an elimination the round of the bracket: one in which nobody has to play is left out."""
    status = models.CharField(max_length=8, choices=RoundStatus, default=RoundStatus.PAIRED)
    notes = models.JSONField(default=list, blank=True)
    """What the pairing could not keep, as sentences."""
    paired_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closing_no = models.PositiveBigIntegerField(null=True, blank=True, unique=True)
    """The place of this round in the fold of all ratings; kept when the round is opened again."""
    rolled_back_at = models.DateTimeField(null=True, blank=True)
    """Taken back: its matches are superseded, and another round of its number may be paired."""
    next_try_at = models.DateTimeField(null=True, blank=True)

    objects = CurrentRounds()
    with_rolled_back = models.Manager()

    class Meta:
        ordering = ("stage", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("stage", "number"), condition=Q(rolled_back_at=None), name="one_round_of_a_number"
            ),
            models.CheckConstraint(
                condition=~Q(status=RoundStatus.CLOSED) | Q(closing_no__isnull=False),
                name="a_closed_round_has_its_number",
            ),
        )
        indexes = (models.Index(fields=("next_try_at",), name="round_due", condition=Q(next_try_at__isnull=False)),)

    def __str__(self) -> str:
        return f"{self.stage.tournament} stage {self.stage.number} round {self.number}"


class Match(models.Model):
    """Entrants meeting at one table in one tournament round."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    tournament_round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    """The table, from 1 within the round."""
    bracket_number = models.PositiveIntegerField(null=True, blank=True, editable=False)
    """Elimination: the match of the bracket that is played here, counted from 1 over the stage."""
    replacement = models.PositiveIntegerField(default=0)
    """How often this match was played again; each time in a row of its own."""
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")
    passed_on = models.ManyToManyField("tournaments.Game", blank=True, related_name="formerly_of")
    """Of a superseded match: the games whose results still count. They are games of the match that replaces it."""
    status = models.CharField(max_length=16, choices=MatchStatus, default=MatchStatus.WAITING)
    status_reason = models.CharField(max_length=400, blank=True)
    """Why it waits, needs attention or is void."""
    is_unplayed = models.BooleanField(default=False)
    """Scored without a game, because fewer than two came: 1 point for the one present, 0 for the absent, unrated."""
    join_until = models.DateTimeField(null=True, blank=True)
    """Bots not connected by then are no-shows; set when the round opens, put off when an attempt is lost."""
    retried_at = models.DateTimeField(null=True, blank=True)
    """When a person sent it back to play: attempts before that no longer count towards the limit."""
    tries = models.PositiveIntegerField(default=0)
    """Dispatches in vain since the last that got on; sets the pace of the next."""
    next_try_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    played_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("tournament_round", "number", "replacement")
        verbose_name_plural = "matches"
        constraints = (
            models.UniqueConstraint(
                fields=("tournament_round", "number", "replacement"), name="one_match_of_a_number_and_replacement"
            ),
            models.UniqueConstraint(
                fields=("tournament_round", "number"),
                condition=~Q(status=MatchStatus.SUPERSEDED),
                name="one_current_match_a_table",
            ),
        )
        indexes = (
            models.Index(fields=("next_try_at",), name="match_due", condition=Q(next_try_at__isnull=False)),
            models.Index(fields=("status",), name="match_status"),
        )

    def __str__(self) -> str:
        return f"{self.tournament_round} match {self.number}"


class MatchEntrant(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="match_entrants")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="match_entrants")
    tournament_round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="+")
    """The match's, held here as well for the constraint."""
    is_current = models.BooleanField(default=True)
    """False once the match is superseded."""
    position = models.PositiveIntegerField()
    """The order in which the pairing names them, from 0; the seat in the first game."""
    is_absent = models.BooleanField(default=False)
    """Did not come: a no-show in every game, or the reason why there was none."""
    corrected_place = models.PositiveIntegerField(null=True, blank=True)
    """As the organiser ruled, for all entrants of the match or none: it counts in place of those of the games."""

    class Meta:
        ordering = ("match", "position")
        constraints = (
            models.UniqueConstraint(fields=("match", "entrant"), name="an_entrant_once_a_match"),
            models.UniqueConstraint(fields=("match", "position"), name="a_position_once_a_match"),
            models.UniqueConstraint(
                fields=("tournament_round", "entrant"),
                condition=Q(is_current=True),
                name="one_match_an_entrant_and_round",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entrant} in match {self.match.number}"


class Bye(models.Model):
    """An entrant without a match in a round, and why."""

    tournament_round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="byes")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(max_length=12, choices=ByeKind)

    class Meta:
        ordering = ("tournament_round", "id")
        constraints = (
            models.UniqueConstraint(fields=("tournament_round", "entrant"), name="one_bye_an_entrant_and_round"),
        )

    def __str__(self) -> str:
        return f"{self.entrant}: {self.get_kind_display()}"
