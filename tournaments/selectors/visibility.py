"""Who sees what of a game. One function decides for page, REST, live, feed, picture, log and export.

| before the deal set is final | shared deals | independent deals |
|---|---|---|
| anybody, the organiser too | progress | the public view |
| an owner of a bot in it | besides, all that his own seats were sent and answered | the same |
| the operator, where he asks for it | everything, audited | everything, audited |

Progress: seats, game round, turn, clock, fault types, scores of finished game rounds. Once it is final everybody sees
everything, the seed of the deal too. Before a game has a result there is no record to show.
"""

from dataclasses import dataclass
from enum import Enum

from django.contrib.auth.models import AnonymousUser

from tournaments.models import Account, DealMode, DealSetStatus, Game


class Sight(Enum):
    """What may be seen of the cards, besides one's own seats."""

    PROGRESS = "progress"
    """No card and no reply."""
    PUBLIC = "public"
    """What everybody at the table could see."""
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Visibility:
    sight: Sight
    own_seats: tuple[int, ...]
    """Seats of the viewer's bots: their hands and replies may be shown to him."""
    has_seed: bool
    must_audit: bool
    """Seen by the operator's right alone: whoever shows it writes an audit entry."""

    def shows_seat(self, seat: int) -> bool:
        """Whether hand and replies of this seat may be shown."""
        return self.sight is Sight.EVERYTHING or seat in self.own_seats


def visibility(user: Account | AnonymousUser, game: Game, *, as_operator: bool = False) -> Visibility:
    """What this user may see of the game now. `as_operator`: he asks to look at the hidden cards of an unfinished deal."""
    own_seats = _own_seats(user, game)
    if game.deal_set.status == DealSetStatus.FINAL:
        return Visibility(Sight.EVERYTHING, own_seats, has_seed=True, must_audit=False)
    if as_operator and user.is_active and user.is_superuser:
        return Visibility(Sight.EVERYTHING, own_seats, has_seed=False, must_audit=True)
    sight = Sight.PUBLIC if game.deal_set.mode == DealMode.INDEPENDENT else Sight.PROGRESS
    return Visibility(sight, own_seats, has_seed=False, must_audit=False)


def _own_seats(user: Account | AnonymousUser, game: Game) -> tuple[int, ...]:
    if user.pk is None:
        return ()
    own = game.game_seats.filter(entrant__bot__owner_id=user.pk).order_by("seat")
    return tuple(own.values_list("seat", flat=True))
