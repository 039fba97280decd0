"""The sentences of notices, in the active language and time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy, ngettext

from games.clock import TimeControl
from games.clock.turns import MISSES_TO_RETIRE
from games.models.choices import ProposalKind, ProposalOutcome, Reason
from games.notices.facts import CancelledBy, MovedBy
from games.notices.kinds import Topic
from games.words.time import describe_time_control, format_instant, format_until

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class NoticeText:
    """One notice as its sentence needs it: names instead of numbers."""

    topic: Topic
    params: Mapping[str, Any]
    players: str
    """The others in the game; empty while there are none."""
    who: str = ""
    """Who joined, invited or wrote, or proposed or settled something."""
    terms: TimeControl | None = None
    """Proposed terms of time."""


SUBJECTS: Final[Mapping[Topic, "_StrPromise"]] = {
    Topic.TURN: gettext_lazy("Your turn: game with %(players)s"),
    Topic.HALF: gettext_lazy("Half of your time is gone: game with %(players)s"),
    Topic.LAST: gettext_lazy("Your time is nearly over: game with %(players)s"),
    Topic.AUTOPILOT: gettext_lazy("A computer player played for you: game with %(players)s"),
    Topic.RETIRED: gettext_lazy("You are out of the game with %(players)s"),
    Topic.STARTED: gettext_lazy("The game with %(players)s has started"),
    Topic.OVER: gettext_lazy("The game with %(players)s is over"),
    Topic.CANCELLED: gettext_lazy("The game with %(players)s was cancelled"),
    Topic.INVITED: gettext_lazy("%(who)s invites you to a game"),
    Topic.JOINED: gettext_lazy("%(who)s has joined your game"),
    Topic.EXPIRY: gettext_lazy("Your open game is about to be cancelled"),
    Topic.ASKED: gettext_lazy("Your answer is needed: game with %(players)s"),
    Topic.SETTLED: gettext_lazy("A proposal is settled: game with %(players)s"),
    Topic.MOVED: gettext_lazy("Your time has changed: game with %(players)s"),
    Topic.HOLIDAY_BEGINS: gettext_lazy("Your holiday begins"),
    Topic.HOLIDAY_ENDS: gettext_lazy("Your holiday is over"),
    Topic.MESSAGE: gettext_lazy("Messages for you: game with %(players)s"),
    Topic.TEST: gettext_lazy("A test of your mails"),
}
ALONE: Final[Mapping[Topic, "_StrPromise"]] = {
    Topic.CANCELLED: gettext_lazy("Your open game was cancelled"),
}
"""Subjects for a game that nobody else is in."""
SENTENCES: Final[Mapping[Topic, "_StrPromise"]] = {
    Topic.TURN: gettext_lazy("It is your turn."),
    Topic.HALF: gettext_lazy("Half of your time for this turn is gone."),
    Topic.LAST: gettext_lazy("Your time for this turn is nearly over."),
    Topic.STARTED: gettext_lazy("The game has started."),
    Topic.OVER: gettext_lazy("The game is over."),
    Topic.JOINED: gettext_lazy("%(who)s has joined your game."),
    Topic.EXPIRY: gettext_lazy(
        "Your game has not filled yet. It will be cancelled %(ahead)s (%(moment)s) unless it fills or you keep it open."
    ),
    Topic.HOLIDAY_BEGINS: gettext_lazy(
        "Your holiday has begun. Up to and including %(last)s your clock stands still in all games whose time "
        "control allows holidays."
    ),
    Topic.HOLIDAY_ENDS: gettext_lazy("Your holiday is over: your clocks run again."),
    Topic.TEST: gettext_lazy("This is the test that you asked for: mails reach you."),
}
CANCELLED: Final[Mapping[str, "_StrPromise"]] = {
    CancelledBy.CREATOR: gettext_lazy("Who created the game has withdrawn it before it started."),
    CancelledBy.CONSENT: gettext_lazy("All people in the game agreed to cancel it. It does not count."),
    CancelledBy.EXPIRY: gettext_lazy("The game did not fill in time, so it was cancelled."),
    CancelledBy.ACCOUNT: gettext_lazy("Who created the game has left the site, so it was cancelled before it started."),
}
RETIRED: Final[Mapping[str, "_StrPromise"]] = {
    Reason.TIMEOUT: gettext_lazy("Your time ran out, and as the time control of the game says, you left it."),
    Reason.REMOVED: gettext_lazy("The staff has put you out of the game."),
}
MOVED: Final[Mapping[str, "_StrPromise"]] = {
    MovedBy.OUTAGE: gettext_lazy("The site was down for a while. You get that time back."),
    MovedBy.TIME_CONTROL: gettext_lazy("The game has a new time control now, and your turn has a new deadline."),
    MovedBy.STAFF: gettext_lazy("The staff has stopped your clock or started it again."),
}
ASKED: Final[Mapping[str, "_StrPromise"]] = {
    ProposalKind.CANCEL: gettext_lazy("%(who)s proposes to cancel the game. Do you agree?"),
    ProposalKind.TIME_CONTROL: gettext_lazy("%(who)s proposes another time control: %(terms)s Do you agree?"),
}
SETTLED: Final[Mapping[tuple[str, str], "_StrPromise"]] = {
    (ProposalKind.CANCEL, ProposalOutcome.REFUSED): gettext_lazy(
        "%(who)s does not want to cancel the game. It goes on."
    ),
    (ProposalKind.CANCEL, ProposalOutcome.WITHDRAWN): gettext_lazy(
        "%(who)s does not propose to cancel the game any more."
    ),
    (ProposalKind.TIME_CONTROL, ProposalOutcome.REFUSED): gettext_lazy(
        "%(who)s does not want another time control. It stays as it is."
    ),
    (ProposalKind.TIME_CONTROL, ProposalOutcome.WITHDRAWN): gettext_lazy(
        "%(who)s does not propose another time control any more."
    ),
    (ProposalKind.TIME_CONTROL, ProposalOutcome.ACCEPTED): gettext_lazy("Everyone has agreed to another time control."),
}


def subject(told: NoticeText) -> str:
    """Return what a mail about one fact is called."""
    words = SUBJECTS[told.topic] if told.players else ALONE.get(told.topic, SUBJECTS[told.topic])
    return str(words) % {"players": told.players, "who": told.who}


def sentence(told: NoticeText, now: datetime) -> str:
    """Return what happened, as a sentence or two to its reader."""
    params = told.params
    words = SENTENCES.get(told.topic)
    values: dict[str, Any] = {"who": told.who}
    match told.topic:
        case Topic.AUTOPILOT | Topic.INVITED | Topic.MESSAGE:
            return _counted(told)
        case Topic.RETIRED:
            words = RETIRED[params["reason"]]
        case Topic.CANCELLED:
            words = CANCELLED[params["why"]]
        case Topic.MOVED:
            words = MOVED[params["why"]]
        case Topic.EXPIRY:
            at = datetime.fromisoformat(params["expires_at"])
            values |= {"ahead": format_until(int((at - now).total_seconds())), "moment": format_instant(at)}
        case Topic.ASKED:
            words = ASKED[params["what"]]
            values |= {"terms": "" if told.terms is None else describe_time_control(told.terms)}
        case Topic.SETTLED:
            words = SETTLED[params["what"], params["outcome"]]
        case Topic.HOLIDAY_BEGINS:
            values |= {"last": date_format(date.fromisoformat(params["last"]), "DATE_FORMAT")}
        case _:
            pass
    return str(words) % values


def _counted(told: NoticeText) -> str:
    """Return a sentence that depends on a number."""
    params = told.params
    match told.topic:
        case Topic.AUTOPILOT:
            words, values = _autopilot_words(params["misses"]), {"count": params["misses"], "limit": MISSES_TO_RETIRE}
        case Topic.INVITED:
            words, values = _invited_words(params["size"]), {"size": params["size"]}
        case _:
            words, values = _message_words(params["count"]), {"count": params["count"]}
    return words % {**values, "who": told.who}


def _autopilot_words(misses: int) -> str:
    return ngettext(
        "Your time ran out, and a computer player played your turn. You have missed %(count)s turn; "
        "at %(limit)s in a row you leave the game.",
        "Your time ran out, and a computer player played your turn. You have missed %(count)s turns in a row; "
        "at %(limit)s you leave the game.",
        misses,
    )


def _invited_words(size: int) -> str:
    return ngettext(
        "%(who)s invites you to a game for %(size)s player.",
        "%(who)s invites you to a game for %(size)s players.",
        size,
    )


def _message_words(count: int) -> str:
    return ngettext(
        "There is %(count)s new message for you, from %(who)s.",
        "There are %(count)s new messages for you, from %(who)s.",
        count,
    )


def subject_of_many(count: int) -> str:
    """Return what a mail about several games is called."""
    return ngettext("News of %(count)s of your games", "News of %(count)s of your games", count) % {"count": count}
