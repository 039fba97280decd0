"""The admin of games, people and reports: what the staff sees, and the acts by which alone it changes anything."""

from games.admin.people import PersonAdmin, ReportAdmin
from games.admin.tables import GameAdmin

__all__ = ("GameAdmin", "PersonAdmin", "ReportAdmin")
