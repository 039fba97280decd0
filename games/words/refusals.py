"""A sentence for each refusal that is not a board game's own: of the site, of the rules of any game, of the clock."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from accounts.names import isolate
from engine.errors import Param, Refusal, RulesCode
from games.clock import ClockCode
from games.errors import GameCode
from games.words.time import format_date, format_duration

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

REFUSALS: Final[Mapping[StrEnum, "_StrPromise"]] = {
    GameCode.NO_SUCH_GAME: _("There is no game at this address."),
    GameCode.NO_SUCH_POSITION: _("This game has no position number %(seq)s."),
    GameCode.STALE: _("The game has moved on since this page was shown. Here is the board as it is now."),
    GameCode.IDEMPOTENCY_MISMATCH: _("Something else has already been sent with this key."),
    GameCode.NOT_YOURS: _("You are not playing in this game."),
    GameCode.NOT_YOUR_TURN: _("It is not your turn."),
    GameCode.YOUR_TURN: _("It is your turn now: play it."),
    GameCode.TOO_MANY_PLANS: _("You have %(most)s plans, which is the maximum. Withdraw one of them first."),
    GameCode.UNKNOWN_CONDITION: _("This turn does not depend on that."),
    GameCode.NO_SUCH_PLAN: _("There is no such plan any more."),
    GameCode.NOT_OPEN: _("This game is no longer open to new players."),
    GameCode.NOT_RUNNING: _("This game is not running."),
    GameCode.NOT_OVER: _("A rematch begins when a game has been played to its end."),
    GameCode.ALREADY_JOINED: _("You already have a seat in this game."),
    GameCode.NOT_JOINED: _("You have no seat in this game."),
    GameCode.NOT_CREATOR: _("Only the player who created this game can do that."),
    GameCode.CREATOR_STAYS: _("You created this game: you can cancel it, but not leave it."),
    GameCode.UNKNOWN_RULESET: _("There are no rules named “%(ruleset)s”."),
    GameCode.BAD_SIZE: _("This game is for %(least)s to %(most)s players."),
    GameCode.BAD_SERIES: _("A series has at most %(most)s games."),
    GameCode.SERIES_GOES_ON: _("The next game of this series begins by itself within a minute."),
    GameCode.BAD_GATES: _("Nobody can join a game with these bounds: check the ratings and the turns played in time."),
    GameCode.RATING_PROVISIONAL: _(
        "This game is for players with a rating from %(least)s. Yours is provisional until you have finished "
        "%(games)s rated games of this size."
    ),
    GameCode.RATING_TOO_LOW: _("This game is for players with a rating from %(least)s; yours is %(rating)s."),
    GameCode.RATING_TOO_HIGH: _("This game is for players with a rating up to %(most)s; yours is %(rating)s."),
    GameCode.NOT_PUNCTUAL: _(
        "This game is for players who have played at least %(least)s%% of their turns in time; you have played "
        "%(share)s%% in time."
    ),
    GameCode.TOO_MANY_BOTS: _("At most %(most)s seats of this game can go to computer players."),
    GameCode.NO_ADVICE: _("A good turn is shown only where all others are computer players."),
    GameCode.TOO_MANY_BOT_GAMES: _(
        "You are playing %(most)s games with computer players, which is the maximum. Finish one of them first."
    ),
    GameCode.TOO_MANY_NEW_BOT_GAMES: _(
        "You have started %(most)s games with computer players within a day, which is the maximum. Try again tomorrow."
    ),
    GameCode.TOO_MANY_OPEN_GAMES: _(
        "You have created %(most)s games that are waiting for players, which is the maximum. Cancel one of them, or "
        "wait until one has started."
    ),
    GameCode.TOO_MANY_NEW_GAMES: _(
        "You have created %(most)s games within a day, which is the maximum. Try again tomorrow."
    ),
    GameCode.SEATS_CHANGED: _("Who plays has changed since this page was shown. Here are the seats as they are now."),
    GameCode.TOO_MANY_MESSAGES: _(
        "You have written %(most)s messages in this game within a day, which is the maximum. Try again tomorrow."
    ),
    GameCode.TOO_MANY_AS_SPECTATOR: _(
        "You have written %(most)s messages to spectators within a day, which is the maximum. Try again tomorrow."
    ),
    GameCode.PLAYER_WATCHES: _("Only spectators can do this. Players can read it once the game is over."),
    GameCode.NOT_CONFIRMED: _("Only people with a confirmed e-mail address can do this."),
    GameCode.NOTHING_TO_MUTE: _("There is nothing here that you could mute."),
    GameCode.NOTHING_TO_REACT_TO: _("There is nothing here that you could react to."),
    GameCode.TOO_MANY_REACTIONS: _(
        "You have reacted %(most)s times in this game within a day, which is the maximum. Try again tomorrow."
    ),
    GameCode.UNKNOWN_BOT: _("There is no computer player named “%(bot)s”."),
    GameCode.TOO_LATE_TO_CANCEL: _("The second round has begun: this game can no longer be cancelled."),
    GameCode.PROPOSED_THIS_ROUND: _("You have already proposed this in this round: wait for the next one."),
    GameCode.WITHDRAWN_LATELY: _("You withdrew such a proposal less than a day ago: wait a day before the next one."),
    GameCode.PROPOSAL_OPEN: _("Something else has already been proposed in this game: answer that first."),
    GameCode.NO_SUCH_PROPOSAL: _("This proposal is no longer open."),
    GameCode.SAME_TIME_CONTROL: _("The game already has this time control."),
    GameCode.NOT_ASKED: _("Only the people who are still playing in this game can answer."),
    GameCode.NO_SUCH_HOLIDAY: _("You have no holiday on those days."),
    GameCode.NO_SUCH_PERSON: _("Nobody here is called “%(name)s”."),
    GameCode.INVITED_SELF: _("You can't invite yourself."),
    GameCode.BEFRIENDED_SELF: _("You can't add yourself."),
    GameCode.TOO_MANY_FRIENDS: _("You have %(most)s friends, which is the maximum. Remove one of them first."),
    GameCode.PERSON_SEATED: _("%(name)s already has a seat in this game."),
    GameCode.PERSON_DECLINED: _("%(name)s was already invited and has declined."),
    GameCode.PERSON_REMOVED: _(
        "The player who created this game has removed %(name)s from it, so only they can invite %(name)s again."
    ),
    GameCode.TOO_MANY_INVITATIONS: _(
        "You have sent %(most)s invitations that are waiting for an answer or are less than a day old, which is the "
        "maximum."
    ),
    GameCode.TOO_MANY_INVITED: _("You invite more people than there is room for: this game has %(free)s free seats."),
    GameCode.WAS_REMOVED: _(
        "The player who created this game has removed you from it. You can join again only if you are invited."
    ),
    GameCode.TOO_MANY_MAILED: _(
        "You have invited %(most)s e-mail addresses within a day, which is the maximum. Try again tomorrow, or give "
        "people the link."
    ),
    GameCode.NOT_INVITED: _("You are not invited to this game."),
    GameCode.GUEST_CREATES: _(
        "As a guest you can create games only against computer players. Add an address and a password to play with "
        "others."
    ),
    GameCode.GUEST_JOINS: _(
        "As a guest you can join a game only through a link that someone gave you. Add an address and a password to "
        "join games from the lobby."
    ),
    GameCode.GUEST_INVITES: _("As a guest you can't invite anyone. Add an address and a password to do so."),
    GameCode.GUEST_WRITES: _("As a guest you can't write messages. Add an address and a password to do so."),
    GameCode.BOT_JOINS: _("Bots can’t take seats in this game."),
    GameCode.NOT_FOR_BOTS: _("A bot can’t do this."),
    GameCode.TOO_MANY_GAMES: _("A bot can’t sit in more than %(most)s open and running games."),
    GameCode.SUSPENDED: _(
        "Your account is suspended: you can finish your running games, but you can't do this until the suspension ends."
    ),
    GameCode.SILENCED: _("At the moment you can't write anything that others would read."),
    GameCode.NO_SEAT_FOR_YOU: _("You can't take a seat in this game."),
    GameCode.NOT_TO_BE_INVITED: _("%(name)s can't be invited to this game."),
    GameCode.NO_REMATCH: _("You can't play a rematch of this game."),
    GameCode.NOTHING_TO_REPORT: _("There is nothing here that you could report."),
    GameCode.TOO_MANY_REPORTS: _(
        "You have sent %(most)s reports within a day, which is the maximum. Try again tomorrow."
    ),
    GameCode.NOT_TO_REVIEW: _("A game can be reviewed when it has been played to its end."),
    GameCode.HOOK_UNCONFIRMED: _("Confirm your e-mail address first."),
    GameCode.TOO_MANY_HOOKS: _("You can have %(most)s webhooks. Remove one first."),
    GameCode.TOO_MANY_REVIEWS: _(
        "You have asked for %(most)s reviews within a day, which is the maximum. Try again tomorrow."
    ),
    RulesCode.UNKNOWN_STEP: _("“%(text)s” is not a step of this game."),
    RulesCode.GAME_OVER: _("The game is over."),
    RulesCode.TURN_INCOMPLETE: _("The turn is not complete yet: it needs an action."),
    RulesCode.TURN_COMPLETE: _("The turn is complete: nothing more can be added to it."),
    RulesCode.NOT_ACTIVE: _("Seat %(seat)s is not in the game."),
    RulesCode.BAD_OPTIONS: _("A game can't be created with these options: check “%(option)s”."),
    ClockCode.BAD_TIME_CONTROL: _("This is not a valid time control: check “%(field)s”."),
    ClockCode.BAD_ALLOWANCE: _("The time per turn must be from %(minimum)s to %(maximum)s."),
    ClockCode.BAD_RESERVE: _("The reserve at the start must be from %(minimum)s to %(maximum)s."),
    ClockCode.BAD_INCREMENT: _("The reserve added per turn must be from %(minimum)s to %(maximum)s."),
    ClockCode.BAD_CAP: _("The maximum reserve must be from %(minimum)s to %(maximum)s."),
    ClockCode.HOLIDAY_BACKWARDS: _("The holiday ends on %(last)s, before it begins on %(first)s."),
    ClockCode.HOLIDAY_TOO_LONG: _("The holiday from %(first)s to %(last)s is longer than %(maximum)s days."),
    ClockCode.HOLIDAYS_OVERLAP: _("Two of the holidays overlap: %(day)s."),
    ClockCode.HOLIDAYS_USED_UP: _("You would have %(days)s holiday days in %(year)s; the limit is %(maximum)s."),
    ClockCode.HOLIDAY_NOT_BEFOREHAND: _(
        "Holidays must be set in advance, and days already taken can't be changed: %(day)s."
    ),
    ClockCode.TURN_OPEN: _("The turn has already begun."),
    ClockCode.TURN_NOT_OPEN: _("No turn has begun."),
    ClockCode.NO_DEADLINE: _("With these holidays the time would never run out."),
}
"""The sentence of each code; its placeholders are the code's parameters."""

_AMOUNTS: Final = frozenset(
    {ClockCode.BAD_ALLOWANCE, ClockCode.BAD_RESERVE, ClockCode.BAD_INCREMENT, ClockCode.BAD_CAP}
)
"""Codes whose numbers are amounts of time, in seconds."""
_DATES: Final = frozenset(
    {
        ClockCode.HOLIDAY_BACKWARDS,
        ClockCode.HOLIDAY_TOO_LONG,
        ClockCode.HOLIDAYS_OVERLAP,
        ClockCode.HOLIDAY_NOT_BEFOREHAND,
    }
)
"""Codes whose texts are dates, in ISO form."""


def explain(refusal: Refusal) -> str:
    """Return why something is refused, as a sentence in the active language; dates and amounts of time are spelt out.

    A board game's own codes have their words in its presenter: here they are shown as in a log.
    """
    words = REFUSALS.get(refusal.code)
    if words is None:
        return str(refusal)
    return str(words) % {name: _spell_out(refusal.code, value) for name, value in refusal.params.items()}


def _spell_out(code: StrEnum, value: Param) -> Param:
    match value:
        case int() if code in _AMOUNTS:
            return format_duration(value)
        case str() if code in _DATES:
            return format_date(date.fromisoformat(value))
        case str():
            return isolate(value)
        case _:
            return value
