"""Remove the second factor of somebody who has lost it, for the staff."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.factors import remove_factors
from accounts.models import User


class Command(BaseCommand):
    help = "Removes a person's passkeys, app and recovery codes: the password alone signs in. They get a mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address that the person signs in with")

    def handle(self, *, email: str, **_options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(f"Nobody signs in with {email}.")
        self.stdout.write(f"{remove_factors(user)} second factors removed.")
