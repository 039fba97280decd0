"""Push notifications in a real browser: turned on by a press, shown by the service worker, opened by another one.

No push service can be reached from here: the browser's is stood in for by a subscription that the page is given, and by
the development tools, which hand a push to the service worker as a push service would. A browser without a window shows
no notifications: it is asked for what it was to show.
"""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games.delivery import outlets
from games.delivery.outbound import Answer, Call
from games.delivery.push import public_key
from games.notices.models import Outlet
from tests.outlets.conftest import Browser as Subscribed
from tests.outlets.nearby import unsealed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALLOWS = """
Object.defineProperty(Notification, "permission", { get: () => "granted" });
Notification.requestPermission = async () => "granted";
"""
SUBSCRIBES = """
const plain = (text) => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
const bytes = (text) => Uint8Array.from(plain(text), (one) => one.charCodeAt(0));
PushManager.prototype.subscribe = async function ({ userVisibleOnly, applicationServerKey }) {
  if (!userVisibleOnly || applicationServerKey !== KEY) throw new Error("no such key");
  return { endpoint: GIVEN.address, getKey: (name) => bytes(name === "auth" ? GIVEN.secret : GIVEN.public_key).buffer };
};
"""


@pytest.fixture
def context(browser: Browser, live_server: LiveServer, ada: User) -> Any:
    """A browser in which Ada is signed in."""
    context = browser.new_context(base_url=live_server.url, locale="en")
    client = Client()
    client.force_login(ada)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    yield context
    context.close()


def open_page(context: BrowserContext, subscribed: Subscribed, *, allowed: bool = True) -> Page:
    if allowed:
        context.add_init_script(ALLOWS)
    given = f"const KEY = {json.dumps(public_key())}, GIVEN = {json.dumps(subscribed.form())};"
    context.add_init_script(given + SUBSCRIBES)
    page = context.new_page()
    page.goto(reverse("push"))
    return page


def push(page: Page, content: bytes) -> list[dict[str, Any]]:
    """Hand a push to the service worker; return what stands in the browser then."""
    (worker,) = page.context.service_workers
    worker.evaluate(
        "() => { navigator.setAppBadge = async (count) => { self.badge = count; };"
        " navigator.clearAppBadge = async () => { self.badge = 0; };"
        " registration.showNotification ="
        " async (title, options) => { self.shown = { ...self.shown, [options.tag]: { title, ...options } }; }; }"
    )
    tools = page.context.new_cdp_session(page)
    found: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    terms = {"origin": page.evaluate("location.origin"), "registrationId": found[0], "data": content.decode()}
    before = worker.evaluate("() => JSON.stringify(self.shown ?? {})")
    tools.send("ServiceWorker.deliverPushMessage", terms)
    while worker.evaluate("() => JSON.stringify(self.shown ?? {})") == before:
        page.wait_for_timeout(20)
    tools.detach()
    stands: dict[str, dict[str, Any]] = worker.evaluate("() => self.shown")
    return list(stands.values())


def badge(page: Page) -> int:
    """Return the number that a push has left on the icon."""
    (worker,) = page.context.service_workers
    number: int = worker.evaluate("() => self.badge")
    return number


def test_a_press_turns_it_on_and_what_comes_is_shown(
    context: BrowserContext, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(context, Subscribed("https://push.example/one"))
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.get_by_text("This browser will be notified from now on.")).to_be_visible()
    expect(page.locator(".absences").get_by_text("this one")).to_be_visible()
    outlet = Outlet.objects.get()
    assert (outlet.user, outlet.address) == (ada, "https://push.example/one")

    pushed: list[bytes] = []

    def note(calls: dict[int, Call]) -> dict[int, Answer]:
        pushed.extend(call.body for call in calls.values())
        return dict.fromkeys(calls, Answer())

    monkeypatch.setattr(outlets, "push_call", unsealed)
    monkeypatch.setattr(outlets, "call_all", note)
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("A test is on its way")).to_be_visible()
    assert outlets.call_due(timezone.now()) == 1
    (first,) = push(page, pushed[0])
    assert first["title"] == "A test"
    assert first["body"] == "This is the test you asked for: notifications reach you here."
    assert first["data"]["url"].endswith(reverse("deliveries"))
    # A later one about the same takes its place.
    assert badge(page) == 0
    (second,) = push(page, json.dumps({**json.loads(pushed[0]), "body": "Later", "waiting": 3}).encode())
    assert second["body"] == "Later"
    assert badge(page) == 3

    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No browser notifies you yet.")).to_be_visible()
    assert not Outlet.objects.exists()


def test_a_browser_that_was_told_no_says_how_to_change_that(context: BrowserContext) -> None:
    context.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' });")
    page = open_page(context, Subscribed("https://push.example/one"), allowed=False)
    expect(page.get_by_text("You have told this browser not to show notifications")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_hidden()


def test_a_push_service_out_of_reach_is_said_and_can_be_tried_again(context: BrowserContext) -> None:
    page = open_page(context, Subscribed("https://push.example/one"))
    page.evaluate("() => { PushManager.prototype.subscribe = async () => { throw new Error('away'); }; }")
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.get_by_role("alert")).to_contain_text("could not be registered with its push service")
    expect(page.get_by_role("button", name="Turn on in this browser")).to_be_enabled()


def test_signing_out_ends_the_pushes_of_this_browser(context: BrowserContext, ada: User) -> None:
    page = open_page(context, Subscribed("https://push.example/one"))
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.get_by_text("This browser will be notified from now on.")).to_be_visible()
    page.goto(reverse("account_logout"))
    page.locator("main").get_by_role("button").click()
    page.wait_for_url("**/")
    assert not Outlet.objects.filter(user=ada).exists()
