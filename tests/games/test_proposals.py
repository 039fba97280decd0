"""Consent: to cancel a game before its second round, and to another time control."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games import commands, queries
from games.clock import PRESETS, TimeControl, custom
from games.errors import GameCode, GameError
from games.models import Game, Proposal
from games.models.choices import ProposalOutcome, RemarkKind, Status
from games.timing.deadlines import time_control_of
from games.words.remarks import remark_words
from tests.flows.play import make_user
from tests.games.timed import DAILY, MINUTE, NOW, differences, due, expire, fresh, mover, owner, play_at, start_timed

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
WEEKLY = PRESETS["weekly"]


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo"), make_user("Cy")]


def refusal(command: Callable[[], object]) -> GameCode:
    with pytest.raises(GameError) as caught:
        command()
    return caught.value.code


def propose_cancel(game: Game, user: User) -> Proposal:
    commands.propose_cancel(game_key=game.key, user=user, now=NOW)
    return game.proposals.latest("pk")


def propose_other_time(game: Game, user: User, time_control: TimeControl = WEEKLY) -> Proposal:
    commands.propose_time_control(game_key=game.key, user=user, time_control=time_control, now=NOW)
    return game.proposals.latest("pk")


def answer(proposal: Proposal, user: User, *, agree: bool = True) -> None:
    commands.answer_proposal(
        game_key=proposal.game.key, user=user, proposal_id=proposal.pk, agree=agree, now=NOW + MINUTE
    )


def kinds(game: Game) -> list[str]:
    return list(game.remarks.order_by("pk").values_list("kind", flat=True))


def play_round(game: Game) -> None:
    for number in range(fresh(game).seats.count()):
        play_at(game, NOW, Random(number))


# To cancel


def test_a_game_is_cancelled_when_the_last_person_agrees_and_not_before(people: list[User]) -> None:
    game = start_timed(people)
    proposal = propose_cancel(game, people[1])
    answer(proposal, people[0])
    assert fresh(game).status == Status.ACTIVE
    answer(proposal, people[2])
    cancelled = fresh(game)
    assert (cancelled.status, cancelled.deadline, cancelled.to_move) == (Status.CANCELLED, None, None)
    assert cancelled.finished_at == NOW + MINUTE
    assert cancelled.warning_at is None
    assert list(Game.objects.values_list("state", "events")) == [("", [])], "a game that is over keeps no position"
    assert queries.game_page(game.key, None).view is not None
    assert not game.seats.filter(since__isnull=False).exists()
    assert kinds(game) == ["asked", "agreed", "agreed", "cancelled"]


def test_a_cancelled_game_is_what_its_log_says_and_does_not_go_on(people: list[User]) -> None:
    game = start_timed(people[:2])
    play_at(game, NOW)
    answer(propose_cancel(game, people[0]), people[1])
    assert differences(game) == []
    assert expire(game, NOW + timedelta(days=99)) is None
    code = refusal(lambda: commands.play_turn(game_key=game.key, user=people[0], seq=1, turn="C", now=NOW))
    assert code == GameCode.NOT_RUNNING


def test_one_refusal_closes_the_proposal_and_the_game_goes_on(people: list[User]) -> None:
    game = start_timed(people)
    proposal = propose_cancel(game, people[0])
    answer(proposal, people[1], agree=False)
    proposal.refresh_from_db()
    assert (proposal.outcome, fresh(game).status) == (ProposalOutcome.REFUSED, Status.ACTIVE)
    assert refusal(lambda: answer(proposal, people[2])) == GameCode.NO_SUCH_PROPOSAL


def test_who_proposed_can_withdraw_it_and_something_else_can_be_proposed(people: list[User]) -> None:
    game = start_timed(people)
    proposal = propose_cancel(game, people[0])
    assert refusal(lambda: propose_other_time(game, people[1])) == GameCode.PROPOSAL_OPEN
    answer(proposal, people[0], agree=False)
    proposal.refresh_from_db()
    assert proposal.outcome == ProposalOutcome.WITHDRAWN
    assert propose_other_time(game, people[1]).closed_at is None


def test_to_agree_twice_is_to_agree_once(people: list[User]) -> None:
    game = start_timed(people)
    proposal = propose_cancel(game, people[0])
    answer(proposal, people[1])
    answer(proposal, people[1])
    assert (proposal.consents.count(), fresh(game).status) == (2, Status.ACTIVE)
    assert kinds(game) == ["asked", "agreed"]


def test_from_the_second_round_on_no_game_can_be_cancelled(people: list[User]) -> None:
    game = start_timed(people)
    proposal = propose_cancel(game, people[0])
    answer(proposal, people[1])
    play_round(game)
    proposal.refresh_from_db()
    assert (fresh(game).round, proposal.outcome) == (2, ProposalOutcome.LAPSED)
    assert refusal(lambda: answer(proposal, people[2])) == GameCode.NO_SUCH_PROPOSAL
    assert refusal(lambda: propose_cancel(game, people[0])) == GameCode.TOO_LATE_TO_CANCEL


def test_computer_players_are_not_asked(people: list[User]) -> None:
    game = start_timed(people[:1], bots=["nova:1", "nova:1"])
    propose_cancel(game, people[0])
    cancelled = fresh(game)
    assert (cancelled.status, cancelled.bot_to_move) == (Status.CANCELLED, False)


def test_who_leaves_need_not_agree_any_more(people: list[User]) -> None:
    game = start_timed(people)
    proposal = propose_cancel(game, people[0])
    answer(proposal, people[1])
    commands.resign(game_key=game.key, user=people[2], seq=0, now=NOW)
    assert fresh(game).status == Status.CANCELLED
    assert differences(game) == []


def test_who_has_left_is_neither_asked_nor_may_ask(people: list[User]) -> None:
    game = start_timed(people)
    commands.resign(game_key=game.key, user=people[2], seq=0, now=NOW)
    assert refusal(lambda: propose_cancel(game, people[2])) == GameCode.NOT_ASKED
    answer(propose_cancel(game, people[0]), people[1])
    assert fresh(game).status == Status.CANCELLED


def test_the_end_of_a_game_closes_what_is_proposed(people: list[User]) -> None:
    game = start_timed(people[:2])
    proposal = propose_other_time(game, people[0])
    commands.resign(game_key=game.key, user=people[1], seq=0, now=NOW)
    proposal.refresh_from_db()
    assert (fresh(game).status, proposal.outcome) == (Status.FINISHED, ProposalOutcome.LAPSED)


@pytest.mark.parametrize("command", [propose_cancel, propose_other_time])
def test_strangers_and_open_games_are_refused(people: list[User], command: Callable[[Game, User], object]) -> None:
    game = start_timed(people[:2])
    assert refusal(lambda: command(game, people[2])) == GameCode.NOT_YOURS
    offered = commands.create_game(
        user=people[0], ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=NOW
    )
    assert refusal(lambda: command(offered, people[0])) == GameCode.NOT_RUNNING


# Another time control


def test_the_time_control_changes_for_all_when_all_have_agreed(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    proposal = propose_other_time(game, people[0])
    answer(proposal, people[1])
    assert time_control_of(fresh(game)) == DAILY
    answer(proposal, people[2])
    assert time_control_of(fresh(game)) == WEEKLY
    assert due(game) == NOW + MINUTE + timedelta(days=7)
    assert {seat.reserve for seat in game.seats.all()} == {0}
    remark = game.remarks.latest("pk")
    assert remark.kind == RemarkKind.NEW_TIME_CONTROL
    assert "7 days per turn" in remark_words(remark, ["Ada", "Bo", "Cy"])


def test_a_time_control_with_a_first_reserve_gives_it_to_everyone(people: list[User]) -> None:
    game = start_timed(people[:1], bots=["nova:1"])
    while fresh(game).bot_to_move:
        commands.play_bot_turn(game_id=game.pk, seq=fresh(game).seq, rng=Random(1), now=NOW)
    propose_other_time(game, people[0], DAILY)
    seat = mover(game)
    assert (seat.user, seat.allowance, seat.reserve) == (people[0], 86_400, 3_600)


def test_the_time_control_that_holds_already_cannot_be_proposed(people: list[User]) -> None:
    game = start_timed(people, custom(60))
    assert refusal(lambda: propose_other_time(game, people[0], custom(60))) == GameCode.SAME_TIME_CONTROL


def test_another_time_control_can_be_agreed_on_in_any_round(people: list[User]) -> None:
    game = start_timed(people[:2])
    for _round in range(2):
        play_round(game)
    proposal = propose_other_time(game, people[0])
    play_at(game, NOW)
    answer(proposal, people[1])
    assert time_control_of(fresh(game)) == WEEKLY
    assert owner(mover(game)) in people
    assert differences(game) == []
