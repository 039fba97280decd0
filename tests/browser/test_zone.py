"""The time zone of the device is offered once, and shown to who signs up."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.browser.conftest import OpenSession
from tests.flows.play import make_user

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ada(db: None) -> User:
    return make_user("Ada")


def test_who_signs_up_sees_the_zone_of_the_device_chosen(browser: Browser, live_server: LiveServer, db: None) -> None:
    for zone in ("Europe/Berlin", "UTC"):
        page = browser.new_context(base_url=live_server.url, timezone_id=zone).new_page()
        page.goto("/accounts/signup/")
        expect(page.locator("[name=time_zone]")).to_have_value(zone)


def test_a_zone_that_differs_is_offered_until_its_person_answers(open_session: OpenSession, ada: User) -> None:
    page = open_session(ada, timezone_id="America/New_York").new_page()
    page.goto("/lobby/")
    offer = page.locator("#zone-offer")
    expect(offer).to_be_visible()
    expect(offer).to_contain_text("America/New York")
    offer.get_by_role("button", name="Keep UTC").click()
    expect(offer).to_be_hidden()
    page.goto("/rules/")
    expect(offer).to_be_hidden()
    page = open_session(ada, timezone_id="Asia/Tokyo").new_page()
    page.goto("/lobby/")
    page.get_by_role("button", name="Use the time zone of this device").click()
    expect(page.locator("#messages")).to_contain_text("Asia/Tokyo")
    expect(page.locator("#zone-offer")).to_be_hidden()
    assert page.url.endswith("/lobby/")
    assert User.objects.get().time_zone == "Asia/Tokyo"


def test_a_zone_whose_clock_is_the_same_is_not_offered(open_session: OpenSession, ada: User) -> None:
    ada.set_time_zone("Europe/Paris")
    page = open_session(ada, timezone_id="Europe/Berlin").new_page()
    page.goto("/lobby/")
    expect(page.locator("[data-htmx-powered]").or_(page.locator("main"))).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator("#zone-offer")).to_be_hidden()
