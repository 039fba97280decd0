"""What workers do for games: thin tasks over one command or query each."""

import time
from datetime import timedelta
from functools import partial
from random import SystemRandom
from typing import Final

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from accounts import archives, mails
from games import commands, queries
from games.delivery.deliver import send_due
from games.delivery.outlets import call_due
from games.models.puzzle import puzzle_day
from games.queries import due, relay
from games.queries.archive import archive_files
from games.tasks import sweep, thinking
from games.tasks.guard import TURN, within
from games.tasks.monitor import tell_monitor

SWEEP_BOT_TURNS: Final = "games.sweep_bot_turns"
SWEEP_CLOCKS: Final = "games.sweep_clocks"
SEND_NOTICES: Final = "games.send_notices"
CALL_OUTLETS: Final = "games.call_outlets"
PRUNE: Final = "games.prune"
PING: Final = "games.ping"
SEARCH_PUZZLES: Final = "games.search_puzzles"
PICK_DAILY: Final = "games.pick_daily"
LOST_AFTER: Final = timedelta(seconds=5)
"""How long a computer player's turn may wait until its message is taken to be lost."""
SETTLE_SIZE: Final = 100
"""How many games that have ended are looked for at once."""
PRUNE_SIZE: Final = 500
"""The most closed notices that one sweep deletes, and the most rows of a kind in one transaction of `prune`."""
TALLY_SIZE: Final = 500
"""The most games that one sweep counts up."""
GUESTS: Final = 100
"""How many idle guest accounts are deleted between two looks at the clock."""
PATIENCE: Final = 15.0
"""Seconds after which `prune` leaves the rest to the next one, as do other long tasks."""
PING_LIMIT: Final = 30
ARCHIVE: Final = 120.0
"""Seconds that one archive may take; a game takes three thousandths."""
ENTRY: Final = 100.0
"""Seconds that the review of one entry may take; hard ones take some seconds."""
REVIEW_LIMIT: Final = 150
ANSWER: Final = 60.0
"""Seconds that it may take to judge an answer to a puzzle; most take one."""
POSITION: Final = 10.0
"""Seconds that one position may take where puzzles are searched; most take a tenth of one."""
SWEEP_LIMIT: Final = 90
MAIL_LIMIT: Final = 150
"""Seconds after which the process that runs a task is ended and replaced. A guard within ends it long before."""

logger = structlog.get_logger(__name__)


@shared_task(name=commands.PLAY_BOT_TURN, time_limit=thinking.TURN_LIMIT)
def play_bot_turn(*, game_id: int, seq: int) -> None:  # noqa: ARG001 - they say who asks
    """Play one computer player's turn: not always the one that is asked for, but the one that is next in fairness."""
    thinking.play_next_turn()


@shared_task(name=commands.ADVISE, time_limit=thinking.TURN_LIMIT)
def advise(*, game_id: int, seq: int) -> None:
    """Think of a good turn for who is to move in a game, and keep it for them."""
    thinking.advise(game_id, seq)


@shared_task(name=SWEEP_BOT_TURNS, time_limit=SWEEP_LIMIT)
def sweep_bot_turns() -> None:
    """Ask anew for turns of computer players that have been waiting for a while: their messages may be lost."""
    now = timezone.now()
    commands.beat(name=due.BOTS, now=now)
    for turn in queries.games_awaiting_bots(thinking.WAITING, now, since=now - LOST_AFTER):
        commands.nudge_bot(turn.game, turn.seq, expires=LOST_AFTER.total_seconds())


@shared_task(name=commands.PLAY_PLANS, time_limit=SWEEP_LIMIT)
def play_plans(*, game_id: int) -> None:
    """Look at the plans of who is to move in a game. Where that fails, the sweep of the clocks tries once more."""
    try:
        with within(TURN):
            entry = commands.play_plan(game_id=game_id, now=timezone.now())
    except Exception:
        logger.exception("plans not looked at", game=game_id)
        return
    if entry is not None:
        logger.info("plan played", game=game_id, seq=entry.seq)


@shared_task(name=SWEEP_CLOCKS, time_limit=SWEEP_LIMIT)
def sweep_clocks() -> None:
    """End the turns whose time has run out, and do everything else about clocks that is due."""
    sweep.sweep_clocks(now=timezone.now(), rng=SystemRandom())


@shared_task(name=commands.SETTLE_GAMES, time_limit=SWEEP_LIMIT)
def settle_games() -> None:
    """Count up the games that have ended, and rate them in the order in which they did."""
    commands.beat(name=due.RATINGS, now=timezone.now())
    give_up = time.monotonic() + PATIENCE
    _count_up(give_up)
    _rate(give_up)


def _count_up(give_up: float) -> None:
    """Count up what games came to. One that fails is set back, and keeps no other from being counted."""
    for game_id in due.games_to_tally(timezone.now(), TALLY_SIZE):
        if time.monotonic() > give_up:
            return
        try:
            with within(TURN):
                commands.tally_game(game_id=game_id)
        except Exception as error:
            logger.exception("game not counted up", game=game_id)
            commands.set_back(game_id=game_id, cause=type(error).__name__, now=timezone.now())


def _rate(give_up: float) -> None:
    """Rate games. One that fails is left to the next sweep; so are those after it, which are rated by what it does."""
    while games := due.games_to_settle(SETTLE_SIZE):
        for game_id in games:
            try:
                with within(TURN):
                    if not commands.settle_game(game_id=game_id, now=timezone.now()):
                        return  # somebody else is at it, or all ratings are computed anew
            except Exception:
                logger.exception("game not settled", game=game_id)
                return
            if time.monotonic() > give_up:
                return


@shared_task(name=SEND_NOTICES, time_limit=MAIL_LIMIT)
def send_notices() -> None:
    """Send the notices that are due, and delete some of those that are long closed; unless another sweep is at that."""
    now = timezone.now()
    if not commands.begin_sweep(name=due.NOTICES, lease=timedelta(seconds=MAIL_LIMIT + 5), now=now):
        return
    try:
        send_due(now)
        commands.prune_notices(size=PRUNE_SIZE, now=now)
    finally:
        commands.end_sweep(name=due.NOTICES)


@shared_task(name=CALL_OUTLETS, time_limit=MAIL_LIMIT)
def call_outlets() -> None:
    """Call the outlets for which something is due, unless another sweep is at that."""
    now = timezone.now()
    if not commands.begin_sweep(name=due.OUTLETS, lease=timedelta(seconds=MAIL_LIMIT + 5), now=now):
        return
    try:
        call_due(now)
    finally:
        commands.end_sweep(name=due.OUTLETS)


@shared_task(name=mails.SEND, time_limit=MAIL_LIMIT)
def send_account_mails() -> None:
    """Send the mails about accounts that wait, unless sending rests: one mail server takes these and notices.

    What it says to these counts for nothing there: anyone can sign up with addresses that nobody has.
    """
    now = timezone.now()
    if relay.is_paused(now):
        logger.error("account mails rest", why="many were refused")
        return
    mails.send_waiting(now=now)


@shared_task(name=archives.MAKE, time_limit=MAIL_LIMIT)
def make_archives() -> None:
    """Make the archives of their data that people have asked for. One that fails delays no other."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and (archive := archives.claim(timezone.now())) is not None:
        try:
            with within(ARCHIVE):
                now = timezone.now()
                data = archives.pack(archive_files(archive.user, now), now=now)
            archives.keep(archive, data, now=timezone.now())
        except Exception:
            logger.exception("archive not made", user=archive.user_id, attempts=archive.attempts)
            archives.postpone(archive, now=timezone.now())
        else:
            logger.info("archive made", user=archive.user_id, size=len(data))


@shared_task(name=commands.MAKE_REVIEWS, time_limit=REVIEW_LIMIT)
def make_reviews() -> None:
    """Go on with the reviews that people have asked for, entry by entry; what is left is for the next message.

    Each entry is kept as it is found: a worker that dies loses one, and another goes on after the lease.
    """
    commands.beat(name=due.REVIEWS, now=timezone.now())
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        _judge_answers(give_up)
        review = commands.claim_review(now=timezone.now())
        if review is None:
            return
        try:
            with within(ENTRY):
                commands.review_entry(review, rng=SystemRandom(), now=timezone.now())
        except Exception:
            logger.exception("review not made", game=review.game_id, attempts=review.attempts)
            commands.postpone_review(review=review, now=timezone.now())
    commands.nudge_reviews()


@shared_task(name=commands.JUDGE_ANSWERS, time_limit=REVIEW_LIMIT)
def judge_answers() -> None:
    """Judge the answers to puzzles that wait for it: each for everyone who gives it."""
    give_up = time.monotonic() + PATIENCE
    if _judge_answers(give_up):
        commands.nudge_judging()


def _judge_answers(give_up: float) -> bool:
    """Judge answers until none waits, or time is up; return whether some may be left."""
    _settle_answers()
    while (judged := commands.claim_turn(now=timezone.now())) is not None:
        try:
            with within(ANSWER):
                commands.judge_turn(judged, now=timezone.now())
        except Exception:
            logger.exception("answer not judged", puzzle=judged.puzzle_id, turn=judged.turn)
            commands.put_off_turn(judged, now=timezone.now())
        _settle_answers()
        if time.monotonic() > give_up:
            return True
    return False


def _settle_answers() -> None:
    """Write down what follows from answers that have been judged; where that fails it is tried again the next time."""
    try:
        commands.settle_answers(now=timezone.now())
    except Exception:
        logger.exception("answers not settled")


@shared_task(name=SEARCH_PUZZLES, time_limit=REVIEW_LIMIT)
def search_puzzles() -> None:
    """Look for puzzles for a while: in games that have ended since, then between computer players while few are left.

    Answers that wait come first.
    """
    if not commands.begin_sweep(name=commands.SEARCH, lease=commands.SEARCH_LEASE, now=timezone.now()):
        return
    give_up = time.monotonic() + PATIENCE

    def goes_on() -> bool:
        return not _judge_answers(give_up) and time.monotonic() < give_up

    searches = (partial(commands.search_games, per_game=commands.PER_GAME), commands.top_up_puzzles)
    try:
        for search in searches:
            for puzzle in search(
                playouts=commands.PLAYOUTS,
                now=timezone.now(),
                goes_on=goes_on,
                bounded=lambda: within(POSITION),
            ):
                logger.info("puzzle found", puzzle=puzzle.pk)
    finally:
        commands.end_sweep(name=commands.SEARCH)


@shared_task(name=PICK_DAILY, time_limit=SWEEP_LIMIT)
def pick_daily() -> None:
    """Choose the puzzle of today, unless it is chosen; first store those that come with the site.

    That of tomorrow is not chosen before: what is left out where puzzles are offered would tell which it is.
    """
    if added := sum(1 for _puzzle in commands.add_starters(now=timezone.now())):
        logger.info("puzzles that come with the site stored", count=added)
    today = puzzle_day(timezone.now())
    if commands.pick_daily(day=today, rng=SystemRandom()) is None:
        logger.warning("no puzzle is left for a day", day=str(today))


@shared_task(name=PRUNE, time_limit=SWEEP_LIMIT)
def prune() -> None:
    """Delete what has served its time, batch by batch; what is left when patience ends waits for the next day."""
    now, give_up, gone = timezone.now(), time.monotonic() + PATIENCE, 0
    while (guests := commands.expire_guests(size=GUESTS, now=now)) and time.monotonic() < give_up:
        logger.info("idle guest accounts deleted", count=guests)
    while commands.unlist_idle(size=PRUNE_SIZE, now=now) and time.monotonic() < give_up:
        pass
    while commands.end_seats(size=PRUNE_SIZE) and time.monotonic() < give_up:
        pass
    while batch := commands.prune_traces(size=PRUNE_SIZE, now=now):
        gone += batch
        if time.monotonic() > give_up:
            break
    if gone:
        logger.info("traces deleted", count=gone)


@shared_task(name=PING, time_limit=PING_LIMIT)
def ping_monitor() -> None:
    """Tell the outside monitor that all is well, if it is: `check_overdue` would find nothing."""
    if not settings.HEARTBEAT_PING_URL:
        return
    if due.alarm(timezone.now()):
        logger.warning("monitor not told", why="not all is well; see manage.py check_overdue")
        return
    tell_monitor()
