"""What a topic of notices is: all that the site knows of one thing that people are notified of.

Each topic is one definition in a file of `games.notices.topics`, which lists them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from accounts.models import User
from games.clock import TimeControl
from games.log.table import Table, seat_of
from games.models import Game, Seat
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.words.lists import list_words

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


type LazyText = _StrPromise
"""Words that become those of the active language when they are shown."""
type Words = LazyText | Callable[[NoticeText], str]
"""Words with places for ``%(players)s`` and ``%(who)s``, or a function that returns them filled in."""
type Check = Callable[[Notice], Cause | None]
"""Returns why a notice is not so any more, or None."""
type ReadText = Callable[[Notice, Table, datetime], NoticeText]
"""Returns what the words about a notice need, for its reader: seats and their users are loaded with the game."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """One notice as its words need it: names instead of numbers."""

    params: Mapping[str, Any]
    now: datetime
    """When it is read."""
    players: str = ""
    """The others in the game; empty while there are none."""
    who: str = ""
    """Who joined, invited or wrote, or proposed or settled something."""
    time_control: TimeControl | None = None
    """A time control that is proposed."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What is so for one person at an instant."""

    user: User
    now: datetime
    games: Mapping[int, Game]
    """The games that the notices in hand are about, by id, with their seats and people loaded."""
    seen: Mapping[int, datetime]
    """When the person last had each of these games open."""

    def game_of(self, notice: Notice) -> Game | None:
        """Return the game that a notice is about."""
        return None if notice.game_id is None else self.games[notice.game_id]

    def seat_in(self, notice: Notice) -> Seat | None:
        """Return the person's seat in the game that a notice is about."""
        game = self.game_of(notice)
        return None if game is None else seat_of(game, self.user)


@dataclass(frozen=True, slots=True)
class Item:
    """A fact as it becomes rows: one for each person whom it concerns."""

    topic: "Topic"
    people: Iterable[int | None]
    """Ids of users; None, for who has no account, makes no row."""
    ref: str = ""
    """With the topic it names the fact within the game, so that the same fact is never stored twice."""
    params: Mapping[str, Any] = field(default_factory=dict)
    at: datetime | None = None
    """From when it is true, if not from now."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a mail asks its reader to do. Of several calls in one mail about a game the weightiest is its button."""

    weight: int
    button: LazyText
    page: str = ""
    """The name of the address that the button opens, made with the game's key; empty for the page of the game."""


@dataclass(frozen=True, slots=True)
class Personal:
    """How a mail shows a topic that is about no game."""

    title: LazyText
    button: LazyText
    page: str
    """The name of the address that the button opens."""


class Stage(Enum):
    """How far the game of a sample has come."""

    OPEN = auto()
    STARTED = auto()
    RUNNING = auto()
    FINISHED = auto()
    LEFT = auto()
    """No longer the reader's: cancelled, or they are out of it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample of the topic is made of."""

    stage: Stage | None
    """None for a topic that is about no game."""
    params: Callable[[datetime], Mapping[str, Any]] = lambda _now: {}
    time_control: TimeControl | None = None


def done_stays_done(_notices: Sequence[Notice], _person: Situation) -> Check:
    """Say of each notice that it is still so."""
    return lambda _notice: None


def not_in_state(person: Situation, status: str, notice: Notice) -> Cause | None:
    """Return why a notice that its game has ended so is not so, or None."""
    game = person.game_of(notice)
    return None if game is not None and game.status == status else Cause.NOT_SO


def read_text(notice: Notice, table: Table, now: datetime) -> NoticeText:
    """Return the text of a notice whose ``by``, if there is one, is the seat of who did it."""
    by = notice.params.get("by")
    return NoticeText(notice.params, now, list_words(table.rivals), "" if by is None else table.names[by - 1])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Topic:
    """One thing that people are notified of."""

    value: str
    """What rows of the outbox call it, for ever; at most 16 characters."""
    label: LazyText
    kind: NoticeKind
    """What people choose about."""
    cadence: Cadence
    """When it is sent to whom has not chosen otherwise: the same for all topics of a kind."""
    urgency: int
    """Its place in a mail: the lowest number comes first and gives the mail its subject. No two topics share one."""
    by_deadline: bool = False
    """Whether games with nothing graver come by their deadlines in a mail."""
    urgent: bool = False
    """Whether it brings along what waits for an hour or for the morning: a warning, an ending, autopilot."""
    subject: Words
    """What a mail about this alone is called."""
    sentence: Words
    """What happened, as a sentence or two to its reader."""
    outdated: Callable[[Sequence[Notice], Situation], Check]
    """Reads at once what it takes to judge these notices of one person, and returns the check of each."""
    sample: Sample
    text: ReadText = read_text
    call: Call | None = None
    personal: Personal | None = None

    def subject_of(self, text: NoticeText) -> str:
        """Return what a mail about this alone is called, in the active language."""
        return _filled_in(self.subject, text)

    def sentence_of(self, text: NoticeText) -> str:
        """Return what happened, in the active language and time zone."""
        return _filled_in(self.sentence, text)


def _filled_in(words: Words, text: NoticeText) -> str:
    return words(text) if callable(words) else str(words) % {"players": text.players, "who": text.who}
