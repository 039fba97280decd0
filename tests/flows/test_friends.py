"""A list of friends: whose turn it is, and inviting them by one press."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.commands.friends import MOST_FRIENDS
from games.models import Friend, Game, Invitation
from games.queries.friends import GAMES_WITH_ONE, MOST_OFFERED
from tests.flows.people import Offer, SignIn
from tests.flows.play import make_user, start_game
from tests.flows.test_new_game import CHOICES

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


def befriend(user: User, *others: User) -> None:
    for other in others:
        commands.add_friend(user=user, name=other.display_name, now=timezone.now())


def friends_page(browser: Client) -> str:
    return browser.get(reverse("friends")).content.decode()


def new_game(browser: Client, *invited: int, address: str = "", **fields: object) -> tuple[int, str]:
    typed = CHOICES | {"visibility": "link", "invite": invited} | fields
    response = browser.post(address or reverse("create_game"), typed)
    return response.status_code, response.content.decode()


def test_a_friend_is_added_by_name_or_from_their_page_to_a_list_of_ones_own(
    ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    browser = as_user(ada)
    assert "Nobody is on your list yet" in friends_page(browser)
    answer = browser.post(reverse("add_friend"), {"name": " bO "}, follow=True)
    assert "Bo is on your list of friends." in answer.content.decode()
    page = browser.get(reverse("player", args=[cleo.pk])).content.decode()
    assert "Add to friends" in page
    browser.post(reverse("add_friend"), {"name": "Cleo"})
    assert "On your list of friends" in browser.get(reverse("player", args=[cleo.pk])).content.decode()
    assert [name in friends_page(browser) for name in ("Bo", "Cleo")] == [True, True]
    assert "Ada" not in friends_page(as_user(bo))
    assert "Add to friends" in as_user(bo).get(reverse("player", args=[ada.pk])).content.decode()


def test_a_friend_is_on_the_list_once_and_goes_without_a_trace(ada: User, bo: User, as_user: SignIn) -> None:
    befriend(ada, bo)
    befriend(ada, bo)
    assert Friend.objects.count() == 1
    for _time in range(2):
        answer = as_user(ada).post(reverse("drop_friend", args=[bo.pk]))
        assert answer.status_code == HTTPStatus.FOUND
    assert not Friend.objects.exists()


def test_what_is_no_other_person_is_refused_and_stays_in_the_field(ada: User, bo: User, as_user: SignIn) -> None:
    User.objects.filter(pk=bo.pk).update(is_active=False)
    for name, reason in {
        "Nobody": "Nobody here is called “Nobody”.",
        "Bo": "Nobody here is called “Bo”.",
        "Ada": "You can&#x27;t add yourself.",
        "": "Enter the name of a player.",
    }.items():
        answer = as_user(ada).post(reverse("add_friend"), {"name": name})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert reason in answer.content.decode()


def test_a_list_has_an_end_and_pages(ada: User, bo: User, as_user: SignIn) -> None:
    people = [make_user(f"Pal{number}") for number in range(MOST_FRIENDS)]
    now = timezone.now()
    Friend.objects.bulk_create([Friend(user=ada, friend=person, at=now) for person in people])
    answer = as_user(ada).post(reverse("add_friend"), {"name": "Bo"})
    assert "You have 200 friends, which is the maximum." in answer.content.decode()
    assert 0 < friends_page(as_user(ada)).count("New game together") < MOST_FRIENDS


def test_the_list_says_whose_turn_it_is_and_ones_own_comes_first(
    ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    befriend(ada, bo)
    for people in ([bo, ada, cleo], [cleo, bo, ada], [ada, bo, cleo], [bo, ada, cleo]):
        start_game(people)
    start_game([bo, cleo])
    page = friends_page(as_user(ada))
    turns = [words for words in page.replace("&#x27;", "'").split("\n") if "turn<" in words]
    assert len(turns) == GAMES_WITH_ONE
    assert ["Your turn" in words for words in turns] == [True, False, False]
    assert ["Bo's turn" in words for words in turns] == [False, True, True]


def test_the_list_takes_as_many_queries_for_many_friends_as_for_one(
    ada: User, bo: User, as_user: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    befriend(ada, bo, *(make_user(f"Pal{number}") for number in range(5)))
    for person in User.objects.exclude(pk=ada.pk):
        start_game([ada, person])
    browser = as_user(ada)
    friends_page(browser)
    with django_assert_num_queries(8):
        friends_page(browser)


def test_friends_are_invited_from_a_game_by_one_press(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    dee = make_user("Dee")
    befriend(ada, bo, cleo, dee)
    game = offer(ada, bo, size=4)
    browser, address = as_user(ada), reverse("invitation", args=[game.key])
    page = browser.get(address).content.decode()
    assert [f"Invite {name}<" in page for name in ("Bo", "Cleo", "Dee")] == [False, True, True]
    browser.post(reverse("invite", args=[game.key]), {"name": "Cleo"})
    page = browser.get(address).content.decode()
    assert [f"Invite {name}<" in page for name in ("Bo", "Cleo", "Dee")] == [False, False, True]
    assert "Invite Dee" not in as_user(bo).get(address).content.decode()


def test_a_game_is_created_with_those_who_are_to_play_it(ada: User, bo: User, cleo: User, as_user: SignIn) -> None:
    befriend(ada, bo)
    browser = as_user(ada)
    page = browser.get(f"{reverse('create_game')}?with={cleo.pk}").content.decode()
    boxes = [words for words in page.split("<input ") if 'name="invite"' in words]
    assert [("checked" in box, name in box) for box, name in zip(boxes, ("Cleo", "Bo"), strict=True)] == [
        (True, True),
        (False, True),
    ]
    assert "Cleo will be invited" in page
    address = f"{reverse('create_game')}?with={cleo.pk}"
    status, _page = new_game(browser, bo.pk, cleo.pk, address=address)
    assert status == HTTPStatus.FOUND
    assert set(Invitation.objects.values_list("user", "by")) == {(bo.pk, ada.pk), (cleo.pk, ada.pk)}
    assert Game.objects.get().public is False


def test_more_people_than_seats_or_strangers_are_not_invited_and_nothing_is_created(
    ada: User, bo: User, cleo: User, as_user: SignIn
) -> None:
    befriend(ada, bo)
    browser = as_user(ada)
    status, page = new_game(browser, cleo.pk)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "can&#x27;t be invited any more" in page
    befriend(ada, cleo)
    for refused in ({"size": 2}, {"against": "bots"}):
        status, page = new_game(browser, bo.pk, cleo.pk, **refused)
        assert status == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "There is room for" in page
    assert not Game.objects.exists()


def test_no_more_friends_are_offered_than_a_form_can_hold(ada: User, as_user: SignIn) -> None:
    people = [make_user(f"Pal{number}") for number in range(MOST_OFFERED + 3)]
    Friend.objects.bulk_create([Friend(user=ada, friend=person, at=timezone.now()) for person in people])
    page = as_user(ada).get(reverse("create_game")).content.decode()
    assert page.count('name="invite"') == MOST_OFFERED
