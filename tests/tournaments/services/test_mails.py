"""Mail that is on its way: it is sent when its process dies, and once when two are asked at once."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.support.at_once import at_once
from tournaments.models import Mail
from tournaments.services.mails import AT_ONCE, LEASE, MOST_TRIES, mails_send, mails_write
from tournaments.services.sweep import sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


class Down(EmailBackend):
    """A server that takes what is for one address and refuses the rest."""

    def send_messages(self, messages: list[mail.EmailMessage]) -> int:
        if messages[0].to != ["good@example.org"]:
            raise OSError("no such box")
        return int(super().send_messages(messages))


def due(by: timedelta) -> None:
    Mail.objects.update(next_try_at=timezone.now() - by)


def test_many_are_sent_once_by_two_at_once() -> None:
    addresses = [f"owner{number}@example.org" for number in range(AT_ONCE + 5)]
    mails_write(addresses, "Round 2", "It opens.")
    counts = at_once(mails_send, mails_send, mails_send)
    mails_send()
    assert all(isinstance(count, int) for count in counts)
    assert sorted(each.to[0] for each in mail.outbox) == sorted(addresses)
    assert {(each.subject, each.body) for each in mail.outbox} == {("Round 2", "It opens.")}
    assert not Mail.objects.exists()


def test_what_its_sender_died_with_is_sent_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    mails_write(["owner@example.org"], "Round 2", "It opens.")
    with monkeypatch.context() as dying:
        dying.setattr(EmailBackend, "send_messages", _die)
        with pytest.raises(KeyboardInterrupt):
            mails_send()
    assert mails_send() == 0, "somebody may be sending it"
    due(timedelta(0))
    assert Mail.objects.get().tries == 1
    assert sweep()["control.mails"] == 1
    assert mails_send() == 1
    assert [each.to for each in mail.outbox] == [["owner@example.org"]]
    assert sweep()["control.mails"] == 0


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_one_that_cannot_be_sent_holds_up_no_other_and_is_given_up(settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{Down.__module__}.{Down.__name__}"
    mails_write(["bad@example.org", "good@example.org"], "Round 2", "It opens.")
    assert mails_send() == 1
    assert [each.to for each in mail.outbox] == [["good@example.org"]]
    for tries in range(1, MOST_TRIES + 1):
        left = Mail.objects.get()
        assert (left.address, left.tries, left.problem) == ("bad@example.org", tries, "no such box")
        assert (left.next_try_at is None) is (tries == MOST_TRIES)
        if left.next_try_at:
            assert left.next_try_at > timezone.now()
            due(LEASE)
            assert mails_send() == 0
    assert mails_send() == 0
    assert sweep()["control.mails"] == 0


def test_a_subject_that_no_header_can_hold_holds_up_no_other() -> None:
    mails_write(["owner@example.org"], "Cup\nBcc: everybody@example.org", "It opens.")
    mails_write(["owner@example.org"], "Round 2", "It opens.")
    assert mails_send() == 1
    assert [each.subject for each in mail.outbox] == ["Round 2"]
    left = Mail.objects.get()
    assert (left.tries, "newline" in left.problem) == (1, True)
