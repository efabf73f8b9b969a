"""Referee processes, and which bots are connected to them."""

from django.db import models

from tournaments.models.bots import Bot, BotVersion


class Shard(models.Model):
    """One referee process, by the name the settings give it."""

    name = models.CharField(max_length=40, unique=True)
    control_address = models.CharField(max_length=200)
    bot_address = models.CharField(max_length=200)
    is_enabled = models.BooleanField(default=True)
    """False once the settings no longer name it: it gets no new games, its results are still collected."""
    is_draining = models.BooleanField(default=False)
    incarnation = models.CharField(max_length=64, blank=True)
    """Another one: the process was restarted."""
    incarnation_since = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    unreachable_since = models.DateTimeField(null=True, blank=True)
    """Since when it has not answered when asked; a site that did not ask blames nobody."""
    synced_revision = models.PositiveBigIntegerField(default=0)
    """What it last acknowledged, and of which incarnation; 0 after a restart."""

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class CollectorLease(models.Model):
    """Who collects from a shard; one at a time."""

    shard = models.OneToOneField(Shard, on_delete=models.CASCADE, related_name="lease")
    holder = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.shard}: {self.holder or 'free'}"


class Presence(models.Model):
    """A bot as last seen connected to a shard."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="presences")
    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="presences")
    shard = models.ForeignKey(Shard, on_delete=models.CASCADE, related_name="presences")
    max_games = models.PositiveIntegerField(default=1)
    """As announced, bounded by the site's limit."""
    games_in_flight = models.PositiveIntegerField(default=0)
    seats = models.JSONField(default=list, blank=True)
    """Table sizes it plays; empty for all."""
    sdk = models.CharField(max_length=120, blank=True)
    connected_at = models.DateTimeField()

    class Meta:
        ordering = ("bot", "shard")
        constraints = (
            models.UniqueConstraint(fields=("bot", "version", "shard"), name="one_connection_a_version_and_shard"),
        )

    def __str__(self) -> str:
        return f"{self.version} on {self.shard}"
