"""Sends again what people did not get because their addresses, or the mail server, took no mail."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts import mails
from accounts.audit import add_staff_arguments, staff_of
from accounts.models import User
from games import commands


class Command(BaseCommand):
    help = (
        "Trusts addresses that were found to be nobody's again, and sends the notices that were closed for it or given "
        "up, as far as they are still so; and the mails about accounts that were given up in the last day. "
        "For the people named, or with --all for everyone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("emails", nargs="*", metavar="ADDRESS", help="the address that a person signs in with")
        parser.add_argument("--all", action="store_true", dest="everyone", help="everyone's")
        add_staff_arguments(parser)

    def handle(self, *, emails: Sequence[str], everyone: bool, **options: Any) -> None:
        if bool(emails) == everyone:
            raise CommandError("Name people by their addresses, or say --all.")
        people = User.objects.filter(is_active=True)
        if emails:
            wanted = {email.strip().lower() for email in emails}
            people = people.filter(email__in=wanted)
            if unknown := wanted - set(people.values_list("email", flat=True)):
                raise CommandError(f"Nobody signs in with {', '.join(sorted(unknown))}.")
        now = timezone.now()
        reopened = commands.reopen(people=people, now=now, staff=staff_of(options))
        addresses = None if everyone else people.values_list("email", flat=True)
        about_accounts = mails.reopen(addresses=addresses, now=now)
        self.stdout.write(f"{reopened} notices will be sent again, as far as they are still so.")
        self.stdout.write(f"{about_accounts} mails about accounts will be sent again.")
