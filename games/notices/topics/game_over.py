"""A game is finished."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.log.table import Table
from games.models import Game
from games.models.choices import Status
from games.notices.kinds import Cadence, NoticeKind
from games.notices.models import Notice
from games.notices.seats import all_users
from games.notices.topic import Item, NoticeText, Sample, Stage, Topic, not_in_state, read_text
from games.words.lists import list_words


def _subject(text: NoticeText) -> str:
    names = {"who": text.who, "players": text.players}
    winners = text.params.get("winners", 0)
    if not winners:
        return gettext("The game with %(players)s is over") % names
    if text.params["won"]:
        return gettext("You won the game with %(players)s") % names
    won = ngettext(
        "%(who)s won: the game with %(players)s is over", "%(who)s won: the game with %(players)s is over", winners
    )
    return won % names


def _text(notice: Notice, table: Table, now: datetime) -> NoticeText:
    first = [(seat, name) for seat, name in table.seated if seat.place == 1]
    won = len(first) == 1 and first[0][0] == table.viewer
    who = list_words(name for _seat, name in first)
    return replace(read_text(notice, table, now), params={"winners": len(first), "won": won}, who=who)


TOPIC: Final = Topic(
    value="over",
    label=_("game over"),
    kind=NoticeKind.GAME,
    cadence=Cadence.LATER,
    urgency=26,
    urgent=True,
    subject=_subject,
    sentence=_("The game is over."),
    outdated=lambda _notices, person: partial(not_in_state, person, Status.FINISHED),
    sample=Sample(Stage.FINISHED, lambda _now: {"winners": 1, "won": True}),
    text=_text,
)


def items(game: Game) -> Iterator[Item]:
    """Yield the end, for all people in the game."""
    yield Item(TOPIC, all_users(game))
