"""Say whether clocks and sweeps are as they should be, for whoever watches the site."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.figures import AccountMailTrouble
from games.log.record import write_instant
from games.queries.due import alarm
from games.queries.relay import MailTrouble


class Command(BaseCommand):
    help = (
        "Prints a line for each turn more than 5 minutes past its deadline, each game whose turn fails again and "
        "again, each old heartbeat, outages not given back, clocks that stand still, games that wait to be rated, "
        "reviews that wait to be made, and what is wrong with mails and archives of people's data; "
        "then exits with 1. "
        "Addresses that nobody has are counted, and no alarm."
    )

    def handle(self, **_options: Any) -> None:
        found = alarm(timezone.now())
        for late in found.overdue:
            self.stdout.write(f"game {late.key}: overdue since {write_instant(late.deadline)}")
        for game in found.stuck:
            again = f"{game.attempts} attempts failed, the next at {write_instant(game.retry_at)}"
            self.stdout.write(f"game {game.key}: stuck, {again}: {game.cause}")
        for heartbeat in found.heartbeats:
            last = "never" if heartbeat.at is None else f"last {write_instant(heartbeat.at)}"
            self.stdout.write(f"heartbeat {heartbeat.name}: {last}")
        self._say_mail(found.mail)
        self._say_account_mail(found.account_mail)
        if found.archives:
            self.stdout.write(f"archives late: {found.archives} people wait for their data")
        if found.unsettled:
            self.stdout.write(f"game {found.unsettled}: has ended minutes ago and is not rated")
        if found.review is not None:
            self.stdout.write(f"reviews late: the first is awaited since {write_instant(found.review)}")
        for pause in found.pauses:
            what = "all clocks stopped" if pause.end is None else "not given back: an outage"
            self.stdout.write(f"{what} since {write_instant(pause.start)}")
        if found:
            raise SystemExit(1)
        self.stdout.write("nothing is overdue")

    def _say_mail(self, mail: MailTrouble) -> None:
        if mail.refused:
            self.stdout.write(f"mails refused: to {mail.refused} people in an hour, the last with: {mail.reply}")
        if mail.late_since is not None:
            self.stdout.write(f"mails late: {mail.late} notices, tried since {write_instant(mail.late_since)}")
        if mail.given_up:
            self.stdout.write(f"mails given up: {mail.given_up} notices in a day; see manage.py resend_mails")
        if mail.addresses:
            self.stdout.write(f"addresses that nobody has: {mail.addresses} found in a day")

    def _say_account_mail(self, mail: AccountMailTrouble) -> None:
        if mail.late_since is not None:
            self.stdout.write(f"account mails late: {mail.late}, the first since {write_instant(mail.late_since)}")
        if mail.given_up:
            self.stdout.write(f"account mails given up: {mail.given_up} in a day; see manage.py resend_mails")
