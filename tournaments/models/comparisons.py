"""A comparison of two bots, or of two versions of one: what is asked of its tournament."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from tournaments.models.plans import Entrant, Tournament


class Comparison(models.Model):
    """Is B stronger than A? The evidence is read from the results each time, never stored."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="comparison")
    a = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    b = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    least_gap = models.FloatField(validators=[MinValueValidator(1), MaxValueValidator(100)])
    """Points a game: the gain that must not be missed."""
    alpha = models.FloatField(default=0.05)
    """How often a B no better than A may be called stronger."""
    beta = models.FloatField(default=0.05)
    """How often a B better by the least gap may be missed."""
    most_games = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.b.version or self.b.bot} against {self.a.version or self.a.bot}"
