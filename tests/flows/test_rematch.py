"""The same people once more: who may ask for it, who is invited, and that there is one rematch only."""

import re
from collections.abc import Callable
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from accounts.guests import make_guest
from accounts.models import User
from games import commands
from games.clock import PRESETS
from games.commands.create_game import MOST_NEW
from games.commands.invite import MOST_INVITATIONS
from games.errors import GameCode, GameError
from games.models import Game, Invitation
from games.models.choices import Status
from games.notices.models import Notice
from tests.flows.play import NOW, make_user, start_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


@pytest.fixture
def old(ada: User, bo: User, cy: User) -> Game:
    """A finished game of three people and a computer player, not in the lobby, by terms of its own."""
    terms: dict[str, Any] = {"public": False, "time_control": PRESETS["daily"], "options": {"expert": True}}
    return end(start_game([ada, bo, cy], bots=["nova:2"], **terms), ada, bo, cy)


def end(game: Game, *people: User) -> Game:
    for number, user in enumerate(people):
        commands.resign(game_key=game.key, user=user, seq=number, now=NOW)
    return Game.objects.get(pk=game.pk)


def press(client: Client, game: Game) -> Any:
    return client.post(f"/games/{game.key}/rematch", follow=True)


def page(client: Client, game: Game) -> str:
    return str(client.get(f"/games/{game.key}/").content.decode())


def test_a_rematch_has_the_terms_and_computer_players_and_invites_the_people(
    old: Game, ada: User, bo: User, cy: User, as_user: Callable[[User], Client]
) -> None:
    client = as_user(ada)
    assert '<button class="button primary" id="rematch">Rematch</button>' in page(client, old)
    response = press(client, old)
    new = Game.objects.get(rematch_of=old)
    assert response.redirect_chain == [(f"/games/{new.key}/invitation/", HTTPStatus.FOUND)]
    assert "You want a rematch: whoever played can join it." in response.content.decode()
    for column in ("ruleset", "size", "options", "public", "time_control"):
        assert getattr(new, column) == getattr(old, column), column
    assert (new.creator, new.status) == (ada, Status.OPEN)
    assert set(new.seats.values_list("user", "bot")) == {(ada.pk, ""), (None, "nova:2")}
    assert set(Invitation.objects.filter(game=new, by=ada).values_list("user", flat=True)) == {bo.pk, cy.pk}
    assert set(Notice.objects.filter(game=new, topic="invited").values_list("user", flat=True)) == {bo.pk, cy.pk}


def test_the_others_read_who_wants_it_and_join_the_same_game(
    old: Game, ada: User, bo: User, cy: User, as_user: Callable[[User], Client]
) -> None:
    press(as_user(bo), old)
    new = Game.objects.get(rematch_of=old)
    assert "Bo wants a rematch." in page(as_user(ada), old)
    assert '<button class="button primary" id="rematch">Join</button>' in page(as_user(ada), old)
    joined = press(as_user(ada), old)
    assert "You have a seat in the rematch." in joined.content.decode()
    assert f'href="/games/{new.key}/invitation/">Go to the rematch</a>' in page(as_user(ada), old)
    started = press(as_user(cy), old)
    assert started.redirect_chain == [(f"/games/{new.key}/", HTTPStatus.FOUND)]
    assert Game.objects.get(pk=new.pk).status == Status.ACTIVE
    assert f'href="/games/{new.key}/">Go to the rematch</a>' in page(as_user(bo), old)
    assert Game.objects.filter(rematch_of=old).count() == 1


def test_an_open_page_of_the_finished_game_hears_of_the_rematch(
    old: Game, ada: User, bo: User, as_user: Callable[[User], Client]
) -> None:
    address, reader = f"/games/{old.key}/board", as_user(ada)
    tag = re.search(r'hx-ptag="([^"]*)"', page(reader, old))
    assert tag
    asked = {"HX-Request": "true", "HX-PTag": unescape(tag[1])}
    assert reader.get(address, headers=asked).status_code == HTTPStatus.NOT_MODIFIED
    press(as_user(bo), old)
    news = reader.get(address, headers=asked)
    assert news.status_code == HTTPStatus.OK
    assert "Bo wants a rematch." in news.content.decode()
    assert "hx-ptag" not in page(as_user(make_user("Dana")), old)


def test_a_second_press_leads_to_the_first_rematch(old: Game, ada: User, as_user: Callable[[User], Client]) -> None:
    client = as_user(ada)
    first, second = (press(client, old).redirect_chain for _press in range(2))
    assert first == second
    assert Game.objects.count() == 2
    new = Game.objects.get(rematch_of=old)
    assert new.seats.filter(user=ada).count() == 1


def test_alone_with_computer_players_a_rematch_begins_at_once(ada: User, as_user: Callable[[User], Client]) -> None:
    old = end(start_game([ada], bots=["nova:2"]), ada)
    response = press(as_user(ada), old)
    assert "The rematch has started." in response.content.decode()
    assert Game.objects.get(rematch_of=old).status == Status.ACTIVE


def test_who_comes_to_a_full_rematch_sees_it(
    old: Game, ada: User, bo: User, cy: User, as_user: Callable[[User], Client]
) -> None:
    press(as_user(ada), old)
    new = Game.objects.get(rematch_of=old)
    for user in (bo, make_user("Di")):
        commands.join_game(game_key=new.key, user=user, now=NOW)
    response = press(as_user(cy), old)
    assert response.redirect_chain == [(f"/games/{new.key}/", HTTPStatus.FOUND)]
    assert not new.seats.filter(user=cy).exists()


def test_a_withdrawn_rematch_makes_room_for_another(
    old: Game, ada: User, bo: User, as_user: Callable[[User], Client]
) -> None:
    press(as_user(ada), old)
    first = Game.objects.get(rematch_of=old)
    commands.cancel_game(game_key=first.key, user=ada, now=NOW)
    assert 'id="rematch">Rematch</button>' in page(as_user(bo), old)
    press(as_user(bo), old)
    second = Game.objects.get(rematch_of=old)
    assert (second.creator, second != first) == (bo, True)


def test_nobody_is_invited_twice_to_a_rematch_of_one_game(old: Game, ada: User, bo: User, cy: User) -> None:
    for user in (ada, ada, bo, cy, ada):
        new = commands.rematch(game_key=old.key, user=user, now=NOW)
        commands.cancel_game(game_key=new.key, user=user, now=NOW)
    assert sorted(Invitation.objects.values_list("user", flat=True)) == sorted([ada.pk, bo.pk, cy.pk])
    notices = Notice.objects.filter(topic="invited").values_list("user", "params__user")
    assert set(notices) == {(bo.pk, ada.pk), (cy.pk, ada.pk), (ada.pk, bo.pk)}


def test_a_guest_wants_a_rematch_without_inviting_anyone(ada: User, as_user: Callable[[User], Client]) -> None:
    guest = make_guest(language="en", now=NOW)
    old = end(start_game([ada, guest], public=False), ada)
    enqueued = set(Notice.objects.values_list("pk", flat=True))
    for _again in range(2):
        press(as_user(guest), old)
        assert f"{guest.shown_name} wants a rematch." in page(as_user(ada), old)
        new = Game.objects.get(rematch_of=old)
        commands.cancel_game(game_key=new.key, user=guest, now=NOW)
    assert not Invitation.objects.exists()
    assert set(Notice.objects.exclude(pk__in=enqueued).values_list("topic", "user")) == set()
    press(as_user(guest), old)
    press(as_user(ada), old)
    assert Game.objects.get(rematch_of=old).status == Status.ACTIVE


def test_a_rematch_has_a_rematch_of_its_own(ada: User, as_user: Callable[[User], Client]) -> None:
    game = end(start_game([ada], bots=["nova:2"]), ada)
    for _again in range(2):
        press(as_user(ada), game)
        game = end(Game.objects.get(rematch_of=game), ada)
    assert Game.objects.count() == 3


def test_a_person_whose_account_is_gone_is_not_invited(
    old: Game, ada: User, bo: User, cy: User, as_user: Callable[[User], Client]
) -> None:
    commands.delete_account(user=cy, now=NOW)
    press(as_user(ada), old)
    new = Game.objects.get(rematch_of=old)
    assert list(Invitation.objects.filter(game=new).values_list("user", flat=True)) == [bo.pk]
    commands.delete_account(user=User.objects.get(pk=ada.pk), now=NOW)
    assert Game.objects.get(pk=new.pk).status == Status.CANCELLED
    assert "Rematch</button>" in page(as_user(bo), old)


def test_whoever_did_not_play_is_refused_and_is_told_of_no_rematch(
    old: Game, ada: User, as_user: Callable[[User], Client]
) -> None:
    press(as_user(ada), old)
    stranger = as_user(make_user("Di"))
    response = press(stranger, old)
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert "You are not playing in this game." in response.content.decode()
    key = Game.objects.get(rematch_of=old).key
    for client in (stranger, Client()):
        html = page(client, old)
        assert 'id="rematch"' not in html
        assert key not in html
        assert "New game" in html
    assert press(Client(), old).redirect_chain[0][0] == f"/accounts/login/?next=/games/{old.key}/"


def test_a_game_that_goes_on_has_no_rematch(ada: User, bo: User, as_user: Callable[[User], Client]) -> None:
    game = start_game([ada, bo])
    response = press(as_user(ada), game)
    assert response.status_code == HTTPStatus.CONFLICT
    assert "A rematch begins when a game has been played to its end." in response.content.decode()
    assert 'id="rematch"' not in page(as_user(ada), game)
    assert Client().get(f"/games/{game.key}/rematch").status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_a_rematch_counts_among_the_new_games_of_a_day(old: Game, ada: User) -> None:
    terms = {"ruleset": old.ruleset, "size": 2, "creator": ada, "created_at": NOW, "status": Status.CANCELLED}
    Game.objects.bulk_create(Game(**terms) for _game in range(MOST_NEW))
    with pytest.raises(GameError) as refused:
        commands.rematch(game_key=old.key, user=ada, now=NOW)
    assert refused.value.code == GameCode.TOO_MANY_NEW_GAMES


def test_a_rematch_that_needs_more_invitations_than_may_wait_is_refused(
    old: Game, ada: User, as_user: Callable[[User], Client]
) -> None:
    other = commands.create_game(user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=(), now=NOW)
    pals = [make_user(f"Pal{number}") for number in range(MOST_INVITATIONS - 1)]
    Invitation.objects.bulk_create(Invitation(game=other, user=pal, by=ada, at=NOW) for pal in pals)
    with pytest.raises(GameError) as refused:
        commands.rematch(game_key=old.key, user=ada, now=NOW)
    assert refused.value.code == GameCode.TOO_MANY_INVITATIONS
    response = press(as_user(ada), old)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "invitations that are waiting for an answer" in response.content.decode()
    assert not Game.objects.filter(rematch_of=old).exists()


def test_who_is_kept_apart_from_whoever_wants_it_reads_of_no_rematch(
    old: Game, ada: User, bo: User, cy: User, as_user: Callable[[User], Client]
) -> None:
    press(as_user(ada), old)
    commands.block(user=ada, number=bo.pk, now=NOW)
    assert "Ada wants a rematch." not in unescape(page(as_user(bo), old))
    assert "Ada wants a rematch." in unescape(page(as_user(cy), old))
