"""Why the site refuses a request: codes with parameters, never sentences (those are in `games.words.refusals`)."""

from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from engine.errors import Param, Refusal


class GameCode(StrEnum):
    """Refusals that have nothing to do with the rules of a board game."""

    NO_SUCH_GAME = "no-such-game"
    """No game has this key."""
    NO_SUCH_POSITION = "no-such-position"
    """The game has no position with that number. Parameters: ``seq``."""
    STALE = "stale"
    """The game has moved on since the page was shown."""
    IDEMPOTENCY_MISMATCH = "idempotency-mismatch"
    """Another turn of the seat was sent under this ``Idempotency-Key`` before."""
    NOT_YOURS = "not-yours"
    """The person holds no seat in this game."""
    NOT_YOUR_TURN = "not-your-turn"
    """The person holds a seat, but another one is to move."""
    YOUR_TURN = "your-turn"
    """It is the person's turn, so there is nothing to plan."""
    TOO_MANY_PLANS = "too-many-plans"
    """The person has planned as many turns in the game as there may be. Parameters: ``most``."""
    UNKNOWN_CONDITION = "unknown-condition"
    """The planned turn relies on no such thing."""
    NO_SUCH_PLAN = "no-such-plan"
    """The person has no such plan in this game."""
    NOT_OPEN = "not-open"
    """The game does not take players any more."""
    NOT_RUNNING = "not-running"
    """The game has not started yet, or has ended."""
    NOT_OVER = "not-over"
    """The game has not been played to its end."""
    ALREADY_JOINED = "already-joined"
    """The person holds a seat already."""
    NOT_JOINED = "not-joined"
    """The person holds no seat that could be left."""
    NOT_CREATOR = "not-creator"
    """Only who created the game may do this."""
    CREATOR_STAYS = "creator-stays"
    """Who created an open game can cancel it, but not leave it."""
    UNKNOWN_RULESET = "unknown-ruleset"
    """No game is played by this ruleset. Parameters: ``ruleset``."""
    BAD_SIZE = "bad-size"
    """The game is not for that many players. Parameters: ``least``, ``most``."""
    BAD_SERIES = "bad-series"
    """A series has at least one game, and not more than this. Parameters: ``most``."""
    SERIES_GOES_ON = "series-goes-on"
    """The next game of the series begins by itself."""
    BAD_GATES = "bad-gates"
    """Nobody could join a game with these bounds."""
    RATING_PROVISIONAL = "rating-provisional"
    """The game asks for a rating, and the person's is provisional. Parameters: ``least``, ``games``."""
    RATING_TOO_LOW = "rating-too-low"
    """The person's rating is below what the game asks for. Parameters: ``least``, ``rating``."""
    RATING_TOO_HIGH = "rating-too-high"
    """The person's rating is above what the game takes. Parameters: ``most``, ``rating``."""
    NOT_PUNCTUAL = "not-punctual"
    """The person has played fewer turns in time than the game asks for. Parameters: ``least``, ``share``."""
    TOO_MANY_BOTS = "too-many-bots"
    """There are more computer players than seats for them. Parameters: ``most``."""
    NO_ADVICE = "no-advice"
    """The person plays against other people too, so no good turn is shown."""
    TOO_MANY_BOT_GAMES = "too-many-bot-games"
    """The person plays in as many games with computer players as may run at once. Parameters: ``most``."""
    TOO_MANY_NEW_BOT_GAMES = "too-many-new-bot-games"
    """The person has started as many games with computer players as a day allows. Parameters: ``most``."""
    TOO_MANY_OPEN_GAMES = "too-many-open-games"
    """The person has created as many games as may wait for players at once. Parameters: ``most``."""
    TOO_MANY_NEW_GAMES = "too-many-new-games"
    """The person has created as many games as a day allows. Parameters: ``most``."""
    SEATS_CHANGED = "seats-changed"
    """Others have taken or given up seats since the page was shown."""
    TOO_MANY_MESSAGES = "too-many-messages"
    """The person has written as many messages in this game as a day allows. Parameters: ``most``."""
    TOO_MANY_AS_SPECTATOR = "too-many-as-spectator"
    """The person has written as many messages to spectators of all games as a day allows. Parameters: ``most``."""
    PLAYER_WATCHES = "player-watches"
    """Who plays can't read what spectators write while the game runs, and write nothing there afterwards."""
    NOT_CONFIRMED = "not-confirmed"
    """Only people with a confirmed address read and write what spectators of a running game write."""
    NOTHING_TO_MUTE = "nothing-to-mute"
    """The person can't mute that: it is not there, not for them to read, or their own."""
    NOTHING_TO_REACT_TO = "nothing-to-react-to"
    """The person can't react to that: it is not there, not for them to see, or their own."""
    TOO_MANY_REACTIONS = "too-many-reactions"
    """The person has reacted as often in this game as a day allows. Parameters: ``most``."""
    UNKNOWN_BOT = "unknown-bot"
    """There is no computer player of this name. Parameters: ``bot``."""
    TOO_LATE_TO_CANCEL = "too-late-to-cancel"
    """The second round has begun."""
    PROPOSAL_OPEN = "proposal-open"
    """Another proposal waits for answers in this game."""
    PROPOSED_THIS_ROUND = "proposed-this-round"
    """The person has proposed this in this round already."""
    WITHDRAWN_LATELY = "withdrawn-lately"
    """The person has withdrawn such a proposal less than a day ago."""
    NO_SUCH_PROPOSAL = "no-such-proposal"
    """The game has no such open proposal."""
    SAME_TIME_CONTROL = "same-contract"
    """The proposed time control is the one that the game has."""
    NOT_ASKED = "not-asked"
    """The person has left the game, so their consent is not needed."""
    NO_SUCH_HOLIDAY = "no-such-holiday"
    """The person has no such holiday."""
    NO_SUCH_PERSON = "no-such-person"
    """Nobody has this display name. Parameters: ``name``."""
    INVITED_SELF = "invited-self"
    """Nobody invites themselves."""
    BEFRIENDED_SELF = "befriended-self"
    """Nobody is on their own list of friends."""
    TOO_MANY_FRIENDS = "too-many-friends"
    """The person has as many friends as a list may have. Parameters: ``most``."""
    PERSON_SEATED = "person-seated"
    """Who is invited holds a seat already. Parameters: ``name``."""
    PERSON_DECLINED = "person-declined"
    """Who is invited has declined to play in this game. Parameters: ``name``."""
    PERSON_REMOVED = "person-removed"
    """Who created the game took away the seat of who is invited. Parameters: ``name``."""
    TOO_MANY_INVITATIONS = "too-many-invitations"
    """The person has sent as many invitations as may wait for answers at once. Parameters: ``most``."""
    TOO_MANY_INVITED = "too-many-invited"
    """More people are asked to a new game than there are seats for. Parameters: ``free``."""
    WAS_REMOVED = "was-removed"
    """Who created the game took the person's seat away."""
    TOO_MANY_MAILED = "too-many-mailed"
    """The person has invited as many e-mail addresses as a day allows. Parameters: ``most``."""
    NOT_INVITED = "not-invited"
    """The person is not invited to this game."""
    GUEST_CREATES = "guest-creates"
    """Guests create games against computer players alone, which are not listed."""
    GUEST_JOINS = "guest-joins"
    """Guests take seats only in games that are found by their link alone."""
    GUEST_INVITES = "guest-invites"
    """Guests invite nobody."""
    GUEST_WRITES = "guest-writes"
    """Guests write no messages."""
    BOT_JOINS = "bot-joins"
    """Bots take seats only in games that take bots."""
    NOT_FOR_BOTS = "not-for-bots"
    """People alone invite, write and report."""
    TOO_MANY_GAMES = "too-many-games"
    """The bot sits in as many open and running games as a bot may. Parameters: ``most``."""
    SUSPENDED = "suspended"
    """The staff has suspended the person: they play their running games on, and begin nothing."""
    SILENCED = "silenced"
    """The staff has silenced the person: they write nothing that others read."""
    NO_SEAT_FOR_YOU = "no-seat-for-you"
    """The person and somebody who sits in the game are to be kept apart; it does not say who wants that."""
    NOT_TO_BE_INVITED = "not-to-be-invited"
    """Who is invited and somebody who sits in the game are to be kept apart. Parameters: ``name``."""
    NO_REMATCH = "no-rematch"
    """The person and somebody who played in the game are to be kept apart."""
    NOTHING_TO_REPORT = "nothing-to-report"
    """The person can't report that: it is not there, not for them to see, or their own."""
    TOO_MANY_REPORTS = "too-many-reports"
    """The person has reported as much as a day allows. Parameters: ``most``."""
    NOT_TO_REVIEW = "not-to-review"
    """The game has not been played to its end, so nobody may be told what its turns are worth."""
    HOOK_UNCONFIRMED = "hook-unconfirmed"
    """Only people with a confirmed address, where a mail tells them of it, add a webhook."""
    TOO_MANY_HOOKS = "too-many-hooks"
    """The person has as many webhooks as one may have. Parameters: ``most``."""
    TOO_MANY_REVIEWS = "too-many-reviews"
    """The person has asked for as many reviews as a day allows. Parameters: ``most``."""


HTTP_STATUS: Final[Mapping[GameCode, HTTPStatus]] = {
    GameCode.NO_SUCH_GAME: HTTPStatus.NOT_FOUND,
    GameCode.NO_SUCH_POSITION: HTTPStatus.NOT_FOUND,
    GameCode.STALE: HTTPStatus.CONFLICT,
    GameCode.IDEMPOTENCY_MISMATCH: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.NOT_YOURS: HTTPStatus.FORBIDDEN,
    GameCode.NOT_YOUR_TURN: HTTPStatus.FORBIDDEN,
    GameCode.YOUR_TURN: HTTPStatus.CONFLICT,
    GameCode.TOO_MANY_PLANS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.UNKNOWN_CONDITION: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.NO_SUCH_PLAN: HTTPStatus.NOT_FOUND,
    GameCode.NOT_OPEN: HTTPStatus.CONFLICT,
    GameCode.NOT_RUNNING: HTTPStatus.CONFLICT,
    GameCode.NOT_OVER: HTTPStatus.CONFLICT,
    GameCode.ALREADY_JOINED: HTTPStatus.CONFLICT,
    GameCode.NOT_JOINED: HTTPStatus.CONFLICT,
    GameCode.NOT_CREATOR: HTTPStatus.FORBIDDEN,
    GameCode.CREATOR_STAYS: HTTPStatus.CONFLICT,
    GameCode.UNKNOWN_RULESET: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.BAD_SIZE: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.BAD_SERIES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.SERIES_GOES_ON: HTTPStatus.CONFLICT,
    GameCode.BAD_GATES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.RATING_PROVISIONAL: HTTPStatus.FORBIDDEN,
    GameCode.RATING_TOO_LOW: HTTPStatus.FORBIDDEN,
    GameCode.RATING_TOO_HIGH: HTTPStatus.FORBIDDEN,
    GameCode.NOT_PUNCTUAL: HTTPStatus.FORBIDDEN,
    GameCode.TOO_MANY_BOTS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_OPEN_GAMES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_NEW_GAMES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.SEATS_CHANGED: HTTPStatus.CONFLICT,
    GameCode.TOO_MANY_MESSAGES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_AS_SPECTATOR: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.PLAYER_WATCHES: HTTPStatus.FORBIDDEN,
    GameCode.NOT_CONFIRMED: HTTPStatus.FORBIDDEN,
    GameCode.NOTHING_TO_MUTE: HTTPStatus.NOT_FOUND,
    GameCode.NOTHING_TO_REACT_TO: HTTPStatus.NOT_FOUND,
    GameCode.TOO_MANY_REACTIONS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.UNKNOWN_BOT: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_LATE_TO_CANCEL: HTTPStatus.CONFLICT,
    GameCode.NO_ADVICE: HTTPStatus.FORBIDDEN,
    GameCode.TOO_MANY_BOT_GAMES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_NEW_BOT_GAMES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.PROPOSAL_OPEN: HTTPStatus.CONFLICT,
    GameCode.PROPOSED_THIS_ROUND: HTTPStatus.CONFLICT,
    GameCode.WITHDRAWN_LATELY: HTTPStatus.CONFLICT,
    GameCode.NO_SUCH_PROPOSAL: HTTPStatus.CONFLICT,
    GameCode.SAME_TIME_CONTROL: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.NOT_ASKED: HTTPStatus.FORBIDDEN,
    GameCode.NO_SUCH_HOLIDAY: HTTPStatus.NOT_FOUND,
    GameCode.NO_SUCH_PERSON: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.INVITED_SELF: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.BEFRIENDED_SELF: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_FRIENDS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.PERSON_SEATED: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.PERSON_DECLINED: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.PERSON_REMOVED: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_INVITATIONS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_INVITED: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.WAS_REMOVED: HTTPStatus.FORBIDDEN,
    GameCode.TOO_MANY_MAILED: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.NOT_INVITED: HTTPStatus.CONFLICT,
    GameCode.GUEST_CREATES: HTTPStatus.FORBIDDEN,
    GameCode.GUEST_JOINS: HTTPStatus.FORBIDDEN,
    GameCode.GUEST_INVITES: HTTPStatus.FORBIDDEN,
    GameCode.GUEST_WRITES: HTTPStatus.FORBIDDEN,
    GameCode.BOT_JOINS: HTTPStatus.FORBIDDEN,
    GameCode.NOT_FOR_BOTS: HTTPStatus.FORBIDDEN,
    GameCode.TOO_MANY_GAMES: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.SUSPENDED: HTTPStatus.FORBIDDEN,
    GameCode.SILENCED: HTTPStatus.FORBIDDEN,
    GameCode.NO_SEAT_FOR_YOU: HTTPStatus.FORBIDDEN,
    GameCode.NOT_TO_BE_INVITED: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.NO_REMATCH: HTTPStatus.FORBIDDEN,
    GameCode.NOTHING_TO_REPORT: HTTPStatus.NOT_FOUND,
    GameCode.TOO_MANY_REPORTS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.NOT_TO_REVIEW: HTTPStatus.CONFLICT,
    GameCode.HOOK_UNCONFIRMED: HTTPStatus.FORBIDDEN,
    GameCode.TOO_MANY_HOOKS: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameCode.TOO_MANY_REVIEWS: HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""The status of each refusal, the same in pages and in the API. A `RulesError` is 422."""


class GameError(Refusal):
    """A refusal by the site."""

    code: GameCode

    def __init__(self, code: GameCode, **params: Param) -> None:
        super().__init__(code, **params)

    @property
    def http_status(self) -> HTTPStatus:
        """The status of a response to a request that is refused for this reason."""
        return HTTP_STATUS[self.code]


class Stale(GameError):  # noqa: N818 - it is what the request is
    """The request was made from a page that shows an older position. It carries nothing of the new one."""

    def __init__(self) -> None:
        super().__init__(GameCode.STALE)
