"""What a mail says, before it is written: gathered from notices for one reader, with nothing hidden from them."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.zones import zone
from games import queries
from games.clock import TimeControl
from games.log.table import Table
from games.mail import words
from games.mail.decide import load_games
from games.mail.words import NoticeText
from games.models import Game, Proposal
from games.models.choices import Actor, Status
from games.notices import preferences, presence
from games.notices.kinds import NoticeKind, Topic
from games.notices.models import Notice
from games.presenters.registry import PRESENTERS
from games.queries.log import LogLine
from games.timing.deadlines import time_control_of
from games.words.time import describe_time_control, format_instant, format_until

STORY: Final = 12
"""How many entries of the log a mail tells at most."""
URGENT: Final = (
    Topic.LAST,
    Topic.HALF,
    Topic.TURN,
    Topic.ASKED,
    Topic.RETIRED,
    Topic.AUTOPILOT,
    Topic.EXPIRY,
    Topic.MOVED,
    Topic.INVITED,
    Topic.OVER,
    Topic.CANCELLED,
    Topic.STARTED,
    Topic.SETTLED,
    Topic.MESSAGE,
    Topic.JOINED,
    Topic.HOLIDAY_BEGINS,
    Topic.HOLIDAY_ENDS,
    Topic.TEST,
)
"""What is told first."""


@dataclass(frozen=True, slots=True)
class Section:
    """All that a mail says about one game, or about none."""

    subject: str
    title: str
    sentences: tuple[str, ...]
    facts: tuple[tuple[str, str], ...] = ()
    """Whose move, since when, until when: a label and its words each."""
    time_control: str = ""
    story: tuple[str, ...] = ()
    """What happened since the reader's last turn, oldest first."""
    ranking: tuple[tuple[int, str, int], ...] = ()
    """Place, name and points, best first."""
    link: str = ""
    button: str = ""
    about_game: bool = True


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to one person."""

    to: str
    greeting: str
    language: str
    time_zone: str
    subject: str
    parts: tuple[Section, ...]
    link: str
    button: str
    unsubscribe: str
    """The address of the page that ends mails of these kinds; empty for a test."""
    kinds: tuple[str, ...]
    """What unsubscribing would end, in words."""
    message_id: str
    thread: str
    """The Message-ID that stands for the game, which a mail about it alone answers to."""


def write_letter(user: User, notices: Sequence[Notice], *, message_id: str, now: datetime) -> Letter:
    """Gather what a mail about these notices says, in the person's language and time zone."""
    with translation.override(user.language), timezone.override(zone(user.time_zone)):
        games = load_games({notice.game_id for notice in notices if notice.game_id is not None})
        groups: dict[int | None, list[Notice]] = {}
        for notice in notices:
            groups.setdefault(notice.game_id, []).append(notice)
        ordered = sorted(groups.items(), key=lambda group: _urgency(games.get(group[0] or 0), group[1]))
        parts = tuple(_part(user, games.get(key or 0), _in_order(group), now) for key, group in ordered)
        return make_letter(
            user,
            parts,
            kinds=[NoticeKind(notice.kind) for notice in notices],
            message_id=message_id,
            thread=_thread(games) if len(parts) == 1 else "",
        )


def make_letter(
    user: User, parts: tuple[Section, ...], *, kinds: Sequence[NoticeKind], message_id: str, thread: str = ""
) -> Letter:
    """Return the mail that consists of these parts, in the active language."""
    ended = _unsubscribable(kinds)
    token = preferences.unsubscribe_token(user, ended) if ended else ""
    alone = len(parts) == 1
    several_games = not alone and all(part.about_game for part in parts)
    return Letter(
        to=user.email,
        greeting=_("Hello %(name)s,") % {"name": user.display_name},
        language=user.language,
        time_zone=user.time_zone,
        subject=words.subject_of_many(len(parts)) if several_games else parts[0].subject,
        parts=parts,
        link=parts[0].link if alone else absolute(reverse("my_games")),
        button=parts[0].button if alone else _("Open my games"),
        unsubscribe=absolute(reverse("unsubscribe", args=[token])) if token else "",
        kinds=tuple(str(kind.label) for kind in ended),
        message_id=message_id,
        thread=thread,
    )


def absolute(path: str) -> str:
    """Return a path as an address."""
    return f"{settings.SITE_URL}{path}"


def _unsubscribable(kinds: Sequence[NoticeKind]) -> tuple[NoticeKind, ...]:
    """Return what one click may end: never the clock's warnings along with other kinds."""
    chosen = {kind for kind in kinds if kind is not NoticeKind.TEST}
    if chosen != {NoticeKind.CLOCK}:
        chosen.discard(NoticeKind.CLOCK)
    return tuple(kind for kind in NoticeKind if kind in chosen)


def _urgency(game: Game | None, notices: Sequence[Notice]) -> tuple[int, datetime]:
    topic = min(URGENT.index(Topic(notice.topic)) for notice in notices)
    to_move = topic <= URGENT.index(Topic.TURN)
    if to_move and game is not None and game.deadline is not None:
        return 0, game.deadline
    return 1 + topic, notices[0].at


def _in_order(notices: Sequence[Notice]) -> list[Notice]:
    return sorted(notices, key=lambda notice: (URGENT.index(Topic(notice.topic)), notice.pk))


def _thread(games: Mapping[int, Game]) -> str:
    domain = settings.SITE_URL.split("://")[-1].split(":")[0]
    return next((f"<game-{game.key}@{domain}>" for game in games.values()), "")


def _part(user: User, game: Game | None, notices: Sequence[Notice], now: datetime) -> Section:
    if game is None:
        return personal_part([NoticeText(Topic(notice.topic), notice.params, "") for notice in notices], now)
    table = Table.of(game, user)
    others = ", ".join(table.rivals)
    told = [_told(user, notice, table, others) for notice in notices]
    happened = sorted(zip(notices, told, strict=True), key=lambda pair: pair[0].at)
    started = game.setup is not None
    link = reverse("game" if started else "invitation", args=[game.key])
    if any(notice.topic == Topic.ASKED for notice in notices):
        link = reverse("game_time_control", args=[game.key])
    return Section(
        subject=words.subject(told[0]),
        title=_("Game with %(players)s") % {"players": others} if others else _("Your open game"),
        # The subject is the most urgent of them, the sentences tell one after the other as it happened.
        sentences=tuple(words.sentence(one, now) for _notice, one in happened),
        facts=_facts(table, now),
        time_control=""
        if game.status in {Status.FINISHED, Status.CANCELLED}
        else describe_time_control(time_control_of(game)),
        story=_story(table) if started else (),
        ranking=_ranking(table),
        link=absolute(link),
        button=button_words({Topic(notice.topic) for notice in notices}),
    )


def personal_part(told: Sequence[NoticeText], now: datetime) -> Section:
    """Return what a mail says that is about no game, in the active language."""
    test = told[0].topic is Topic.TEST
    return Section(
        subject=words.subject(told[0]),
        title=_("Your mails") if test else _("Your holidays"),
        sentences=tuple(words.sentence(one, now) for one in told),
        link=absolute(reverse("notices" if test else "holidays")),
        button=_("What I am told, and when") if test else _("Open my holidays"),
        about_game=False,
    )


def _told(user: User, notice: Notice, table: Table, others: str) -> NoticeText:
    params, terms = notice.params, None
    names, who = table.names, ""
    if notice.topic in {Topic.JOINED, Topic.INVITED}:
        who = next((name for seat, name in table.seated if seat.user_id == params["user"]), _("Someone"))
    elif notice.topic == Topic.MESSAGE:
        unread = _unread(user, table, params["first"])
        params = {**params, "count": sum(unread.values())}
        who = ", ".join(names[number - 1] for number in unread)
    elif params.get("by") is not None:
        who = names[params["by"] - 1]
    if notice.topic == Topic.ASKED:
        proposal = Proposal.objects.get(pk=params["proposal"])
        terms = TimeControl.from_json(proposal.time_control) if proposal.time_control else None
    return NoticeText(Topic(notice.topic), params, others, who, terms)


def _unread(user: User, table: Table, first: int) -> dict[int, int]:
    """Return how many messages, from ``first`` on, each other seat wrote since the reader had the game open."""
    game, own = table.game, table.viewer
    messages = game.messages.filter(pk__gte=first)
    seen = presence.seen_at(user.pk, {game.pk}).get(game.pk)
    if seen is not None:
        messages = messages.filter(at__gte=seen)
    if own is not None and own.number is not None:
        messages = messages.exclude(seat=own.number)
    return dict(messages.values_list("seat").annotate(count=Count("pk")).order_by("seat"))


def button_words(topics: AbstractSet[Topic]) -> str:
    """Return what the link of a mail about one game is called."""
    if Topic.ASKED in topics:
        return _("Answer the proposal")
    if topics & {Topic.TURN, Topic.HALF, Topic.LAST}:
        return _("Make your move")
    if Topic.INVITED in topics:
        return _("Look at the invitation")
    return _("Open the game")


def turn_facts(
    who: str, since: datetime | None, deadline: datetime | None, now: datetime
) -> tuple[tuple[str, str], ...]:
    """Return whose move it is, since when, and until when exactly: a label and its words each."""
    facts = [(_("To move"), who)]
    if since is not None:
        facts.append((_("Since"), format_instant(since)))
    if deadline is not None:
        until = _("%(moment)s (%(ahead)s)") % {
            "moment": format_instant(deadline),
            "ahead": format_until(int((deadline - now).total_seconds())),
        }
        facts.append((_("Until"), until))
    return tuple(facts)


def _facts(table: Table, now: datetime) -> tuple[tuple[str, str], ...]:
    game = table.game
    if table.mover is None:
        return ()
    return turn_facts(
        _("you") if table.mover == table.viewer else table.mover_name, game.turn_began_at, game.deadline, now
    )


def _story(table: Table) -> tuple[str, ...]:
    """Return what happened since the reader's last own turn, as they may see it: two queries."""
    game, number = table.game, table.viewer_number
    lines: list[LogLine] = []
    for line in queries.log_page(game, number, size=STORY + 1):
        if line.seat == number and line.by == Actor.PLAYER:
            break
        lines.append(line)
    presenter = PRESENTERS[game.ruleset]
    story = [_("What happened before that stands on the page of the game.")] if len(lines) > STORY else []
    del lines[STORY:]
    for line in reversed(lines):
        told = " ".join(presenter.narrate(line.events, line.turn, table.names))
        if line.by == Actor.AUTOPILOT:
            told = _("%(told)s Played by the autopilot.") % {"told": told}
        if told:
            story.append(told)
    return tuple(story)


def _ranking(table: Table) -> tuple[tuple[int, str, int], ...]:
    game = table.game
    if game.status != Status.FINISHED:
        return ()
    rows = [(seat.place or game.size, name, seat.points) for seat, name in table.seated]
    return tuple(sorted(rows))
