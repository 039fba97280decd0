"""What a person is told, before it is written: gathered from notices for one reader, nothing hidden from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail_format import make_message_id
from accounts.models import User
from accounts.zones import zone
from games import queries
from games.delivery.decide import load_games
from games.log.table import ENDED, Table
from games.models import Game
from games.models.choices import Actor, Status
from games.notices import preferences
from games.notices.kinds import NoticeKind
from games.notices.models import Notice
from games.notices.topic import Call, NoticeText, Topic
from games.notices.topics import TOPICS, game_started, your_turn
from games.presenters.registry import PRESENTERS
from games.queries.log import LogLine
from games.timing.deadlines import time_control_of
from games.words.lists import list_words
from games.words.time import describe_time_control, format_instant, format_until

STORY: Final = 12
"""How many entries of the log a mail about one game narrates at most."""
STORY_OF_MANY: Final = 4
"""How many it narrates of each of several games."""
WHOLE: Final = 10
"""How many games a mail says everything about: the gravest. A large provider cuts a mail at 102 kB."""
LINES: Final = 60
"""How many more it says one line about."""


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
    picture: str = ""
    """The address of the board as anybody may see it, which says nothing of the reader; empty for none, as in a game
    that not everybody may see: programs that read mails are not signed in."""
    about_game: bool = True

    @property
    def time_left(self) -> str:
        """Until when there is time to move, as a sentence; empty without a deadline."""
        until = dict(self.facts).get(_("Until"))
        return _("The deadline is %(until)s.") % {"until": until} if until else ""

    @property
    def told(self) -> tuple[str, ...]:
        """What happened, a sentence or two each, with the deadline last."""
        return (*self.sentences, self.time_left) if self.time_left else self.sentences

    @property
    def line(self) -> str:
        """The section in one line: what it would be called alone, and until when, if there is a deadline."""
        until = dict(self.facts).get(_("Until"))
        return _("%(subject)s, until %(until)s") % {"subject": self.subject, "until": until} if until else self.subject


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What a person is told at once, whatever way it takes."""

    subject: str
    sections: tuple[Section, ...]
    """What is said in full, the gravest first."""
    lines: tuple[str, ...]
    """What is said of further games."""
    more: int
    """How many games are not even that."""
    link: str
    button: str
    key: str
    """The key of the game that all of it is about, or empty."""

    @property
    def in_short(self) -> tuple[str, ...]:
        """What is said where there is little room: all of one game, or a line a game."""
        if len(self.sections) == 1:
            return self.sections[0].told
        return (*(section.line for section in self.sections), *self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailContent:
    """A mail to one person."""

    to: str
    greeting: str
    language: str
    time_zone: str
    news: News
    unsubscribe: str
    """The address of the page that ends mails of these kinds; empty for a test."""
    kinds: tuple[str, ...]
    """What unsubscribing would end, in words."""
    message_id: str
    thread: str
    """The Message-ID that stands for the game, which a mail about it alone answers to."""


def compose_mail(user: User, notices: Sequence[Notice], *, message_id: str, now: datetime) -> MailContent:
    """Gather what a mail about these notices says, in the person's language and time zone."""
    news = compose_news(user, notices, now=now)
    with translation.override(user.language), timezone.override(zone(user.time_zone)):
        return make_content(user, news, kinds=[NoticeKind(notice.kind) for notice in notices], message_id=message_id)


def compose_news(user: User, notices: Sequence[Notice], *, now: datetime, story: bool = True) -> News:
    """Gather what these notices say, in the person's language and time zone.

    Without ``story`` what happened in the games is left out, which takes three queries for them all and no more.
    """
    with translation.override(user.language), timezone.override(zone(user.time_zone)):
        games = load_games({notice.game_id for notice in notices if notice.game_id is not None})
        groups: dict[int | None, list[Notice]] = {}
        for notice in notices:
            groups.setdefault(notice.game_id, []).append(notice)
        ordered = sorted(groups.items(), key=lambda group: _urgency(games.get(group[0] or 0), group[1]))
        size = STORY if len(ordered) == 1 else STORY_OF_MANY
        sections = tuple(
            _section(user, games.get(key or 0), _in_order(group), now, story=size if story and place < WHOLE else 0)
            for place, (key, group) in enumerate(ordered[: WHOLE + LINES])
        )
        key = "".join(game.key for game in games.values()) if len(ordered) == 1 else ""
        return make_news(sections, more=len(ordered) - len(sections), key=key)


def make_news(sections: tuple[Section, ...], *, more: int = 0, key: str = "") -> News:
    """Return what these sections come to, and so many more that are not told, in the active language."""
    alone = len(sections) == 1
    return News(
        subject=_subject(sections[0].subject, len(sections) + more - 1),
        sections=sections[:WHOLE],
        lines=tuple(section.line for section in sections[WHOLE:]),
        more=more,
        link=sections[0].link if alone else absolute(reverse("my_games")),
        button=sections[0].button if alone else _("Open my games"),
        key=key,
    )


def make_content(user: User, news: News, *, kinds: Sequence[NoticeKind], message_id: str) -> MailContent:
    """Return the mail that brings these news, in the active language."""
    ended = _unsubscribable(kinds)
    token = preferences.unsubscribe_token(user, ended) if ended else ""
    return MailContent(
        to=user.email,
        greeting=_("Hello %(name)s,") % {"name": user.shown_name},
        language=user.language,
        time_zone=user.time_zone,
        news=news,
        unsubscribe=absolute(reverse("unsubscribe", args=[token])) if token else "",
        kinds=tuple(str(kind.label) for kind in ended),
        message_id=message_id,
        thread=make_message_id(f"game-{news.key}") if news.key else "",
    )


def shorten(text: str, most: int) -> str:
    """Return a text of at most ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def absolute(path: str) -> str:
    """Return a path as an address."""
    return f"{settings.SITE_URL}{path}"


def _unsubscribable(kinds: Sequence[NoticeKind]) -> tuple[NoticeKind, ...]:
    """Return what one click may end: never the clock's warnings along with other kinds."""
    chosen = {kind for kind in kinds if kind is not NoticeKind.TEST}
    if chosen != {NoticeKind.CLOCK}:
        chosen.discard(NoticeKind.CLOCK)
    return tuple(kind for kind in NoticeKind if kind in chosen)


def _subject(gravest: str, others: int) -> str:
    """Return what a mail is called: the gravest thing in it, and how much more there is."""
    if not others:
        return gravest
    words = ngettext("%(subject)s, and %(count)s more", "%(subject)s, and %(count)s more", others)
    return words % {"subject": gravest, "count": others}


def _urgency(game: Game | None, notices: Sequence[Notice]) -> tuple[int, datetime]:
    gravest = min((TOPICS[notice.topic] for notice in notices), key=lambda topic: topic.urgency)
    if gravest.by_deadline and game is not None and game.deadline is not None:
        return gravest.urgency, game.deadline
    return gravest.urgency, notices[0].at


def _in_order(notices: Sequence[Notice]) -> list[Notice]:
    return sorted(notices, key=lambda notice: (TOPICS[notice.topic].urgency, notice.pk))


def _section(user: User, game: Game | None, notices: Sequence[Notice], now: datetime, *, story: int) -> Section:
    """Return what a mail says about one game, or about none, with its notices in order of urgency."""
    topics = [TOPICS[notice.topic] for notice in notices]
    if game is None:
        texts = [NoticeText(notice.params, now) for notice in notices]
        return personal_section(topics, texts)
    table = Table.of(game, user)
    texts = [topic.text(notice, table, now) for topic, notice in zip(topics, notices, strict=True)]
    happened = sorted(zip(notices, topics, texts, strict=True), key=lambda one: one[0].at)
    started = game.was_set_up
    call = weightiest_call(topics)
    page = call.page if call is not None and call.page else "game" if started else "invitation"
    players = texts[0].players
    return Section(
        subject=_name(game, _begun(texts[0]) if _has_begun(topics) else topics[0].subject_of(texts[0])),
        title=game.shown_name or _title(players),
        # The subject is the most urgent of them, the sentences say one after the other as it happened.
        sentences=_sentences([(topic, text) for _notice, topic, text in happened]),
        facts=_facts(table, now),
        time_control="" if game.status in ENDED else describe_time_control(time_control_of(game)),
        story=_story(table, story) if started and story else (),
        ranking=_ranking(table),
        link=absolute(reverse(page, args=[game.key])),
        button=button_words(call),
        picture=_picture(game) if your_turn.TOPIC in topics and not game.players_only else "",
    )


def _title(players: str) -> str:
    return _("Game with %(players)s") % {"players": players} if players else _("Your open game")


def _name(game: Game, subject: str) -> str:
    """Return a subject with the game's name before it, where it has one."""
    return _("[%(game)s] %(subject)s") % {"game": game.shown_name, "subject": subject} if game.name else subject


def _picture(game: Game) -> str:
    """Return where the board is to be seen as it is now: the same address for everyone who is written to."""
    return absolute(f"{reverse('board_png', args=[game.key])}?at={game.seq}")


def _has_begun(topics: Iterable[Topic]) -> bool:
    """Return whether a game has started with the reader's own turn, and nothing graver is to be said of it."""
    return {game_started.TOPIC, your_turn.TOPIC} <= set(topics) and not any(topic.urgent for topic in topics)


def _begun(text: NoticeText) -> str:
    return _("Your turn: the game with %(players)s has started") % {"players": text.players}


def _sentences(said: Sequence[tuple[Topic, NoticeText]]) -> tuple[str, ...]:
    """Return what happened, one after the other; that a game has started with the reader's turn is one sentence."""
    if not _has_begun(topic for topic, _text in said):
        return tuple(topic.sentence_of(text) for topic, text in said)
    others = [topic.sentence_of(text) for topic, text in said if topic not in {game_started.TOPIC, your_turn.TOPIC}]
    return (_("The game has started, and it is your turn."), *others)


def personal_section(topics: Sequence[Topic], texts: Sequence[NoticeText]) -> Section:
    """Return what a mail says that is about no game, in the active language: a topic and a text each notice."""
    personal = topics[0].personal
    assert personal is not None  # a notice without a game is of such a topic
    return Section(
        subject=topics[0].subject_of(texts[0]),
        title=str(personal.title),
        sentences=tuple(topic.sentence_of(text) for topic, text in zip(topics, texts, strict=True)),
        link=absolute(reverse(personal.page)),
        button=str(personal.button),
        about_game=False,
    )


def weightiest_call(topics: Iterable[Topic]) -> Call | None:
    """Return what a mail about one game asks its reader to do, if there is anything."""
    calls = [topic.call for topic in topics if topic.call is not None]
    return max(calls, key=lambda call: call.weight, default=None)


def button_words(call: Call | None) -> str:
    """Return what the link of a mail about one game is called, in the active language."""
    return _("Open the game") if call is None else str(call.button)


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
    score = list_words(f"{name} {seat.points}" for seat, name in table.seated)
    who = _("you") if table.mover == table.viewer else table.mover_name
    return (*turn_facts(who, game.turn_began_at, game.deadline, now), (_("Score"), score))


def _story(table: Table, size: int) -> tuple[str, ...]:
    """Return what happened since the reader's last own turn, as they may see it: two queries."""
    game, number = table.game, table.viewer_number
    lines: list[LogLine] = []
    for line in queries.log_page(game, number, size=size + 1):
        if line.is_by_hand_of(number):
            break
        lines.append(line)
    presenter = PRESENTERS[game.ruleset]
    story = [_("Earlier events are on the game page.")] if len(lines) > size else []
    del lines[size:]
    for line in reversed(lines):
        narrated = " ".join(presenter.narrate(line.events, line.turn, table.names))
        if line.by == Actor.AUTOPILOT:
            narrated = _("%(told)s Played by the autopilot.") % {"told": narrated}
        elif line.planned:
            narrated = _("%(told)s Played by a plan.") % {"told": narrated}
        if narrated:
            story.append(narrated)
    return tuple(story)


def _ranking(table: Table) -> tuple[tuple[int, str, int], ...]:
    game = table.game
    if game.status != Status.FINISHED:
        return ()
    rows = [(seat.place or game.size, name, seat.points) for seat, name in table.seated]
    return tuple(sorted(rows))
