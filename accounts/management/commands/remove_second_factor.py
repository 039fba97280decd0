"""Remove the second factor of somebody who has lost it, for the staff."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit import add_staff_arguments, staff_of
from accounts.factors import remove_factors
from accounts.models import User


class Command(BaseCommand):
    help = "Removes a person's passkeys, app and recovery codes: the password alone signs in. They get a mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address that the person signs in with")
        add_staff_arguments(parser)

    def handle(self, *, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            raise CommandError(f"Nobody signs in with {email}.")
        self.stdout.write(f"{remove_factors(user, staff=staff_of(options))} second factors removed.")
