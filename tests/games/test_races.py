"""Different commands on one game at once, each in a process of its own: whatever comes first, all of it is sound."""

from uuid import uuid4

import pytest

from games.commands.create_game import MOST_OPEN
from games.commands.invite import MOST_INVITATIONS
from tests.games.site import Site
from tests.services import PATIENCE, wait_until

pytestmark = [pytest.mark.pg, pytest.mark.slow]


@pytest.fixture
def game(site: Site) -> str:
    """A game of Ada and Bo that has just started."""
    key = site.run("create", "2")
    site.run("join", key, "Bo")
    return key


def status(site: Site, key: str) -> str:
    return str(site.rows("SELECT status FROM games_game WHERE key = %s", key)[0][0])


def seated(site: Site, key: str) -> list[str]:
    query = "SELECT name FROM games_seat WHERE game_id = (SELECT id FROM games_game WHERE key = %s) ORDER BY name"
    return [name for (name,) in site.rows(query, key)]


def in_turn(site: Site, key: str, *calls: tuple[str, ...]) -> list[str]:
    """Run commands on a game at once, let go in the given order."""
    with site.holding("SELECT 1 FROM games_game WHERE key = %s FOR UPDATE", key):
        processes = []
        for call in calls:
            processes.append(site.start("tests.games.site_process", *call))
            wait_until(lambda: site.waiting() == len(processes), what=f"{call}", seconds=PATIENCE)
    return [process.communicate(timeout=PATIENCE)[0].strip() for process in processes]


def test_who_joins_leaves_and_cancels_at_once_leaves_a_game_that_is_one_thing(site: Site) -> None:
    key = site.run("create", "3")
    site.run("join", key, "Bo")
    outcomes = site.race(key, ("join", key, "Cy"), ("leave", key, "Bo"), ("cancel", key, "Ada"), ("join", key, "Di"))
    assert set(outcomes) <= {key, "not-open"}
    assert status(site, key) in {"cancelled", "active"}
    assert status(site, key) == "cancelled" or len(seated(site, key)) == 3
    site.verify()


def test_one_form_sent_many_times_at_once_makes_one_game_and_all_get_it(site: Site) -> None:
    site.run("create", "2")
    token = str(uuid4())
    outcomes = set(site.race_of("Ada", *[("press", token, "3")] * 3))
    assert [key for (key,) in site.rows("SELECT key FROM games_game WHERE token = %s", token)] == list(outcomes)
    assert len(outcomes) == 1


def test_of_rematches_asked_for_at_once_there_is_one_that_all_are_in(site: Site, game: str) -> None:
    site.run("resign", game, "Ada", "0")
    outcomes = set(site.race(game, ("rematch", game, "Ada"), ("rematch", game, "Bo"), ("rematch", game, "Ada")))
    (key,) = outcomes
    followers = "SELECT key FROM games_game WHERE rematch_of_id = (SELECT id FROM games_game WHERE key = %s)"
    assert site.rows(followers, game) == [(key,)]
    assert (status(site, key), seated(site, key)) == ("active", ["Ada", "Bo"])
    site.verify()


def test_a_series_goes_on_once_whoever_leaves_the_site_meanwhile(site: Site, game: str) -> None:
    of_game = "game_id = (SELECT id FROM games_game WHERE key = %s) RETURNING id"
    site.run("resign", game, "Bo", "0")
    site.rows(f"UPDATE games_seat SET retired = false WHERE {of_game}", game)  # as if it had been played to its end
    site.rows("UPDATE games_game SET series_length = 3, is_followed = true WHERE key = %s RETURNING id", game)
    outcomes = site.race_of("Ada", *[("follow", game)] * 3, ("delete", game, "Ada"))
    site.rows(f"UPDATE games_seat SET retired = (name = 'Bo') WHERE {of_game}", game)
    followers = "SELECT key FROM games_game WHERE rematch_of_id = (SELECT id FROM games_game WHERE key = %s)"
    begun = [outcome for outcome in outcomes if outcome != "None"]
    assert [key for (key,) in site.rows(followers, game)] == begun
    assert len(begun) <= 1
    assert not site.rows("SELECT 1 FROM games_game WHERE is_followed AND key = %s", game)
    site.verify()


def test_of_games_created_at_once_no_more_wait_for_players_than_may(site: Site) -> None:
    site.run("offer", "Max", str(MOST_OPEN - 1))
    outcomes = site.race_of("Max", *[("offer", "Max")] * 3)
    assert outcomes.count("too-many-open-games") == 2
    (key,) = (outcome for outcome in outcomes if outcome != "too-many-open-games")
    assert status(site, key) == "open"


def test_of_invitations_sent_at_once_no_more_wait_than_may(site: Site) -> None:
    key = site.run("offer", "Ina")
    guests = [f"Pal{letter}" for letter in "ABCDEFGHJKMNPQRSTUVWXYZ"]
    site.run("invite", key, "Ina", *guests[: MOST_INVITATIONS - 1])
    outcomes = site.race_of("Ina", *[("invite", key, "Ina", name) for name in guests[-3:]])
    assert outcomes.count("too-many-invitations") == 2
    sent = "SELECT count(*) FROM games_invitation WHERE game_id = (SELECT id FROM games_game WHERE key = %s)"
    assert site.rows(sent, key) == [(MOST_INVITATIONS,)]


def test_of_a_turn_a_resignation_and_the_clock_at_once_the_first_wins(site: Site, game: str) -> None:
    mover = site.mover(game)
    other = {"Ada": "Bo", "Bo": "Ada"}[mover]
    site.race(game, ("play", game, mover, "0", "R+"), ("resign", game, mover, "0"), ("resign", game, other, "0"))
    entries = site.entries(game)
    assert len(entries) == 1 or entries[0] == (1, "player")
    site.verify()


def test_a_turn_that_comes_before_the_clock_counts_and_leaves_the_clock_nothing(site: Site, game: str) -> None:
    mover = site.mover(game)
    with site.holding("SELECT 1 FROM games_game WHERE key = %s FOR UPDATE", game):
        turn = site.start("tests.games.site_process", "play", game, mover, "0", "R+")
        wait_until(lambda: site.waiting() == 1, what="the turn", seconds=PATIENCE)
        # Whoever holds the game is left alone by the sweep.
        assert site.run("expire", game, "1000000") == "None"
    assert turn.communicate(timeout=PATIENCE)[0].strip() == "1"
    assert site.entries(game) == [(1, "player")]
    site.verify()


@pytest.mark.parametrize("answers", [("yes", "yes"), ("no", "yes"), ("no", "no")])
def test_answers_at_once_settle_a_proposal_once(site: Site, answers: tuple[str, str]) -> None:
    key = site.run("create", "3")
    for name in ("Bo", "Cy"):
        site.run("join", key, name)
    site.run("propose", key, "Ada")
    site.race(key, *[("answer", key, name, word) for name, word in zip(("Bo", "Cy"), answers, strict=True)])
    closed = "SELECT outcome FROM games_proposal p JOIN games_game g ON g.id = p.game_id WHERE key = %s"
    assert site.rows(closed, key) == [("accepted" if answers == ("yes", "yes") else "refused",)]
    assert status(site, key) == ("cancelled" if answers == ("yes", "yes") else "active")
    site.verify()


@pytest.mark.parametrize("first", ["turn", "deletion"])
def test_a_turn_and_the_deletion_of_another_account_at_once_do_not_stop_each_other(site: Site, first: str) -> None:
    key = site.run("create", "3")
    for name in ("Fay", "Gus"):
        site.run("join", key, name)
    mover = site.mover(key)
    leaver = next(name for name in ("Fay", "Gus", "Ada") if name != mover)
    calls = [("play", key, mover, "0", "R+"), ("delete", key, leaver)]
    outcomes = in_turn(site, key, *(calls if first == "turn" else calls[::-1]))
    assert sorted(outcomes) == (["1", "None"] if first == "turn" else ["None", "stale"])
    assert leaver not in seated(site, key)
    assert site.rows("SELECT 1 FROM accounts_user WHERE display_name = %s", leaver) == []
    site.verify()


def test_two_people_of_one_game_can_delete_their_accounts_at_once(site: Site) -> None:
    key = site.run("create", "2")
    site.run("join", key, "Hal")
    assert site.race(key, ("delete", key, "Hal"), ("delete", key, "Ada")) == ["None", "None"]
    assert status(site, key) == "finished"
    site.verify()


# All tests share one site: whoever is blocked or suspended here plays in no other test.


@pytest.mark.parametrize(("joins_first", "host", "comer"), [(True, "Hanna", "Jo"), (False, "Hugo", "Jill")])
def test_who_is_blocked_while_they_join_sits_there_or_is_refused(
    site: Site, joins_first: bool, host: str, comer: str
) -> None:
    key = site.run("offer", host)
    site.run("offer", comer)
    calls = [("join", key, comer), ("block", host, comer)]
    outcomes = in_turn_of(site, comer, *(calls if joins_first else calls[::-1]))
    joined = outcomes[0 if joins_first else 1]
    assert joined == (key if joins_first else "no-seat-for-you")
    assert seated(site, key) == ([host, comer] if joins_first else [host])
    blocker = "(SELECT id FROM accounts_user WHERE display_name = %s)"
    blocks = f"SELECT count(*) FROM accounts_block WHERE blocker_id = {blocker}"
    assert site.rows(blocks, host) == [(1,)]


@pytest.mark.parametrize(("invites_first", "host", "other"), [(True, "Nora", "Una"), (False, "Nils", "Udo")])
def test_no_invitation_waits_between_people_of_whom_one_blocks_the_other(
    site: Site, invites_first: bool, host: str, other: str
) -> None:
    key = site.run("offer", host)
    site.run("offer", other)
    calls = [("invite", key, host, other), ("block", other, host)]
    in_turn_of(site, host, *(calls if invites_first else calls[::-1]))
    of_game = "(SELECT id FROM games_game WHERE key = %s)"
    waiting = f"SELECT declined_at IS NULL FROM games_invitation WHERE game_id = {of_game}"
    assert site.rows(waiting, key) == ([(False,)] if invites_first else [])


@pytest.mark.parametrize(("joins_first", "comer"), [(True, "Sue"), (False, "Sam")])
def test_who_is_suspended_while_they_join_waits_in_no_game(site: Site, joins_first: bool, comer: str) -> None:
    key = site.run("offer", "Olga")
    site.run("offer", comer)
    calls = [("join", key, comer), ("suspend", comer)]
    in_turn_of(site, comer, *(calls if joins_first else calls[::-1]))
    assert seated(site, key) == ["Olga"]


def in_turn_of(site: Site, name: str, *calls: tuple[str, ...]) -> list[str]:
    """Run commands that lock a person at once, let go in the given order."""
    with site.holding("SELECT 1 FROM accounts_user WHERE display_name = %s FOR UPDATE", name):
        processes = []
        for call in calls:
            processes.append(site.start("tests.games.site_process", *call))
            wait_until(lambda: site.waiting() == len(processes), what=f"{call}", seconds=PATIENCE)
    return [process.communicate(timeout=PATIENCE)[0].strip() for process in processes]
