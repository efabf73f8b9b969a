"""Mail: a row in the transaction of what it tells of, sent afterwards, however often the process that sends it dies.

A mail that was sent just before its process died is sent again: twice is better than never.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from smtplib import SMTPException

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.models import Mail
from tournaments.services.hints import SEND_MAILS, hint

AT_ONCE = 50
LEASE = timedelta(minutes=2)
"""What somebody took to send is not taken by another before this."""
MOST_TRIES = 8
"""The pause doubles from half a minute: the last is an hour after the first."""
FIRST_PAUSE = timedelta(seconds=30)
_UNSENT = (OSError, SMTPException, ValueError)
"""The last: a header or an address that cannot be written."""
logger = logging.getLogger(__name__)


def mails_write(addresses: Iterable[str], subject: str, body: str) -> None:
    """To each address one of its own. In the transaction of what it tells of."""
    now = timezone.now()
    mails = [Mail(address=address, subject=subject[:200], body=body, next_try_at=now) for address in addresses]
    if Mail.objects.bulk_create(mails):
        hint(SEND_MAILS)


def mails_sweep() -> int:
    """A hint if any is due."""
    is_due = Mail.objects.filter(next_try_at__lte=timezone.now()).exists()
    if is_due:
        hint(SEND_MAILS)
    return int(is_due)


def mails_send() -> int:
    """Send what is due, what was tried least first, over one connection; how many were sent."""
    sent = 0
    connection = get_connection()
    for mail in _taken():
        try:
            connection.open()
            connection.send_messages([EmailMessage(mail.subject, mail.body, to=[mail.address])])
        except _UNSENT as error:
            connection.close()
            _put_off(mail, error)
        else:
            mail.delete()
            sent += 1
    connection.close()
    return sent


@transaction.atomic
def _taken() -> list[Mail]:
    now = timezone.now()
    due = Mail.objects.select_for_update(skip_locked=True).filter(next_try_at__lte=now).order_by("tries", "pk")
    mails = list(due[:AT_ONCE])
    # The try is counted here: who dies of a mail does not come to count it.
    taken = Mail.objects.filter(pk__in=[mail.pk for mail in mails])
    taken.update(next_try_at=now + LEASE, tries=F("tries") + 1)
    return mails


def _put_off(mail: Mail, error: Exception) -> None:
    logger.warning("%s was not sent: %s", mail, error)
    tries = mail.tries + 1
    again = timezone.now() + FIRST_PAUSE * 2 ** (tries - 1) if tries < MOST_TRIES else None
    Mail.objects.filter(pk=mail.pk).update(problem=str(error)[:400], next_try_at=again)
