"""Django's entry for the games app."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts.names import keep_names


class GamesConfig(AppConfig):
    """The games app."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("games")

    def ready(self) -> None:
        """Let every start look at what each game brings, and its presenter name the computer players."""
        import_module("games.presenters.checks")
        registry = import_module("games.presenters.registry")
        presenters = registry.PRESENTERS
        take_bot_names = import_module("games.words.seats").take_bot_names
        take_bot_names(lambda ruleset: presenters[ruleset].bot_names if ruleset in presenters else {})
        keep_names(registry.bot_names)
