"""Someone invites you to an open game."""

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.log.table import seat_of
from games.models import Game, Invitation
from games.notices.facts import Invited
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.topic import Call, Check, Item, NoticeText, Sample, Situation, Stage, Topic
from games.notices.topics._open_game import no_longer_open, text_by_user


def _sentence(text: NoticeText) -> str:
    size = text.params["size"]
    return ngettext(
        "%(who)s invites you to a game for %(size)s player.",
        "%(who)s invites you to a game for %(size)s players.",
        size,
    ) % {"who": text.who, "size": size}


def _outdated(notices: Sequence[Notice], person: Situation) -> Check:
    games = {notice.game_id for notice in notices}
    rows = Invitation.objects.filter(user=person.user, game__in=games, declined_at__isnull=False)
    declined = set(rows.values_list("game_id", flat=True))

    def answered(game: Game | None) -> bool:
        return game is not None and (game.pk in declined or seat_of(game, person.user) is not None)

    def check(notice: Notice) -> Cause | None:
        cause = no_longer_open(person, notice)
        return Cause.ANSWERED if cause is None and answered(person.game_of(notice)) else cause

    return check


TOPIC: Final = Topic(
    value="invited",
    label=_("invitation"),
    kind=NoticeKind.INVITED,
    cadence=Cadence.LATER,
    urgency=90,
    subject=_("%(who)s invites you to a game"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.OPEN, lambda _now: {"size": 4}),
    text=text_by_user,
    call=Call(1, _("View the invitation")),
)


def items(game: Game, fact: Invited) -> Iterator[Item]:
    """Yield the invitation, for whoever is invited."""
    ref = "" if fact.anew is None else str(fact.anew)
    yield Item(TOPIC, [fact.user_id], ref, params={"user": fact.by_id, "size": game.size})
