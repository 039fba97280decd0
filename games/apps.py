"""Django's entry for the games app."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """The games app."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("games")

    def ready(self) -> None:
        """Let every start look at what each game brings."""
        import_module("games.presenters.checks")
