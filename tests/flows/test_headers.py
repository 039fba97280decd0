"""What every answer tells a browser about keeping it, and about the devices of its reader."""

from typing import Final

import pytest
from django.test import Client

from tests.flows.addresses import ROLES, ROWS
from tests.flows.world import World

pytestmark = pytest.mark.django_db
ALIKE: Final = {"board_svg", "board_png", "lesson_picture", "puzzle_picture", "offline", "service_worker"}
"""What everyone is answered alike."""


def test_a_browser_keeps_nothing_that_a_signed_in_person_was_answered() -> None:
    world = World()
    kept = {
        (str(row), role)
        for row in ROWS
        for role in ROLES
        if role != "guest"
        and row.name not in ALIKE
        and "no-store" not in world.ask(role, row).headers.get("Cache-Control", "")
    }
    assert kept == set()


@pytest.mark.parametrize("address", ["/", "/rules/", "/lobby/", "/nowhere/", "/accounts/login/"])
def test_no_page_or_frame_in_it_may_use_a_device(client: Client, address: str) -> None:
    policy = client.get(address).headers["Permissions-Policy"]
    for feature in ("camera", "microphone", "geolocation", "payment", "usb", "browsing-topics"):
        assert f"{feature}=()" in policy.split(", ")
