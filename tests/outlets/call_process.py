"""A process of the site that makes webhooks, or calls them: ``python -m tests.outlets.call_process VERB …``.

Every host is found on this machine at a port, and trusted if the authority in a file has signed for it.
"""

import os
import ssl
import sys
from datetime import timedelta
from functools import partial
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from games import commands  # noqa: E402 - after the set-up
from games.delivery import outlets  # noqa: E402
from games.delivery.hook import make_secret  # noqa: E402
from games.delivery.outbound import call_all  # noqa: E402
from games.notices.kinds import HookStyle  # noqa: E402
from tests.flows.play import NOW, make_user  # noqa: E402
from tests.outlets.nearby import Nearby  # noqa: E402

HOOKS = 3


def fill(address: str) -> None:
    """Give a new person webhooks, and each of them a test to be sent."""
    person = make_user("Ada")
    for number in range(HOOKS):
        hook = commands.add_hook(
            user=person,
            name=str(number),
            style=HookStyle.JSON,
            address=f"{address}/{number}",
            secret=make_secret(),
            now=NOW,
        )
        commands.send_test_notice(user=person, outlet=hook, now=NOW)


def call(port: str, authority: str, minutes: str) -> None:
    """Sweep at that minute after `NOW`; print how many calls were taken."""
    trusted = ssl.create_default_context(cafile=authority)
    with patch.object(outlets, "call_all", partial(call_all, resolver=Nearby(int(port)), tls=trusted)):
        print(outlets.call_due(NOW + timedelta(minutes=float(minutes))))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    verb, *arguments = sys.argv[1:]
    {"fill": fill, "call": call}[verb](*arguments)
