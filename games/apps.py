"""Django's entry for the games app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """The games app."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("games")
