"""What the files of an archive of a person's data hold, in the order in which it is read."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FILES: Final[Mapping[str, str | Promise]] = {
    "README.txt": _("This text."),
    "account.json": _(
        "Your account: name, address, language, time zone, settings, completed lessons, where you are signed in, when "
        "traces of that were kept, when you added passkeys and codes, your access tokens but for what makes them open "
        "something, and the e-mails about the account of the last day."
    ),
    "holidays.json": _("Your holidays."),
    "notices.json": _(
        "What you want to be notified of; the notices of the last 30 days and what became of them; the e-mails that "
        "your address rejected; the games that you muted; the games whose page you had open within the last day, and "
        "when."
    ),
    "invitations.json": _(
        "Your friends, the invitations that you got and those that you sent, and the games from which you were removed."
    ),
    "messages.json": _("The messages that you wrote to the players of your games."),
    "conduct.json": _(
        "Who you have blocked; what you reported to the people who run the site; what they did about your account and "
        "what they told you."
    ),
    "talk.json": _(
        "What you wrote to other spectators, your reactions, when you last read the messages of your games, and what "
        "you muted there."
    ),
    "notes.json": _("The notes on games that you wrote for yourself."),
    "results.json": _(
        "What your finished games came to, what that adds up to, how you did against each of your rivals, and the "
        "reviews of games that you asked for."
    ),
    "ratings.json": _(
        "Your ratings, what each rated game did to them, and how many turns you have played in time and missed."
    ),
    "puzzles.json": _(
        "Your answers to puzzles, your puzzle rating and how many days in a row you solved the daily one."
    ),
    "games.json": _(
        "Your games: terms, seats, results and dates; your clock, with what was taken off it in the last 30 days; the "
        "turns that you have planned; what you proposed and agreed to."
    ),
    "records/": _(
        "The record of each game that has started, as you may see it: what others hide from you in running games is "
        "not in it."
    ),
    "bots/": _("Of each of your bots the same files, in a folder that is called by its number."),
}
"""By the name of the file, or of the folder."""
