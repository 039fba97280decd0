"""The words for every code of the outbox but topics, which are one a file in `games.notices.topics`."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class NoticeKind(TextChoices):
    """What people choose about: a group of topics."""

    TURN = "turn", _("It is your turn")
    CLOCK = "clock", _("Your time is running out")
    AUTOPILOT = "autopilot", _("A computer player played for you, or you are out of a game")
    GAME = "game", _("A game has started, is over or was cancelled")
    INVITED = "invited", _("Someone invites you to a game")
    JOINED = "joined", _("Someone has joined your game")
    EXPIRY = "expiry", _("Your open game is about to be cancelled")
    CONSENT = "consent", _("Your consent is needed, or a proposal has been decided")
    CALENDAR = "calendar", _("A holiday begins or ends, or a clock was changed for you")
    MESSAGE = "message", _("Someone has written to you in a game")
    TEST = "test", _("Test")


class Channel(TextChoices):
    """The way a notice takes."""

    MAIL = "mail", _("mail")
    PUSH = "push", _("push")
    """To a browser of theirs, by the push service that it has chosen."""
    HOOK = "hook", _("webhook")


class HookStyle(TextChoices):
    """What a webhook is told in: the words of a service, or everything, for a program."""

    JSON = "json", _("JSON for a program")
    DISCORD = "discord", _("Discord")
    SLACK = "slack", _("Slack")


class Cadence(TextChoices):
    """When a person wants a kind of notice."""

    ONCE = "once", _("at once")
    LATER = "later", _("after a few minutes")
    HOURLY = "hourly", _("once an hour")
    DAILY = "daily", _("once a day")
    NEVER = "never", _("never")


class NoticeState(TextChoices):
    """What became of a notice."""

    WAITING = "waiting", _("waiting")
    SENT = "sent", _("sent")
    HELD_BACK = "held-back", _("held back")
    FAILED = "failed", _("failed")


class Cause(TextChoices):
    """Why a notice waits, was held back, or failed."""

    DELAY = "delay", _("Held for a few minutes, in case you visit the site anyway.")
    DIGEST = "digest", _("Held until the hour you chose.")
    PAGE_OPEN = "page-open", _("Held while you have the game open.")
    SPACED = "spaced", _("Held for an hour after the last e-mail about your turns.")
    QUIET = "quiet", _("Held until your quiet hours are over.")
    RETRY = "retry", _("The mail server could not accept it yet; it will be tried again.")
    MISSED = "missed", _("It could not be delivered yet; it will be tried again.")
    SWITCHED_OFF = "switched-off", _("It could not be delivered for a day, so this way to you was switched off.")
    TURN_OVER = "turn-over", _("No longer needed: the turn is over.")
    GAME_OVER = "game-over", _("No longer needed: the game has ended.")
    GAME_STARTED = "game-started", _("No longer needed: the game has started.")
    OTHER_DEADLINE = "other-deadline", _("No longer needed: the deadline has changed.")
    TOO_LATE = "too-late", _("No longer needed: the time had run out.")
    ANSWERED = "answered", _("No longer needed: already answered or decided.")
    NEVER_TOLD = "never-told", _("Not needed: you were not told of the question.")
    READ = "read", _("No longer needed: you have opened the game since.")
    TAKEN_BACK = "taken-back", _("No longer needed: the holiday was cancelled or changed.")
    NOT_SO = "not-so", _("No longer needed: it is no longer true.")
    NOT_WANTED = "not-wanted", _("You chose not to get this.")
    MUTED = "muted", _("You muted this game.")
    NO_ADDRESS = "no-address", _("Your mail provider is rejecting e-mail to your address.")
    UNCONFIRMED = "unconfirmed", _("You have not confirmed your address yet.")
    NO_ACCOUNT = "no-account", _("Your account is not active.")
    REFUSED = "refused", _("Your mail provider permanently rejected the e-mail.")
    GAVE_UP = "gave-up", _("The mail server did not accept it for days.")
    UNKNOWN = "unknown", _("This version of the site does not know what it is about.")
