"""Who created a game removes somebody before the start."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import commands, queries
from games.errors import GameCode, GameError
from games.models import Game, Invitation, Seat
from games.notices.models import Notice
from games.queries.open_games import Wanted
from tests.flows.people import Offer, SignIn
from tests.flows.play import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


def seat_of(game: Game, person: User) -> int:
    return Seat.objects.get(game=game, user=person).pk


def remove(browser: Client, game: Game, seat: int | str) -> tuple[int, str]:
    response = browser.post(reverse("remove_player", args=[game.key]), {"seat": seat}, follow=True)
    return response.status_code, response.content.decode()


def refusal_of(game: Game, person: User) -> GameCode:
    with pytest.raises(GameError) as refusal:
        commands.join_game(game_key=game.key, user=person, now=timezone.now())
    return refusal.value.code


def test_who_is_removed_gets_a_notice_and_no_seat_again_until_they_are_invited(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, cleo, size=4)
    status, page = remove(as_user(ada), game, seat_of(game, bo))
    assert status == HTTPStatus.OK
    assert "Bo is no longer in the game." in page
    assert not Seat.objects.filter(game=game, user=bo).exists()
    assert Notice.objects.filter(topic="removed").values_list("user", "game").get() == (bo.pk, game.pk)
    assert refusal_of(game, bo) is GameCode.WAS_REMOVED
    assert "removed you from it" in as_user(bo).post(reverse("join_game", args=[game.key])).content.decode()
    refused = as_user(cleo).post(reverse("invite", args=[game.key]), {"name": "Bo"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "only they can invite Bo again" in refused.content.decode()
    commands.invite(game_key=game.key, user=ada, name="Bo", now=timezone.now())
    commands.join_game(game_key=game.key, user=bo, now=timezone.now())
    remove(as_user(ada), game, seat_of(game, bo))
    assert Notice.objects.filter(user=bo, topic="removed").count() == 2
    assert not Invitation.objects.filter(user=bo).exists()


def test_whoever_is_invited_again_after_a_removal_hears_of_it_again(ada: User, bo: User, offer: Offer) -> None:
    game, now = offer(ada, size=3), timezone.now()
    for count in (1, 2):
        commands.invite(game_key=game.key, user=ada, name="Bo", now=now)
        commands.invite(game_key=game.key, user=ada, name="Bo", now=now)
        assert Notice.objects.filter(user=bo, topic="invited").count() == count
        commands.join_game(game_key=game.key, user=bo, now=now)
        commands.remove_player(game_key=game.key, user=ada, seat_id=seat_of(game, bo), now=now)


def test_nobody_is_found_a_seat_in_a_game_that_they_were_removed_from(ada: User, bo: User, offer: Offer) -> None:
    game = offer(ada, bo, size=3)
    commands.remove_player(game_key=game.key, user=ada, seat_id=seat_of(game, bo), now=timezone.now())
    assert not queries.games_for(bo, Wanted())
    assert queries.games_for(make_user("Dee"), Wanted()) == [game]


def test_a_computer_player_goes_without_a_trace_and_can_come_back(ada: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, size=3)
    commands.add_bot(game_key=game.key, user=ada, bot="nova:1", taken=1, now=timezone.now())
    bot = Seat.objects.exclude(bot="").get()
    assert "The seat is free." in remove(as_user(ada), game, bot.pk)[1]
    assert "The seat is free." in remove(as_user(ada), game, bot.pk)[1]
    assert not Notice.objects.filter(topic="removed").exists()
    commands.add_bot(game_key=game.key, user=ada, bot="nova:1", taken=1, now=timezone.now())


def test_a_seat_of_another_game_is_not_touched_nor_is_ones_own(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    game, other = offer(ada, size=3), offer(ada, bo, size=3)
    for seat in (seat_of(other, bo), "x", "", "9" * 30):
        assert remove(as_user(ada), game, seat)[0] == HTTPStatus.OK
    assert remove(as_user(ada), game, seat_of(game, ada))[0] == HTTPStatus.CONFLICT
    assert Seat.objects.count() == 3


def test_others_than_the_creator_remove_nobody_and_nobody_does_once_it_runs(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=3)
    for person in (bo, cleo):
        assert remove(as_user(person), game, seat_of(game, bo))[0] == HTTPStatus.FORBIDDEN
    assert "Remove somebody" not in as_user(bo).get(reverse("invitation", args=[game.key])).content.decode()
    commands.join_game(game_key=game.key, user=cleo, now=timezone.now())
    assert remove(as_user(ada), game, seat_of(game, bo))[0] == HTTPStatus.CONFLICT
    assert Seat.objects.filter(game=game).count() == 3
