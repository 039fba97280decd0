"""The time zones people can choose."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_AREAS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the zones that are offered: UTC, then area/place in order."""
    places = sorted(name for name in available_timezones() if name.split("/")[0] in _AREAS)
    return ("UTC", *places)


def validate_zone(name: str) -> None:
    """Raise `ValidationError` unless ``name`` is a zone of the time zone database."""
    if name not in zone_names():
        raise ValidationError(_("“%(zone)s” is not a time zone."), code="zone", params={"zone": name})


def zone(name: str) -> ZoneInfo:
    """Return the zone of that name, or UTC for one that the time zone database has dropped meanwhile."""
    return ZoneInfo(name if name in zone_names() else "UTC")
