"""A game will not be played, or not be played on."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models.choices import Status
from games.notices.facts import CancelledBy, GameCancelled
from games.notices.kinds import Cadence, NoticeKind
from games.notices.seats import all_users
from games.notices.topic import Item, LazyText, NoticeText, Sample, Stage, Topic, not_in_state

SENTENCES: Final[Mapping[str, LazyText]] = {
    CancelledBy.CREATOR: _("The player who created the game withdrew it before it started."),
    CancelledBy.CONSENT: _("Everyone in the game agreed to cancel it. It does not count."),
    CancelledBy.EXPIRY: _("The game did not fill up in time, so it was cancelled."),
    CancelledBy.STAFF: _("The staff of the site withdrew the game before it started."),
    CancelledBy.ACCOUNT: _("The player who created the game has left the site, so it was cancelled before it started."),
}


def _subject(text: NoticeText) -> str:
    if not text.players:
        return gettext("Your open game was cancelled")
    return gettext("The game with %(players)s was cancelled") % {"players": text.players}


def _sentence(text: NoticeText) -> str:
    return str(SENTENCES[text.params["why"]])


TOPIC: Final = Topic(
    value="cancelled",
    label=_("game cancelled"),
    kind=NoticeKind.GAME,
    cadence=Cadence.LATER,
    urgency=28,
    urgent=True,
    subject=_subject,
    sentence=_sentence,
    outdated=lambda _notices, person: partial(not_in_state, person, Status.CANCELLED),
    sample=Sample(Stage.LEFT, lambda _now: {"why": CancelledBy.CONSENT}),
)


def items(game: Game, fact: GameCancelled) -> Iterator[Item]:
    """Yield the end, for all people in the game but a creator who brought it about."""
    by_creator = fact.why in {CancelledBy.CREATOR, CancelledBy.ACCOUNT, CancelledBy.STAFF}
    people = [user for user in all_users(game) if not (by_creator and user == game.creator_id)]
    yield Item(TOPIC, people, params={"why": fact.why.value})
