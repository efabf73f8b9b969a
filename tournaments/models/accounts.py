"""People, what they did, and what they should know."""

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.validators import ASCIIUsernameValidator
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from tournaments.models.status import DeadLetterStatus

USERNAME_VALIDATORS = [ASCIIUsernameValidator()]
"""For those who sign up: no user name passes for another's by letters of another script."""


class Account(AbstractUser):
    """Whoever logs in: an owner of bots, an organiser (`is_staff`), or the operator (`is_superuser`)."""


class AuditEntry(models.Model):
    """Who did what to which tournament or bot; written in the transaction of the act."""

    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """None: the site itself."""
    action = models.CharField(max_length=60)
    """The service's name."""
    tournament = models.ForeignKey(
        "tournaments.Tournament", null=True, blank=True, on_delete=models.SET_NULL, related_name="audit"
    )
    subject = models.CharField(max_length=200)
    before = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    after = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ("-at", "-id")
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.action} {self.subject}"


class Notice(models.Model):
    """A line an owner or organiser finds on his page."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="notices")
    tournament = models.ForeignKey(
        "tournaments.Tournament", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    code = models.CharField(max_length=60)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.account}: {self.text}"


class Mail(models.Model):
    """A mail on its way: written with what it tells of, sent after that, and then deleted."""

    address = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    tries = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=400, blank=True)
    """Why the last try failed."""
    next_try_at = models.DateTimeField(null=True, blank=True)
    """None: given up."""

    class Meta:
        ordering = ("-id",)
        indexes = (
            models.Index(fields=("next_try_at",), name="mail_due", condition=models.Q(next_try_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.subject} to {self.address}"


class DeadLetter(models.Model):
    """A message to the workers that was delivered too often or refused, taken from the broker for a person to look at."""

    message_id = models.CharField(max_length=80, unique=True)
    """The broker's: a message that is read twice makes one row."""
    task = models.CharField(max_length=80)
    """Empty: not even the name could be read."""
    args = models.JSONField(default=list, blank=True)
    queue = models.CharField(max_length=80, blank=True)
    """Where it died."""
    reason = models.CharField(max_length=400, blank=True)
    status = models.CharField(max_length=10, choices=DeadLetterStatus, default=DeadLetterStatus.WAITING)
    found_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-found_at", "-id")

    def __str__(self) -> str:
        return f"{self.task or 'unreadable'}({', '.join(map(str, self.args))})"
