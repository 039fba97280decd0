"""The mail that says whose turn it is: when it comes, when it does not, and what it says."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games import commands
from games.models import Game
from tests.flows.play import NOW, mover_of, random_turn, state_of
from tests.mail.conftest import Begin, Post

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


def move(game: Game, minutes: float, rng: Random | None = None) -> None:
    turn = random_turn(state_of(game), rng or Random(1))
    fresh = Game.objects.get(pk=game.pk)
    commands.play_turn(
        game_key=game.key, user=mover_of(game), seq=fresh.seq, turn=turn, now=NOW + timedelta(minutes=minutes)
    )


def test_who_is_to_move_gets_one_mail_after_five_minutes_and_not_before(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo)
    mover = mover_of(game)
    other = {ada, bo} - {mover}
    assert post.sweep(0) == []
    assert post.sweep(4.9) == []
    subjects = post.sweep(5)
    assert f"{mover.email.split('@')[0]}: Your turn: game with {other.pop().display_name}" in subjects
    assert len(post.mails_to(mover)) == 1
    assert post.sweep(6) == []
    assert post.sweep(600) == []


def test_who_has_moved_meanwhile_is_not_told_that_it_is_their_turn(
    ada: User, bo: User, begin: Begin, post: Post
) -> None:
    game = begin(ada, bo)
    mover = mover_of(game)
    post.sweep(1)
    move(game, 3)
    post.sweep(6)
    assert not any("Your turn" in mail["Subject"] for mail in post.mails_to(mover))
