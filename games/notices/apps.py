"""Django's entry for the outbox."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    """The outbox and what people chose about it."""

    name = "games.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("notices")
