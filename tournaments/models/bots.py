"""Bots and the versions their authors name."""

from django.conf import settings
from django.db import models

from tournaments.ids import new_public_id


class Bot(models.Model):
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    name = models.CharField(max_length=120)
    """2 to 30 characters as people count them; see `tournaments.names`."""
    name_key = models.CharField(max_length=240, unique=True, editable=False)
    """Equal for names that look alike. A deleted bot keeps its own: nobody may pose as it."""
    description = models.CharField(max_length=400, blank=True)
    token_generation = models.PositiveIntegerField(default=0)
    """Tokens of an older generation are void; 0 until the first token is made."""
    max_games = models.PositiveIntegerField(default=0)
    """The site's limit on games at once; 0 for none, then only what the bot announces counts."""
    is_house = models.BooleanField(default=False)
    """Run by the site itself, a partner for test matches."""
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.name


class BotVersion(models.Model):
    """What is rated: one version of a bot, as its author names it when it connects."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="versions")
    name = models.CharField(max_length=40)
    is_self_declared = models.BooleanField(default=True)
    """Only the author says that this is what runs."""
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """The version before it."""
    created_at = models.DateTimeField(auto_now_add=True)
    last_connected_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("bot", "name"), name="one_version_of_a_name"),)

    def __str__(self) -> str:
        return f"{self.bot.name} {self.name}"
