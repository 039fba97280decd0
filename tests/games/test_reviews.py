"""Reviews of finished games: asked for once, made entry by entry, never of a running game."""

from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone, translation

from accounts import guests
from accounts.models import User
from engine.contract import Assessed, Reviewed, Verdict
from engine.gravity.reasons import Reason
from engine.rulesets import RULESETS
from games import commands, tasks
from games.commands import review_game
from games.commands.review_game import MOST_AS_GUEST, MOST_ATTEMPTS, MOST_REVIEWS, chances_before, is_given_up
from games.errors import GameCode, GameError
from games.models import Game, Heartbeat, Review, ReviewTurn
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.queries import due
from games.words.review import SIGNS, VERDICTS
from tests.flows.play import NOW, make_user, play_randomly, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_game, "PLAYOUTS", 3)


def finished(*people: User, turns: int = 4, seed: int = 1, **terms: Any) -> Game:
    """Return a game that the second person has left after so many turns."""
    game = start_game(list(people), seed=seed, **terms)
    play_randomly(game, turns, Random(seed))
    seq = Game.objects.get(pk=game.pk).seq
    commands.resign(game_key=game.key, user=people[1], seq=seq, now=NOW)
    return Game.objects.get(pk=game.pk)


def ask(game: Game, user: User) -> Review:
    return commands.ask_for_review(game_key=game.key, user=user, now=NOW)


def refused(game: Game, user: User) -> GameCode:
    with pytest.raises(GameError) as error:
        ask(game, user)
    return error.value.code


def test_a_review_is_made_entry_by_entry_and_says_what_each_was_worth(ada: User, bo: User) -> None:
    game = finished(ada, bo)
    review = ask(game, ada)
    assert (review.made_at, review.model) == (None, RULESETS[game.ruleset].judge)
    tasks.make_reviews()
    review.refresh_from_db()
    assert review.made_at is not None
    *turns, left = ReviewTurn.objects.filter(review=review).order_by("seq")
    assert [turn.seq for turn in (*turns, left)] == list(range(1, game.seq + 1))
    for turn in turns:
        assert sum(turn.chances) == pytest.approx(1, abs=0.001)
        assert turn.verdict in VERDICTS
        assert turn.reason in RULESETS[game.ruleset].reasons
        assert bool(turn.best) == (turn.verdict not in {"best", "great"})
        assert turn.lost >= 0
        assert turn.before is not None
        assert sum(turn.before) == pytest.approx(1, abs=0.001)
        assert turn.before[turn.seat - 1] - turn.chances[turn.seat - 1] == pytest.approx(turn.lost, abs=0.001)
    assert (left.verdict, left.turn, left.chances, left.before) == ("", "", [1.0, 0.0], None)


def test_the_chances_before_a_turn_are_those_after_the_best_one_as_far_as_sure() -> None:
    best = Assessed("D", (0.2, 0.6, 0.2), (0, 0, 0), ())
    played = Assessed("C", (0.5, 0.2, 0.3), (0, 0, 0), ())
    terms: dict[str, Any] = {"points": 0, "played": played, "reason": "", "params": {}}
    sure = Reviewed(verdict=Verdict.BLUNDER, lost=0.3, best=best, **terms)
    assert chances_before(sure, 2) == pytest.approx((0.275, 0.5, 0.225))
    nothing_better = Reviewed(verdict=Verdict.BEST, lost=0.0, best=played, **terms)
    assert chances_before(nothing_better, 2) == played.chances


def test_a_running_or_open_game_has_no_review(ada: User, bo: User) -> None:
    running = start_game([ada, bo])
    play_randomly(running, 2, Random(1))
    assert refused(running, ada) == GameCode.NOT_TO_REVIEW
    offered = commands.create_game(user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=(), now=NOW)
    assert refused(offered, ada) == GameCode.NOT_TO_REVIEW
    commands.cancel_game(game_key=offered.key, user=ada, now=NOW)
    assert refused(offered, ada) == GameCode.NOT_TO_REVIEW
    assert not Review.objects.exists()


def test_a_review_of_a_game_that_runs_is_not_made_whatever_a_row_says(ada: User, bo: User) -> None:
    running = start_game([ada, bo])
    play_randomly(running, 2, Random(1))
    review = Review.objects.create(game=running, at=NOW, due_at=NOW, model="1")
    assert not commands.review_entry(review, rng=Random(1), now=NOW)
    assert not ReviewTurn.objects.exists()


def test_there_is_one_review_a_game_whoever_asks(ada: User, bo: User) -> None:
    game = finished(ada, bo)
    assert ask(game, ada) == ask(game, bo) == ask(game, make_user("Cy"))
    assert Review.objects.get().by == ada


def test_who_may_not_see_a_game_can_not_ask_for_its_review(ada: User, bo: User) -> None:
    game = finished(ada, bo, players_only=True)
    assert refused(game, make_user("Cy")) == GameCode.NO_SUCH_GAME
    assert ask(game, bo).game == game


def test_a_person_asks_for_so_many_reviews_a_day(ada: User, bo: User) -> None:
    guest = guests.make_guest(language="en", now=NOW)
    for person, most in ((ada, MOST_REVIEWS), (guest, MOST_AS_GUEST)):
        games = [finished(bo, make_user(f"{person.pk}of{number}"), turns=0) for number in range(most + 1)]
        for game in games[:-1]:
            ask(game, person)
        assert refused(games[-1], person) == GameCode.TOO_MANY_REVIEWS
        assert ask(games[0], person).by == person, "one that is there costs nothing"
        later = NOW + timedelta(days=1, minutes=1)
        assert commands.ask_for_review(game_key=games[-1].key, user=person, now=later).game == games[-1]


def test_a_worker_that_dies_loses_one_entry_and_another_goes_on_after_the_lease(ada: User, bo: User) -> None:
    game = finished(ada, bo)
    ask(game, ada)
    first = commands.claim_review(now=NOW)
    assert first is not None
    assert commands.review_entry(first, rng=Random(1), now=NOW)
    dying = commands.claim_review(now=NOW)
    assert dying is not None
    assert commands.claim_review(now=NOW) is None, "it is at work"
    after = NOW + review_game.LEASE
    other = commands.claim_review(now=after)
    assert other is not None
    assert commands.review_entry(other, rng=Random(1), now=after)
    assert ReviewTurn.objects.count() == 2


def test_what_a_slow_worker_finds_after_another_did_is_dropped(
    ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(finished(ada, bo), ada)
    slow = commands.claim_review(now=NOW)
    assert slow is not None
    found = review_game._judge

    def overtaken(*arguments: Any) -> ReviewTurn:
        row = found(*arguments)
        monkeypatch.undo()
        assert commands.review_entry(slow, rng=Random(1), now=NOW)
        return row

    monkeypatch.setattr(review_game, "_judge", overtaken)
    assert not commands.review_entry(slow, rng=Random(1), now=NOW)
    assert ReviewTurn.objects.count() == 1


def test_an_entry_that_fails_is_tried_later_and_then_given_up_until_somebody_asks(ada: User, bo: User) -> None:
    game, other = finished(ada, bo), finished(ada, bo, seed=2)
    review = ask(game, ada)
    setup = Game.objects.defer(None).get(pk=game.pk).setup
    Game.objects.filter(pk=game.pk).update(setup={**(setup or {}), "stars": []}, setup_digest="broken")
    ask(other, bo)
    tasks.make_reviews()
    assert Review.objects.get(game=other).made_at is not None, "one that fails delays no other"
    for _ in range(MOST_ATTEMPTS):
        Review.objects.filter(pk=review.pk).update(due_at=NOW)
        tasks.make_reviews()
    review.refresh_from_db()
    assert is_given_up(review)
    assert due.oldest_review() is None
    assert commands.claim_review(now=timezone.now() + timedelta(days=1)) is None
    Game.objects.filter(pk=game.pk).update(setup=setup, setup_digest=game.setup_digest)
    assert not is_given_up(ask(game, bo))
    assert due.oldest_review() == NOW
    tasks.make_reviews()
    review.refresh_from_db()
    assert review.made_at is not None


def test_the_one_that_was_asked_for_first_is_made_first(ada: User, bo: User) -> None:
    first, second = finished(ada, bo), finished(ada, bo, seed=2)
    commands.ask_for_review(game_key=second.key, user=ada, now=NOW + timedelta(seconds=1))
    ask(first, ada)
    claimed = commands.claim_review(now=NOW + timedelta(minutes=1))
    assert claimed is not None
    assert claimed.game == first


def test_who_asks_for_many_makes_nobody_wait_but_themselves(ada: User, bo: User) -> None:
    guest = guests.make_guest(language="en", now=NOW)
    games = [finished(ada, bo, seed=seed) for seed in range(1, 6)]
    order = [(games[0], ada), (games[3], bo), (games[1], ada), (games[2], ada), (games[4], guest)]
    for minute, (game, person) in enumerate([order[4], order[0], order[2], order[3], order[1]]):
        commands.ask_for_review(game_key=game.key, user=person, now=NOW + timedelta(minutes=minute))
    made = []
    while review := commands.claim_review(now=NOW + timedelta(hours=1)):
        made.append((review.game, review.by))
        Review.objects.filter(pk=review.pk).update(made_at=NOW)
    assert made == order


def test_the_staff_makes_reviews_anew_of_games_or_of_all_that_are_older(ada: User, bo: User) -> None:
    games = [finished(ada, bo, seed=seed) for seed in (1, 2)]
    for game in games:
        ask(game, ada)
    tasks.make_reviews()
    out = StringIO()
    call_command("review_games", games[0].key, stdout=out)
    assert Review.objects.get(game=games[0]).made_at is None
    call_command("review_games", older=True, stdout=out)
    assert Review.objects.get(game=games[1]).made_at is not None
    Review.objects.filter(game=games[1]).update(model="older")
    call_command("review_games", older=True, stdout=out)
    assert Review.objects.get(game=games[1]).made_at is None
    assert [line.split()[0] for line in out.getvalue().splitlines()] == ["1", "0", "1"]
    running = start_game([ada, bo])
    with pytest.raises(CommandError, match=running.key):
        call_command("review_games", running.key)
    with pytest.raises(GameError):
        commands.review_again(game_id=running.pk, now=NOW)


def test_a_review_stays_when_who_asked_for_it_is_gone(ada: User, bo: User) -> None:
    cy = make_user("Cy")
    review = ask(finished(ada, bo), cy)
    commands.delete_account(user=cy, now=NOW)
    review.refresh_from_db()
    assert review.by is None


PARAMS: dict[str, Any] = {
    "by": 2,
    "victim": 2,
    "to": 2,
    "item": "b",
    "card": "P",
    "door": False,
    "sure": True,
    "points": 1,
    "better": 3,
    "cards": 1,
    "place": 2,
}


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_every_reason_has_words_in_every_language(language: str) -> None:
    explain = PRESENTERS["gravity-1"].explain
    with translation.override(language):
        told = {reason: explain(reason, PARAMS, 1, ("Ada", "Bo")) for reason in Reason}
        assert all(told.values())
        assert not any("%" in words for words in told.values())
        assert "Bo" in told[Reason.ALLOWED_EJECTION]
        door = explain(Reason.ALLOWED_EJECTION, {**PARAMS, "door": True}, 1, ("Ada", "Bo"))
        bare = explain(Reason.ALLOWED_EJECTION, {**PARAMS, "item": None, "sure": False}, 1, ("Ada", "Bo"))
        assert len({told[Reason.ALLOWED_EJECTION], door, bare}) == 3
        assert all(str(word) for word in VERDICTS.values())
    if language != "en":
        with translation.override("en"):
            for reason, words in told.items():
                assert words != explain(reason, PARAMS, 1, ("Ada", "Bo"))
    assert explain("from-another-version", PARAMS, 1, ("Ada", "Bo")) == ""
    assert SIGNS.keys() == VERDICTS.keys()


def test_a_game_of_another_status_is_never_claimed_twice(ada: User, bo: User) -> None:
    game = finished(ada, bo)
    ask(game, ada)
    tasks.make_reviews()
    assert Game.objects.get(pk=game.pk).status == Status.FINISHED
    assert commands.claim_review(now=timezone.now() + timedelta(days=1)) is None


def test_a_review_that_is_awaited_for_an_hour_raises_the_alarm(
    ada: User, bo: User, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = commands.ask_for_review(game_key=finished(ada, bo).key, user=ada, now=timezone.now())
    for minutes, late in ((59, False), (61, True)):
        since = timezone.now() - timedelta(minutes=minutes)
        Review.objects.update(at=since)
        found = due.alarm(timezone.now())
        assert (found.review, bool(found)) == (since if late else None, True), "no sweep was heard of"
        with pytest.raises(SystemExit):
            call_command("check_overdue")
        assert ("reviews late: the first is awaited since" in capsys.readouterr().out) == late
    tasks.make_reviews()
    asked.refresh_from_db()
    assert asked.made_at is not None
    assert due.alarm(timezone.now()).review is None


def test_the_sweep_of_reviews_says_that_it_is_alive(ada: User, bo: User) -> None:
    tasks.make_reviews()
    ask(finished(ada, bo), ada)
    Heartbeat.objects.filter(name=due.REVIEWS).update(at=timezone.now() - timedelta(minutes=4))
    assert due.REVIEWS in [old.name for old in due.alarm(timezone.now()).heartbeats]
    tasks.make_reviews()
    assert due.REVIEWS not in [old.name for old in due.alarm(timezone.now()).heartbeats]
