"""From a mail to a stranger to the end of their account, in browsers: invited, playing, rated, reported, gone.

What workers do is done in the test's process, by the tasks that they run.
"""

import json
import re
from collections.abc import Callable
from io import StringIO
from random import Random
from zipfile import ZipFile

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games import commands, tasks
from games.models import Game, Report, ReportOutcome, ReportState
from games.models.choices import Status
from tests.accounts.conftest import code_in
from tests.browser.conftest import OpenSession
from tests.browser.test_play import ask_for_news, take, watch
from tests.flows.play import RULES, make_user, mover_of, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

type NewestMail = Callable[[str], str]


@pytest.fixture(autouse=True)
def _mandatory(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


@pytest.fixture
def ada(db: None) -> User:
    return make_user("Ada")


@pytest.fixture
def dee(db: None) -> User:
    return make_user("Dee")


@pytest.fixture
def newest_mail(live_server: LiveServer, settings: Settings, mailoutbox: list[EmailMessage]) -> NewestMail:
    """Return a function that sends what waits, as workers do, and returns the text of somebody's newest mail."""
    settings.SITE_URL = live_server.url

    def look(address: str) -> str:
        tasks.send_account_mails()
        tasks.send_notices()
        return next(str(mail.body) for mail in reversed(mailoutbox) if address in mail.to)

    return look


def play_almost(people: list[User]) -> tuple[Game, list[str]]:
    """Play a rated game that good players bring to its end; return it with the two turns that are lacking."""
    game, rng = start_game(people, seed=4, rated=True, now=timezone.now()), Random(4)
    state, turns = state_of(game), list[str]()
    while not RULES.summary(state).finished:
        turns.append(RULES.choose_turn(RULES.autopilot, state, rng))
        state = RULES.apply_turn(state, turns[-1]).state
    for turn in turns[:-2]:
        play(game, turn)
    return game, turns[-2:]


def play_wholly(people: list[User]) -> Game:
    """Play such a game to its end, and rate it."""
    game, turns = play_almost(people)
    for turn in turns:
        play(game, turn)
    tasks.settle_games()
    return Game.objects.get(pk=game.pk)


def play(game: Game, turn: str) -> None:
    seq = Game.objects.get(pk=game.pk).seq
    commands.play_turn(game_key=game.key, user=mover_of(game), seq=seq, turn=turn, now=timezone.now())


def link_to(page: str, mail: str) -> str:
    """Return the link in a mail whose path begins so."""
    found = re.search(rf"https?://\S+?{page}\S*", mail)
    assert found, mail
    return found[0]


def places(game: Game) -> list[tuple[int | None, int | None, int | None]]:
    return list(game.seats.order_by("number").values_list("number", "place", "points"))


# --- Invited by mail -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_a_stranger_is_invited_by_mail_signs_up_by_a_code_and_has_the_seat(
    browser: Browser, open_session: OpenSession, ada: User, newest_mail: NewestMail, script: bool
) -> None:
    host = open_session(ada, java_script_enabled=script).new_page()
    host.goto(reverse("create_game"))
    host.get_by_role("group", name="Players", exact=True).get_by_label("2", exact=True).check()
    host.get_by_label("Only people you give the link to").check()
    expect(host.get_by_label("Rated")).to_be_checked()
    host.get_by_role("button", name="Create the game").click()
    host.get_by_label("Player's name, or anybody's e-mail address").fill("Dee@example.org")
    host.get_by_role("button", name="Invite", exact=True).click()
    expect(host.get_by_text("An invitation is on its way to dee@example.org.")).to_be_visible()

    newcomer = browser.new_context(java_script_enabled=script)
    page = newcomer.new_page()
    complaints = watch(page)
    page.goto(link_to("/games/", newest_mail("dee@example.org")))
    expect(page.get_by_text("Ada invites you to play.", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Sign up and play").click()
    page.get_by_label("E-mail address").fill("dee@example.org")
    page.get_by_label("Display name").fill("Dee")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.get_by_label("Code").fill(code_in(newest_mail("dee@example.org")))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("You took the last seat: the game has started.")).to_be_visible()
    assert complaints == []
    newcomer.close()

    dee, game = User.objects.get(display_name="Dee"), Game.objects.get()
    assert dee.is_confirmed
    assert not dee.has_usable_password()
    assert (game.status, game.rated, game.unrated) == (Status.ACTIVE, True, "")
    assert {seat.user for seat in game.seats.all()} == {ada, dee}
    host = host.context.new_page()  # The first one may be on its way to the game by itself.
    host.goto(reverse("game", args=[game.key]))
    expect(host.get_by_text("Dee").first).to_be_visible()


# --- Played and rated ------------------------------------------------------------------------------------------------


def test_both_play_to_the_end_and_read_what_it_did_to_their_ratings(
    open_session: OpenSession, ada: User, dee: User
) -> None:
    game, turns = play_almost([ada, dee])
    pages = {user.pk: open_session(user).new_page() for user in (ada, dee)}
    complaints = [watch(page) for page in pages.values()]
    for page in pages.values():
        page.goto(reverse("game", args=[game.key]))
    for turn in turns:
        page = pages[mover_of(game).pk]
        ask_for_news(page)
        expect(page.locator(".turn-sign")).to_contain_text("Your turn")
        for number, step in enumerate(turn.split(), start=1):
            take(page, step)
            expect(page.locator(".steps li")).to_have_count(number)
        page.get_by_role("button", name="Confirm turn").click()
        expect(page.locator(".steps li")).to_have_count(0)
    tasks.settle_games()
    for page in pages.values():
        ask_for_news(page)
        changes = page.locator(".rating-changes li")
        expect(changes).to_have_count(2)
        expect(changes.filter(has_text="Ada")).to_contain_text("+")
        expect(changes.filter(has_text="Dee")).to_contain_text("−")
    assert complaints == [[], []]


# --- Kept away, and reported -----------------------------------------------------------------------------------------


def test_one_asks_for_a_rematch_and_blocks_and_reports_the_other(
    open_session: OpenSession, ada: User, dee: User, newest_mail: NewestMail
) -> None:
    game = play_wholly([ada, dee])
    commands.write_message(game_key=game.key, user=ada, text="You play like a rock", now=timezone.now())
    staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Sam")
    theirs, hers, admin = (open_session(user).new_page() for user in (dee, ada, staff))
    hers.goto(reverse("game", args=[game.key]))

    theirs.goto(reverse("game", args=[game.key]))
    theirs.get_by_role("button", name="Rematch").click()
    expect(theirs.get_by_text("You want a rematch", exact=False)).to_be_visible()
    ask_for_news(hers)
    expect(hers.get_by_text("Dee wants a rematch.")).to_be_visible()

    theirs.goto(reverse("player", args=[ada.pk]))
    theirs.get_by_role("button", name="Block").click()
    expect(theirs.get_by_text("You have blocked Ada.", exact=False)).to_be_visible()
    rematch = Game.objects.get(rematch_of=game)
    hers.locator("#rematch").click()
    expect(hers.get_by_text("You can't take a seat in this game.")).to_be_visible()
    assert [seat.user for seat in rematch.seats.all()] == [dee]

    theirs.get_by_role("button", name="Unblock").click()
    theirs.goto(reverse("messages", args=[game.key]))
    theirs.get_by_role("link", name="Report the message from Ada").click()
    theirs.get_by_role("textbox").fill("That is rude")
    theirs.get_by_role("button", name="Send the report").click()
    report = Report.objects.get()
    assert (report.quoted, report.reported, report.reporter) == ("You play like a rock", ada, dee)

    admin.goto(reverse("admin:games_report_changelist"))
    admin.locator("#result_list tbody th a").first.click()
    expect(admin.get_by_text("That is rude")).to_be_visible()
    admin.get_by_role("link", name="Close without a measure").click()
    admin.get_by_label("Why").fill("Harmless")
    admin.locator(f"input[value={ReportOutcome.NOTHING}]").check()
    admin.get_by_role("button", name="Close without a measure").click()
    expect(admin.get_by_text("Done, and written down.")).to_be_visible()
    report.refresh_from_db()
    assert report.state == ReportState.CLOSED
    assert "found no reason to act" in newest_mail("dee@example.org")


# --- Taken along, and gone -------------------------------------------------------------------------------------------


def test_one_takes_their_data_along_and_leaves_the_result_to_the_other(
    open_session: OpenSession, ada: User, dee: User, newest_mail: NewestMail
) -> None:
    game = play_wholly([ada, dee])
    before = places(game)
    page = open_session(dee).new_page()
    page.goto(reverse("your_data"))
    page.get_by_role("button", name="Make an archive").click()
    expect(page.get_by_text("Your archive is being made.", exact=False)).to_be_visible()
    tasks.make_archives()
    page.goto(link_to(reverse("your_data"), newest_mail("dee@example.org")))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    with ZipFile(download.value.path()) as archive:
        games, ratings = (json.loads(archive.read(f"{name}.json")) for name in ("games", "ratings"))
        record = json.loads(archive.read(f"records/{game.key}.json"))
    assert [one["key"] for one in games] == [change["game"] for change in ratings["changes"]] == [game.key]
    assert len(record["log"]) == game.turns

    page.goto(reverse("delete_account"))
    page.get_by_label("Password").fill("starlight")
    page.get_by_role("button", name="Delete my account for good").click()
    page.wait_for_url("**/")
    assert not User.objects.filter(pk=dee.pk).exists()

    hers = open_session(ada).new_page()
    hers.goto(reverse("game", args=[game.key]))
    expect(hers.get_by_text("Former player 2").first).to_be_visible()
    expect(hers.locator(".rating-changes li")).to_have_count(2)
    expect(hers.locator("main")).not_to_contain_text("Dee")
    assert places(game) == before
    said = StringIO()
    call_command("rebuild_ratings", "--check", stdout=said)
    assert "all ratings follow from the results" in said.getvalue()
