"""Inviting a person by name, seeing it, and answering."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.commands.invite import MOST_INVITATIONS
from games.models import Game, Invitation
from games.notices.models import Notice
from tests.flows.people import Offer, SignIn
from tests.flows.play import make_user


def invitation_of(game: Game) -> str:
    return reverse("invitation", args=[game.key])


def ask(browser: Client, game: Game, name: str) -> tuple[int, str]:
    """Invite a person; return the status and the page that follows."""
    response = browser.post(reverse("invite", args=[game.key]), {"name": name})
    if response.status_code == HTTPStatus.FOUND:
        return response.status_code, browser.get(response["Location"]).content.decode()
    return response.status_code, response.content.decode()


def test_the_creator_and_whoever_sits_in_the_game_invite_by_name_whatever_its_case(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=4)
    status, page = ask(as_user(ada), game, "  cLEo ")
    assert status == HTTPStatus.FOUND
    assert "Cleo is invited." in page
    assert "Cleo has not answered" in page
    make_user("Dee")
    assert ask(as_user(bo), game, "Dee")[0] == HTTPStatus.FOUND
    assert set(Invitation.objects.values_list("by__display_name", "user__display_name")) == {
        ("Ada", "Cleo"),
        ("Bo", "Dee"),
    }


def test_a_name_that_cannot_be_invited_is_refused_with_why_and_stays_in_the_field(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=4)
    browser = as_user(ada)
    User.objects.filter(pk=cleo.pk).update(is_active=False)
    for name, reason in {
        "Nobody": "Nobody here is called “Nobody”.",
        "Cleo": "Nobody here is called “Cleo”.",
        "Ada": "You can&#x27;t invite yourself.",
        "bo": "Bo already has a seat in this game.",
        "": "Enter the name of the player you want to invite, or an e-mail address.",
        "x" * 31: "at most 30 characters",
    }.items():
        status, page = ask(browser, game, name)
        assert status == HTTPStatus.UNPROCESSABLE_ENTITY
        assert reason in page
        assert not name or f'value="{name}"' in page
    assert not Invitation.objects.exists()


def test_an_answer_about_a_name_gives_away_no_more_than_the_public_pages(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, size=6)
    User.objects.filter(pk=cleo.pk).update(is_active=False)
    for name in ("Bo", "Cleo", "Nobody", "staff"):
        there = Client().get(reverse("player_named", args=[name])).status_code == HTTPStatus.FOUND
        assert (ask(as_user(ada), game, name)[0] == HTTPStatus.FOUND) == there


def test_an_invitation_twice_is_no_error_and_makes_no_second_notice(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=4)
    for browser in (as_user(ada), as_user(ada), as_user(bo)):
        assert ask(browser, game, "Cleo")[0] == HTTPStatus.FOUND
    assert Invitation.objects.count() == 1
    assert Notice.objects.filter(user=cleo, topic="invited").count() == 1


def test_who_is_invited_sees_what_is_played_under_my_games_and_joins_from_there(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, size=3, public=False)
    ask(as_user(ada), game, "Bo")
    browser = as_user(bo)
    page = browser.get(reverse("my_games")).content.decode()
    for words in ("You are invited", "Ada invites you.", "3 days per turn", "Join", "Decline"):
        assert words in page
    assert game.key not in as_user(ada).get(reverse("lobby")).content.decode()
    browser.post(reverse("join_game", args=[game.key]))
    page = browser.get(reverse("my_games")).content.decode()
    assert "You are invited" not in page
    assert "Not full yet" in page


def test_the_invitation_names_who_invites_and_takes_a_no_which_stays(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=4)
    ask(as_user(bo), game, "Cleo")
    browser = as_user(cleo)
    page = browser.get(invitation_of(game)).content.decode()
    assert "Bo invites you to play." in page
    decline = reverse("decline", args=[game.key])
    assert decline in page
    for _time in range(2):
        answer = browser.post(decline, follow=True)
        assert answer.redirect_chain == [(reverse("my_games"), HTTPStatus.FOUND)]
        assert "You have declined the invitation." in answer.content.decode()
    assert game.key not in browser.get(reverse("my_games")).content.decode()
    assert decline not in browser.get(invitation_of(game)).content.decode()
    status, page = ask(as_user(ada), game, "Cleo")
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Cleo was already invited and has declined." in page
    assert "Cleo has declined" in page


def test_an_invitation_ends_with_the_game(ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn) -> None:
    started, cancelled = offer(ada), offer(ada)
    for game in (started, cancelled):
        ask(as_user(ada), game, "Bo")
    commands.join_game(game_key=started.key, user=cleo, now=timezone.now())
    commands.cancel_game(game_key=cancelled.key, user=ada, now=timezone.now())
    browser = as_user(bo)
    page = browser.get(reverse("my_games")).content.decode()
    assert started.key not in page
    assert cancelled.key not in page
    assert "Decline" not in browser.get(invitation_of(cancelled)).content.decode()
    assert browser.post(reverse("decline", args=[cancelled.key])).status_code == HTTPStatus.CONFLICT


def test_a_person_has_at_most_20_invitations_that_wait_or_are_of_today(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    withdrawn, game = offer(ada, size=6), offer(ada, size=6)
    now = timezone.now()
    people = [make_user(f"Pal{number}") for number in range(MOST_INVITATIONS)]
    Invitation.objects.bulk_create([Invitation(game=withdrawn, user=person, by=ada, at=now) for person in people])
    commands.cancel_game(game_key=withdrawn.key, user=ada, now=now)
    status, page = ask(as_user(ada), game, "Cleo")
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You have sent 20 invitations" in page
    Invitation.objects.filter(game=withdrawn).update(at=now - timedelta(days=2))
    assert ask(as_user(ada), game, "Cleo")[0] == HTTPStatus.FOUND
    Invitation.objects.filter(game=withdrawn).update(game=game)
    assert ask(as_user(ada), game, "Bo")[0] == HTTPStatus.UNPROCESSABLE_ENTITY
    commands.join_game(game_key=game.key, user=bo, now=now)
    assert ask(as_user(bo), game, "Staff")[0] == HTTPStatus.UNPROCESSABLE_ENTITY
    assert ask(as_user(bo), game, make_user("Dee").display_name)[0] == HTTPStatus.FOUND, "others have their own"


def test_only_the_people_in_a_game_see_who_is_invited(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, size=4)
    ask(as_user(ada), game, "Bo")
    for browser in (as_user(cleo), as_user(bo), Client()):
        assert "has not answered" not in browser.get(invitation_of(game)).content.decode()


def test_when_who_invited_deletes_their_account_the_invitation_stays_nameless(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=4)
    ask(as_user(bo), game, "Cleo")
    commands.delete_account(user=bo, now=timezone.now())
    page = as_user(cleo).get(reverse("my_games")).content.decode()
    assert "You are invited" in page
    assert "invites you." not in page
    commands.delete_account(user=cleo, now=timezone.now())
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("count", [1, 12])
def test_my_games_takes_as_many_queries_with_many_invitations(
    count: int,
    ada: User,
    bo: User,
    offer: Offer,
    as_user: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _number in range(count):
        commands.invite(game_key=offer(ada, size=3).key, user=ada, name="Bo", now=timezone.now())
    browser = as_user(bo)
    with django_assert_max_num_queries(9):
        page = browser.get(reverse("my_games")).content.decode()
    assert page.count("Decline") == count
