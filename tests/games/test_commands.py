"""Creating, joining, leaving, cancelling, playing, resigning: what each changes and what each refuses."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.db.models import F

from accounts.models import User
from engine.errors import RulesError
from games import commands
from games.commands._lock import lock_game, save_change
from games.commands.prune_traces import TURN_KEY_KEPT_FOR
from games.errors import GameCode, GameError, Stale
from games.log.table import Table
from games.models import Entry, Game
from games.models.choices import Actor, Reason, Status
from games.queries.lists import games_awaiting_bots
from tests.flows.play import NOW, RULES, make_user, mover_of, play, play_randomly, random_turn, start_game, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


def offer(user: User, **changes: object) -> Game:
    terms = {"ruleset": "gravity-1", "size": 3, "options": {}, "public": True, "bots": [], **changes}
    return commands.create_game(user=user, now=NOW, **terms)  # type: ignore[arg-type]


def refusal(command: Callable[[], object]) -> GameCode:
    with pytest.raises(GameError) as caught:
        command()
    assert isinstance(caught.value.code, GameCode)
    return caught.value.code


# Before the start


def test_who_creates_a_game_has_its_first_seat_and_it_stays_open(ada: User) -> None:
    game = offer(ada)
    assert (game.status, game.setup, game.creator) == (Status.OPEN, None, ada)
    assert [(seat.user, seat.number, seat.name) for seat in game.seats.all()] == [(ada, None, "Ada")]


def test_options_are_stored_complete(ada: User) -> None:
    assert offer(ada).options == RULES.check_options({}, 3)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "chess-1"}, GameCode.UNKNOWN_RULESET),
        ({"size": 1}, GameCode.BAD_SIZE),
        ({"size": 7}, GameCode.BAD_SIZE),
        ({"bots": ["nova:1"] * 3}, GameCode.TOO_MANY_BOTS),
        ({"bots": ["deep thought"]}, GameCode.UNKNOWN_BOT),
    ],
)
def test_a_game_that_can_not_be_is_refused_and_leaves_nothing(
    ada: User, changes: dict[str, object], code: GameCode
) -> None:
    assert refusal(lambda: offer(ada, **changes)) == code
    assert not Game.objects.exists()


def test_options_that_the_rules_do_not_know_are_refused(ada: User) -> None:
    with pytest.raises(RulesError) as caught:
        offer(ada, options={"hats": True})
    assert caught.value.code.value == "bad-options"
    assert not Game.objects.exists()


def test_a_game_starts_when_the_last_seat_is_taken_and_not_before(ada: User, bo: User, cy: User) -> None:
    game = offer(ada)
    assert commands.join_game(game_key=game.key, user=bo, now=NOW).status == Status.OPEN
    game = commands.join_game(game_key=game.key, user=cy, now=NOW)
    assert (game.status, game.seq, game.to_move, game.started_at) == (Status.ACTIVE, 0, 1, NOW)
    assert [seat.number for seat in game.seats.all()] == [1, 2, 3]
    assert game.setup is not None
    assert game.setup["players"] == [seat.name for seat in game.seats.all()]


def test_computer_players_fill_a_game_at_once_under_names_of_their_own(ada: User) -> None:
    game = offer(ada, bots=["nova:1", "nova:1"])
    assert game.status == Status.ACTIVE
    assert set(Table.of(game).names) == {"Ada", "Pebble", "Wobble"}


def test_seats_are_drawn_and_so_is_the_board(ada: User, bo: User) -> None:
    games = [commands.join_game(game_key=offer(ada, size=2).key, user=bo, now=NOW) for _game in range(20)]
    assert {mover_of(game) for game in games} == {ada, bo}
    assert len({game.setup_digest for game in games}) == 20


def test_the_stored_set_up_is_all_that_a_replay_needs(ada: User, bo: User) -> None:
    game = commands.join_game(game_key=offer(ada, size=2).key, user=bo, now=NOW)
    assert game.setup is not None
    assert RULES.dump(RULES.read_setup(game.setup)) == RULES.dump(state_of(game))


def test_nobody_has_two_seats_in_a_game(ada: User) -> None:
    game = offer(ada)
    commands.join_game(game_key=game.key, user=ada, now=NOW)
    assert Game.objects.get(pk=game.pk).seats.count() == 1


def test_the_same_computer_player_once_more_takes_no_second_seat(ada: User, bo: User) -> None:
    game = offer(ada, size=4)
    for _press in range(2):
        commands.add_bot(game_key=game.key, user=ada, bot="nova:1", taken=1, now=NOW)
    assert Game.objects.get(pk=game.pk).seats.count() == 2
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    late = refusal(lambda: commands.add_bot(game_key=game.key, user=ada, bot="nova:1", taken=2, now=NOW))
    assert late == GameCode.SEATS_CHANGED
    assert Game.objects.get(pk=game.pk).seats.count() == 3


def test_a_running_game_takes_nobody_in(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo])
    assert refusal(lambda: commands.join_game(game_key=game.key, user=cy, now=NOW)) == GameCode.NOT_OPEN
    assert refusal(lambda: commands.add_bot(game_key=game.key, user=ada, bot="nova:1", now=NOW)) == GameCode.NOT_OPEN


def test_a_seat_can_be_given_up_before_the_start_only(ada: User, bo: User) -> None:
    game = offer(ada)
    commands.join_game(game_key=game.key, user=bo, now=NOW)
    assert [seat.user for seat in commands.leave_game(game_key=game.key, user=bo).seats.all()] == [ada]
    assert refusal(lambda: commands.leave_game(game_key=game.key, user=bo)) == GameCode.NOT_JOINED
    assert refusal(lambda: commands.leave_game(game_key=game.key, user=ada)) == GameCode.CREATOR_STAYS
    running = start_game([ada, bo])
    assert refusal(lambda: commands.leave_game(game_key=running.key, user=bo)) == GameCode.NOT_OPEN


def test_only_the_creator_adds_computer_players(ada: User, bo: User) -> None:
    game = offer(ada, size=2)
    assert refusal(lambda: commands.add_bot(game_key=game.key, user=bo, bot="nova:1", now=NOW)) == GameCode.NOT_CREATOR
    assert commands.add_bot(game_key=game.key, user=ada, bot="nova:1", now=NOW).status == Status.ACTIVE


def test_only_the_creator_cancels_and_only_before_the_start(ada: User, bo: User) -> None:
    game = offer(ada)
    assert refusal(lambda: commands.cancel_game(game_key=game.key, user=bo, now=NOW)) == GameCode.NOT_CREATOR
    for _time in range(2):
        assert commands.cancel_game(game_key=game.key, user=ada, now=NOW).status == Status.CANCELLED
    assert refusal(lambda: commands.join_game(game_key=game.key, user=bo, now=NOW)) == GameCode.NOT_OPEN
    running = start_game([ada, bo])
    assert refusal(lambda: commands.cancel_game(game_key=running.key, user=ada, now=NOW)) == GameCode.NOT_OPEN


def test_a_key_that_no_game_has_is_refused(ada: User) -> None:
    assert refusal(lambda: commands.join_game(game_key="2" * 12, user=ada, now=NOW)) == GameCode.NO_SUCH_GAME


def test_each_visible_change_raises_the_version(ada: User, bo: User) -> None:
    game = offer(ada, size=2)
    versions = [game.version]
    versions.append(commands.join_game(game_key=game.key, user=bo, now=NOW).version)
    play_randomly(game, 1, Random(1))
    versions.append(Game.objects.get(pk=game.pk).version)
    assert versions == sorted(set(versions))


def test_a_row_that_was_changed_since_it_was_read_is_not_written_whatever_the_locks(ada: User) -> None:
    game = lock_game(key=offer(ada).key)
    Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
    game.status = Status.CANCELLED
    with pytest.raises(Stale):
        save_change(game, "status")
    assert Game.objects.get(pk=game.pk).status == Status.OPEN


# Turns


def submit(game: Game, user: User, seq: int, turn: str) -> Entry:
    return commands.play_turn(game_key=game.key, user=user, seq=seq, turn=turn, now=NOW)


def test_a_turn_is_logged_with_who_when_and_how(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    turn = random_turn(state_of(game), Random(1))
    now = NOW + timedelta(seconds=3, microseconds=5)
    entry = commands.play_turn(game_key=game.key, user=ada, seq=0, turn=f"  {turn} ", now=now)
    entry.refresh_from_db()
    assert (entry.seq, entry.seat, entry.turn, entry.event, entry.by) == (1, 1, turn, "", Actor.PLAYER)
    assert entry.at == NOW + timedelta(seconds=3)
    game.refresh_from_db()
    assert (game.seq, game.turns, game.to_move, game.head) == (1, 1, 2, entry.digest)
    assert game.turn_began_at == entry.at


def test_the_very_same_request_again_is_played_once(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    turn = random_turn(state_of(game), Random(1))
    assert submit(game, ada, 0, turn) == submit(game, ada, 0, turn)
    assert game.entries.count() == 1


def test_the_request_that_ended_the_game_can_come_again(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    rng = Random(3)
    while Game.objects.get(pk=game.pk).status == Status.ACTIVE:
        mover, seq = mover_of(game), Game.objects.get(pk=game.pk).seq
        turn = random_turn(state_of(game), rng)
        entry = submit(game, mover, seq, turn)
    assert submit(game, mover, seq, turn) == entry


def test_another_turn_from_an_old_page_is_stale_and_gives_nothing_away(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play(game, "S<(L)" if "S<(L)" in RULES.legal_steps(state_of(game)) else "S>(L)")
    with pytest.raises(Stale) as caught:
        submit(game, ada, 0, "R+")
    assert caught.value.params == {}
    assert game.entries.count() == 1


def test_a_page_from_the_future_is_stale(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    assert refusal(lambda: submit(game, ada, 5, "R+")) == GameCode.STALE


def test_who_does_not_play_in_the_game_is_refused_before_anything_is_said_of_it(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo])
    assert refusal(lambda: submit(game, cy, 0, "nonsense")) == GameCode.NOT_YOURS
    assert refusal(lambda: submit(game, cy, 7, "nonsense")) == GameCode.NOT_YOURS


def test_who_is_not_to_move_is_refused(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    assert refusal(lambda: submit(game, bo, 0, "R+")) == GameCode.NOT_YOUR_TURN


def test_an_open_game_takes_no_turn(ada: User) -> None:
    assert refusal(lambda: submit(offer(ada), ada, 0, "R+")) == GameCode.NOT_RUNNING


def test_an_ended_game_takes_no_turn(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    commands.resign(game_key=game.key, user=bo, seq=0, now=NOW)
    assert refusal(lambda: submit(game, ada, 1, "R+")) == GameCode.NOT_RUNNING


@pytest.mark.parametrize("turn", ["", "C", "R+ R+", "fly", "R+ .", "x" * 10_000])
def test_an_illegal_turn_changes_nothing(ada: User, bo: User, turn: str) -> None:
    game = start_game([ada, bo])
    with pytest.raises(RulesError):
        submit(game, ada, 0, turn)
    fresh = Game.objects.get(pk=game.pk)
    assert (fresh.seq, fresh.version, fresh.entries.count()) == (0, game.version, 0)


def test_the_end_of_a_game_is_stored_with_places(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 1000, Random(3))
    game.refresh_from_db()
    assert (game.status, game.to_move) == (Status.FINISHED, None)
    last = game.entries.order_by("seq").last()
    assert last is not None
    assert game.finished_at == last.at
    summary = RULES.summary(state_of(game))
    seats = game.seats.order_by("number")
    assert (tuple(seat.points for seat in seats), tuple(seat.place for seat in seats)) == (
        summary.points,
        summary.ranking,
    )


# Leaving


def test_resigning_retires_the_seat_and_passes_the_turn_on(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo, cy])
    commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    game.refresh_from_db()
    entry = game.entries.get()
    assert (entry.event, entry.reason, entry.by, entry.turn) == ("retire", Reason.RESIGNED, Actor.PLAYER, "")
    assert (game.status, game.to_move, game.turns) == (Status.ACTIVE, 2, 0)
    assert [seat.retired for seat in game.seats.order_by("number")] == [True, False, False]


def test_resigning_out_of_turn_leaves_the_turn_where_it_is(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo, cy])
    commands.resign(game_key=game.key, user=bo, seq=0, now=NOW + timedelta(hours=1))
    fresh = Game.objects.get(pk=game.pk)
    assert (fresh.to_move, fresh.turn_began_at) == (1, game.turn_began_at)


def test_no_two_turns_go_by_one_name_for_a_day(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    first, other = random_turn(state_of(game), Random(1)), random_turn(state_of(game), Random(2))
    assert first != other

    def send(turn: str, seq: int = 0) -> Entry:
        return commands.play_turn(game_key=game.key, user=ada, seq=seq, turn=turn, now=NOW, name="k" * 500)

    entry = send(first)
    assert send(first) == entry
    assert refusal(lambda: send(other)) == GameCode.IDEMPOTENCY_MISMATCH
    play_randomly(game, 1, Random(1))
    later = random_turn(state_of(game), Random(1))
    assert refusal(lambda: send(later, 2)) == GameCode.IDEMPOTENCY_MISMATCH
    assert send(first) == entry
    assert commands.prune_traces(size=9, now=NOW + TURN_KEY_KEPT_FOR) == 0
    assert commands.prune_traces(size=9, now=NOW + TURN_KEY_KEPT_FOR + timedelta(seconds=1)) == 1
    assert send(later, 2).seq == 3


def test_a_name_of_a_refused_turn_is_free_and_each_seat_has_its_own(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    with pytest.raises(RulesError):
        commands.play_turn(game_key=game.key, user=ada, seq=0, turn="C", now=NOW, name="one")
    for seq, user in enumerate((ada, bo)):
        turn = random_turn(state_of(game), Random(1))
        played = commands.play_turn(game_key=game.key, user=user, seq=seq, turn=turn, now=NOW, name="one")
        assert played.seq == seq + 1


def test_resigning_twice_is_no_error_and_leaves_one_entry(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo, cy])
    for _time in range(2):
        commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    assert game.entries.count() == 1


def test_a_game_of_two_ends_when_one_resigns(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert [seat.place for seat in game.seats.order_by("number")] == [2, 1]


def test_resigning_is_refused_to_strangers_to_old_pages_and_outside_a_running_game(
    ada: User, bo: User, cy: User
) -> None:
    game = start_game([ada, bo])
    assert refusal(lambda: commands.resign(game_key=game.key, user=cy, seq=0, now=NOW)) == GameCode.NOT_YOURS
    assert refusal(lambda: commands.resign(game_key=game.key, user=ada, seq=3, now=NOW)) == GameCode.STALE
    unstarted = offer(ada)
    assert refusal(lambda: commands.resign(game_key=unstarted.key, user=ada, seq=0, now=NOW)) == GameCode.NOT_RUNNING


def test_the_clock_retires_a_seat_once(ada: User, bo: User, cy: User) -> None:
    game = start_game([ada, bo, cy])
    entries = [
        commands.retire_seat(game_key=game.key, seat=2, reason=Reason.TIMEOUT, by=Actor.CLOCK, now=NOW)
        for _ in range(2)
    ]
    assert [entry is None for entry in entries] == [False, True]
    assert game.entries.get().reason == Reason.TIMEOUT


def test_a_seat_that_never_was_can_not_be_retired(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    with pytest.raises(RulesError):
        commands.retire_seat(game_key=game.key, seat=5, reason=Reason.TIMEOUT, by=Actor.CLOCK, now=NOW)


def test_nobody_is_retired_from_a_game_that_does_not_run(ada: User, bo: User, cy: User) -> None:
    ended = start_game([ada, bo])
    commands.resign(game_key=ended.key, user=ada, seq=0, now=NOW)
    assert refusal(lambda: put_out(ended)) == GameCode.NOT_RUNNING
    unstarted = offer(cy)
    assert refusal(lambda: put_out(unstarted)) == GameCode.NOT_RUNNING


def put_out(game: Game) -> Entry | None:
    return commands.retire_seat(game_key=game.key, seat=2, reason=Reason.REMOVED, by=Actor.STAFF, now=NOW)


# Computer players


@pytest.fixture
def bot_to_move(ada: User) -> Game:
    """A game of Ada against one computer player, who is to move after entry ``seq``."""
    game = offer(ada, size=2, bots=["nova:1"])
    if not game.bot_to_move:
        play(game, random_turn(state_of(game), Random(1)))
    return Game.objects.get(pk=game.pk)


def play_bot(game: Game, seq: int) -> Entry | None:
    return commands.play_bot_turn(game_id=game.pk, seq=seq, rng=Random(1), now=NOW)


def test_a_computer_player_plays_its_turn_once(bot_to_move: Game) -> None:
    seq = bot_to_move.seq
    entry = play_bot(bot_to_move, seq)
    assert entry is not None
    assert (entry.by, entry.seq) == (Actor.BOT, seq + 1)
    assert play_bot(bot_to_move, seq) is None
    assert bot_to_move.entries.count() == seq + 1


def test_a_computer_player_never_plays_for_a_person(bot_to_move: Game) -> None:
    entry = play_bot(bot_to_move, bot_to_move.seq)
    assert entry is not None
    assert play_bot(bot_to_move, entry.seq) is None
    assert bot_to_move.entries.count() == entry.seq


def test_games_that_wait_for_a_computer_player_are_found_until_it_has_played(bot_to_move: Game) -> None:
    assert games_awaiting_bots(10, NOW) == [(bot_to_move.pk, bot_to_move.seq, bot_to_move.creator_id)]
    play_bot(bot_to_move, bot_to_move.seq)
    assert games_awaiting_bots(10, NOW) == []


def test_a_game_against_computer_players_is_played_to_its_end(ada: User) -> None:
    game = offer(ada, size=4, bots=["nova:1", "nova:2", "nova:2"])
    rng = Random(11)
    while Game.objects.get(pk=game.pk).status == Status.ACTIVE:
        fresh = Game.objects.get(pk=game.pk)
        if fresh.bot_to_move:
            assert commands.play_bot_turn(game_id=fresh.pk, seq=fresh.seq, rng=rng, now=NOW) is not None
        else:
            play(game, random_turn(state_of(game), rng))
    by_seat = {seat.number: seat.bot for seat in game.seats.all()}
    assert all((entry.by == Actor.BOT) == bool(by_seat[entry.seat]) for entry in game.entries.all())
