"""Django's entry for the games app."""

from collections.abc import Collection
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import transaction
from django.db.models.signals import post_save
from django.utils import timezone
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
        take_bot_names(lambda ruleset: presenters[ruleset].bot_kinds if ruleset in presenters else {})
        keep_names(registry.bot_names)
        import_module("games.delivery.invitation").offer_letters()
        post_save.connect(_follow_zone, sender=settings.AUTH_USER_MODEL, dispatch_uid="games.follow_zone")


def _follow_zone(
    instance: Any, *, created: bool = False, update_fields: Collection[str] | None = None, **_signal: object
) -> None:
    """Let games follow a person's time zone, wherever it was set: on their page, in the admin, in a shell."""
    if not created and (update_fields is None or "time_zone" in update_fields):
        follow_zone = import_module("games.commands").follow_zone
        transaction.on_commit(lambda: follow_zone(user_id=instance.pk, now=timezone.now()), robust=True)
