"""Your open game will be cancelled soon."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.notices.facts import ExpiryNears
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.topic import Check, Item, NoticeText, Sample, Situation, Stage, Topic
from games.notices.topics._open_game import no_longer_open
from games.words.time import format_instant, format_until


def _sentence(text: NoticeText) -> str:
    at = datetime.fromisoformat(text.params["expires_at"])
    words = gettext(
        "Your game is not full yet. It will be cancelled %(ahead)s (%(moment)s) unless it fills up or you keep it open."
    )
    return words % {"ahead": format_until(int((at - text.now).total_seconds())), "moment": format_instant(at)}


def _outdated(_notices: Sequence[Notice], person: Situation) -> Check:
    def kept_open(notice: Notice) -> bool:
        game = person.game_of(notice)
        return game is not None and game.expires_at != datetime.fromisoformat(notice.params["expires_at"])

    def check(notice: Notice) -> Cause | None:
        cause = no_longer_open(person, notice)
        return Cause.OTHER_DEADLINE if cause is None and kept_open(notice) else cause

    return check


TOPIC: Final = Topic(
    value="expiry",
    label=_("open game about to be cancelled"),
    kind=NoticeKind.EXPIRY,
    cadence=Cadence.LATER,
    urgency=70,
    subject=_("Your open game is about to be cancelled"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.OPEN, lambda now: {"expires_at": (now + timedelta(days=2)).isoformat()}),
)


def items(game: Game, fact: ExpiryNears) -> Iterator[Item]:
    """Yield the warning, for the creator."""
    ref = fact.expires_at.isoformat()
    yield Item(TOPIC, [game.creator_id], ref, {"expires_at": ref})
