"""Invitations to e-mail addresses: nobody learns whose they are, and whoever wants none gets none."""

import re
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import mails
from accounts.models import AccountMail, User
from games import commands
from games.commands.invite_address import AWHILE, MOST_MAILED, MOST_TO_ONE, digest_of
from games.commands.prune_traces import MAILED_KEPT_FOR
from games.delivery.invitation import read_stop_token, stop_token
from games.errors import GameCode, GameError
from games.models import Game, Invitation, MailInvitation, Unwanted
from games.notices.models import Notice
from tests.flows.play import make_user
from tests.mail.conftest import Begin, Post

pytestmark = pytest.mark.anydb
DEE = "dee@example.net"

type Letters = Callable[[], list[EmailMessage]]


@pytest.fixture
def letters(post: Post, db: None) -> Letters:
    """Send what waits, and return all mails that have arrived."""

    def send() -> list[EmailMessage]:
        mails.send_waiting(now=timezone.now())
        return list(post.sink.messages)

    return send


@pytest.fixture
def game(ada: User, begin: Begin) -> Game:
    return begin(ada, size=4)


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def ask(user: User, game: Game, typed: str) -> tuple[int, str]:
    answer = browser_of(user).post(reverse("invite", args=[game.key]), {"name": typed}, follow=True)
    return answer.status_code, answer.content.decode()


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_whoever_has_an_address_gets_a_mail_with_the_game_and_a_way_out(
    ada: User, game: Game, letters: Letters
) -> None:
    status, page = ask(ada, game, f" {DEE} ")
    assert status == HTTPStatus.OK
    assert "An invitation is on its way to" in page
    (letter,) = letters()
    assert letter["Subject"] == "Ada invites you to play Gravity Superstar"
    assert letter["To"] == DEE
    text = text_of(letter)
    assert reverse("invitation", args=[game.key]) in text
    stop = re.search(r"/invitations/\S+/stop/", text)
    assert stop is not None
    assert letter["List-Unsubscribe"].endswith(f"{stop[0]}>")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    html = letter.get_body(("html",))
    assert html is not None
    assert "t invite me again</a>" in html.get_content()
    assert len(letters()) == 1, "once"
    ask(ada, game, DEE.upper())
    assert len(letters()) == 1, "nor for asking again"


def test_the_way_out_works_with_one_click_for_all_games_and_back(
    ada: User, bo: User, game: Game, begin: Begin, letters: Letters
) -> None:
    browser = Client(enforce_csrf_checks=True)
    address = reverse("stop_invitations", args=[stop_token(DEE)])
    assert DEE in browser.get(address).content.decode()
    assert not Unwanted.objects.exists(), "looking stops nothing"
    for _time in range(2):
        answer = browser.post(address, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == HTTPStatus.OK
    ask(ada, game, DEE)
    ask(bo, begin(bo, size=3), DEE.upper())
    assert letters() == []
    assert DEE not in str(list(Unwanted.objects.values_list()))
    browser.post(reverse("allow_invitations", args=[stop_token(DEE)]))
    ask(bo, begin(bo, size=3), DEE)
    assert [letter["To"] for letter in letters()] == [DEE]


def test_only_a_word_that_the_site_has_signed_stops_anything(db: None) -> None:
    token = stop_token(DEE)
    assert read_stop_token(token) == DEE
    for forged in (
        "x",
        token[:-1] + ("a" if token[-1] != "a" else "b"),
        stop_token("other@example.net")[:9] + token[9:],
    ):
        for name in ("stop_invitations", "allow_invitations"):
            assert Client().post(reverse(name, args=[forged])).status_code == HTTPStatus.NOT_FOUND
    assert not Unwanted.objects.exists()


def test_who_has_an_account_is_invited_as_they_want_to_be_and_nobody_learns_of_it(
    ada: User, bo: User, game: Game, letters: Letters
) -> None:
    known = ask(ada, game, bo.email)[1].replace(bo.email, "ADDRESS")
    assert letters() == [], "their notices take their own way"
    invitation = Invitation.objects.get(user=bo)
    assert invitation.by_address
    assert Notice.objects.filter(user=bo, topic="invited").exists()
    assert "Decline" in browser_of(bo).get(reverse("invitation", args=[game.key])).content.decode()
    page = browser_of(ada).get(reverse("invitation", args=[game.key])).content.decode()
    assert bo.email in page
    assert "Bo has not answered" not in page
    commands.add_friend(user=ada, name="Bo", now=timezone.now())
    assert "Invite Bo" in browser_of(ada).get(reverse("invitation", args=[game.key])).content.decode()
    MailInvitation.objects.all().delete()
    Invitation.objects.all().delete()
    unknown = ask(ada, game, DEE)[1].replace(DEE, "ADDRESS")
    assert known.split('id="open-game"')[1].count("ADDRESS") == unknown.split('id="open-game"')[1].count("ADDRESS")


@pytest.mark.parametrize("declined", [True, False])
def test_asking_the_same_person_by_name_answers_as_if_they_had_not_been_asked(
    declined: bool, ada: User, bo: User, game: Game, letters: Letters
) -> None:
    ask(ada, game, bo.email)
    letters()
    if declined:
        commands.decline(game_key=game.key, user=bo, now=timezone.now())
    status, page = ask(ada, game, "Bo")
    assert status == HTTPStatus.OK
    assert "Bo is invited." in page
    assert "Bo has not answered" in page
    assert Notice.objects.filter(user=bo, topic="invited").count() == 1


def test_only_who_typed_an_address_sees_it(ada: User, bo: User, game: Game, letters: Letters) -> None:
    commands.join_game(game_key=game.key, user=bo, now=timezone.now())
    ask(ada, game, DEE)
    letters()
    assert DEE in browser_of(ada).get(reverse("invitation", args=[game.key])).content.decode()
    for other in (browser_of(bo), browser_of(make_user("Eve")), Client()):
        assert DEE not in other.get(reverse("invitation", args=[game.key])).content.decode()


def test_what_is_neither_a_name_nor_an_address_is_refused_and_stays_in_the_field(ada: User, game: Game) -> None:
    for typed in ("dee@", "@dee", "dee@example@net", "dee @example.net", f"{'x' * 250}@example.net"):
        status, page = ask(ada, game, typed)
        assert status == HTTPStatus.UNPROCESSABLE_ENTITY
        assert f'value="{typed}"' in page
    assert ask(ada, game, ada.email)[0] == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not AccountMail.objects.exists()


def test_one_person_invites_a_bounded_number_of_addresses_a_day(ada: User, begin: Begin) -> None:
    now = timezone.now()
    for number in range(MOST_MAILED):
        commands.invite_address(game_key=begin(ada, size=3).key, user=ada, address=f"n{number}@example.net", now=now)
    with pytest.raises(GameError) as refusal:
        commands.invite_address(game_key=begin(ada, size=3).key, user=ada, address=DEE, now=now)
    assert refusal.value.code is GameCode.TOO_MANY_MAILED
    tomorrow = now + timedelta(days=1, seconds=1)
    commands.invite_address(game_key=begin(ada, size=3).key, user=ada, address=DEE, now=tomorrow)


def test_one_address_gets_a_bounded_number_of_them_whoever_asks(begin: Begin, letters: Letters) -> None:
    for number in range(MOST_TO_ONE + 2):
        person = make_user(f"Pal{number}")
        ask(person, begin(person, size=3), DEE)
    assert len(letters()) == MOST_TO_ONE
    for rows in (MailInvitation.objects.all(), AccountMail.objects.all()):
        rows.update(at=timezone.now() - AWHILE)
    person = make_user("Eve")
    ask(person, begin(person, size=3), DEE)
    assert len(letters()) == MOST_TO_ONE + 1


def test_accounts_that_come_and_go_send_one_address_no_more(begin: Begin, letters: Letters) -> None:
    for number in range(mails.MOST_OUTSIDE + 2):
        person = make_user(f"Pal{number}")
        ask(person, begin(person, size=3), DEE)
        letters()
        commands.delete_account(user=person, now=timezone.now())
    assert len(letters()) == mails.MOST_OUTSIDE


def test_nothing_is_sent_for_a_game_that_waits_for_nobody_any_more(ada: User, game: Game, letters: Letters) -> None:
    ask(ada, game, DEE)
    commands.cancel_game(game_key=game.key, user=ada, now=timezone.now())
    assert letters() == []


def test_strangers_and_guests_write_to_no_address(ada: User, bo: User, game: Game) -> None:
    guest = User.objects.create(email="", display_name="Guest 1", is_guest=True)
    assert ask(bo, game, DEE)[0] == HTTPStatus.FORBIDDEN
    private = commands.create_game(
        user=ada, ruleset=game.ruleset, size=3, options={}, public=False, bots=[], now=timezone.now()
    )
    commands.join_game(game_key=private.key, user=guest, now=timezone.now())
    assert ask(guest, private, DEE)[0] == HTTPStatus.FORBIDDEN
    assert not MailInvitation.objects.exists()


def test_an_address_is_forgotten_a_month_after_unless_the_game_still_waits(ada: User, begin: Begin) -> None:
    now = timezone.now()
    waiting, over = begin(ada, size=3), begin(ada, size=3)
    for game in (waiting, over):
        commands.invite_address(game_key=game.key, user=ada, address=DEE, now=now)
    commands.cancel_game(game_key=over.key, user=ada, now=now)
    commands.prune_traces(size=10, now=now + MAILED_KEPT_FOR)
    assert MailInvitation.objects.count() == 2
    commands.prune_traces(size=10, now=now + MAILED_KEPT_FOR + timedelta(seconds=1))
    assert list(MailInvitation.objects.values_list("game", flat=True)) == [waiting.pk]


def test_a_wish_outlives_every_secret_key(settings: object, ada: User, game: Game, letters: Letters) -> None:
    commands.refuse_invitations(address=DEE, now=timezone.now())
    before = digest_of(DEE)
    settings.SECRET_KEY = "another one"  # type: ignore[attr-defined]
    assert digest_of(DEE) == before
    ask(ada, game, DEE)
    assert letters() == []
