"""Ratings: one row for every entrant of a rated match, folded in the order in which rounds closed."""

from django.db import models

from tournaments.models.bots import BotVersion
from tournaments.models.plans import Entrant, Tournament
from tournaments.models.rounds import Match


class RatingRow(models.Model):
    version = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="rating_rows", db_index=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_rows")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="rating_rows", db_index=False)
    closing_no = models.PositiveBigIntegerField()
    """That of the match's round."""
    number = models.PositiveIntegerField()
    """How many rated matches the version has with this one."""
    rating_before = models.FloatField()
    delta = models.FloatField()
    k = models.FloatField()
    inputs = models.JSONField()
    """What the formula was given, per opponent: {"version", "rating", "score"}, the score as a fraction "1/2"."""

    class Meta:
        ordering = ("closing_no", "match", "entrant")
        # Their indexes serve entrants and versions too: there may be half a million rows to write.
        constraints = (
            models.UniqueConstraint(fields=("entrant", "match"), name="one_rating_row_an_entrant_and_match"),
            models.UniqueConstraint(fields=("version", "closing_no"), name="one_rating_row_a_version_and_closing"),
        )

    @property
    def rating_after(self) -> float:
        return self.rating_before + self.delta

    def __str__(self) -> str:
        return f"{self.version}: {self.rating_before:.0f} {self.delta:+.1f}"


class StrengthReport(models.Model):
    """How strong the entrants of a finished tournament are, and how sure that is: made by a worker, for it takes seconds."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="strength_report")
    games = models.PositiveIntegerField()
    """How many it is made from."""
    measures = models.JSONField(default=list)
    """As `tournaments.services.strength` writes it; `tournaments.selectors.strength` reads it."""
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"strengths of {self.tournament}"


class Sequence(models.Model):
    """A number that only grows, under the lock of its row: `closing_no`, `sync_revision`."""

    name = models.CharField(max_length=30, primary_key=True)
    value = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} {self.value}"
