"""Delete somebody's account, for the staff."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.audit import add_staff_arguments, staff_of
from accounts.models import User
from games import commands


class Command(BaseCommand):
    help = "Deletes an account: leaves its games, takes its name out of them, and deletes nobody else's game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address that the person signs in with")
        add_staff_arguments(parser)

    def handle(self, *, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(f"Nobody signs in with {email}.")
        commands.delete_account(user=user, now=timezone.now(), staff=staff_of(options))
        self.stdout.write("The account is deleted.")
