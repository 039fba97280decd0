"""Someone has written to you in a game."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.blocks import blockers_of
from games.log.seats import seats_of
from games.log.table import Table, seat_of
from games.log.unseen import told_to
from games.models import Game, Message, Muted, TalkMute
from games.notices.facts import MessageWritten
from games.notices.kinds import Cadence, Cause, NoticeKind, NoticeState
from games.notices.models import Notice
from games.notices.presence import seen_at
from games.notices.topic import Check, Item, NoticeText, Sample, Situation, Stage, Topic, read_text
from games.words.lists import list_words


def _sentence(text: NoticeText) -> str:
    count = text.params["count"]
    return ngettext(
        "You have %(count)s new message from %(who)s.",
        "You have %(count)s new messages from %(who)s.",
        count,
    ) % {"count": count, "who": text.who}


def _text(notice: Notice, table: Table, now: datetime) -> NoticeText:
    text = read_text(notice, table, now)
    unread = _unread(table, notice)
    who = list_words(table.names[number - 1] for number in unread)
    return replace(text, params={**text.params, "count": sum(unread.values())}, who=who)


def _unread(table: Table, notice: Notice) -> dict[int, int]:
    """Return how many messages each other seat wrote since the notice's person had the game open."""
    game, own = table.game, table.viewer
    messages = told_to(game.messages.filter(pk__gte=notice.params["first"]), notice.user_id)
    seen = seen_at(notice.user_id, {game.pk}).get(game.pk)
    if seen is not None:
        messages = messages.filter(at__gte=seen)
    if own is not None and own.number is not None:
        messages = messages.exclude(seat=own.number)
    return dict(messages.values_list("seat").annotate(count=Count("pk")).order_by("seat"))


def _outdated(notices: Sequence[Notice], person: Situation) -> Check:
    written = _last_written(notices, person)

    def check(notice: Notice) -> Cause | None:
        seen, last = person.seen.get(notice.game_id or 0), written.get(notice.game_id or 0)
        # Nothing is left to tell where all of it was written by people who have been blocked or muted since.
        return Cause.READ if last is None or (seen is not None and seen > last) else None

    return check


def _last_written(notices: Sequence[Notice], person: Situation) -> dict[int, datetime]:
    """Return when someone else last wrote in each of the games whose messages the notices are about."""
    first = min(notice.params["first"] for notice in notices)
    rows = Message.objects.filter(game__in={notice.game_id for notice in notices}, pk__gte=first)
    rows = told_to(rows, person.user.pk)
    written: dict[int, datetime] = {}
    for game_id, number, at in rows.values_list("game_id", "seat").annotate(at=Max("at")).order_by("at"):
        own = seat_of(person.games[game_id], person.user)
        if own is None or own.number != number:
            written[game_id] = at
    return written


TOPIC: Final = Topic(
    value="message",
    label=_("messages"),
    kind=NoticeKind.MESSAGE,
    cadence=Cadence.DAILY,
    urgency=140,
    subject=_("Messages for you: game with %(players)s"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.RUNNING, lambda _now: {"count": 3}),
    text=_text,
)


def items(game: Game, fact: MessageWritten) -> Iterator[Item]:
    """Yield that there are messages, for those of the others whom no waiting notice says so already: three queries.

    Not for who has blocked or muted the author, or wants no news of messages in this game.

    That one is kept from being taken for a mail until our message can be read; one that was taken says nothing of it.
    """
    author = next((seat.user_id for seat in seats_of(game) if seat.number == fact.seat), None)
    others = {seat.user_id for seat in seats_of(game) if seat.number != fact.seat and seat.user_id is not None}
    others -= blockers_of(author or 0, others)
    spared = Q(what=Muted.MESSAGES) | Q(what=Muted.PLAYER, seat=fact.seat)
    others -= set(TalkMute.objects.filter(spared, game=game).values_list("user", flat=True))
    waiting = Notice.objects.select_for_update(no_key=True).filter(
        user__in=others, game=game, topic=TOPIC.value, state=NoticeState.WAITING, message_id=""
    )
    people = others - set(waiting.values_list("user_id", flat=True))
    yield Item(TOPIC, sorted(people), str(fact.message_id), {"first": fact.message_id})
