"""Plays Gravity Superstar through the site's API, looking one step ahead. docs/bots-by-api.md tells the rest.

pip install requests && GRAVITY_SITE=http://localhost:8000 GRAVITY_TOKEN=gst_… python bot.py --new nova:1
"""

import argparse
import logging
import os
import random
import sys
import time
import uuid
from contextlib import suppress
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

API = os.environ.get("GRAVITY_SITE", "http://localhost:8000").rstrip("/") + "/api/v1"
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ.get('GRAVITY_TOKEN', '')}"
# While the site is away or busy, the same request is sent again: when Retry-After says, else ever less often.
AGAIN = Retry(total=None, allowed_methods=None, status_forcelist=[429, *range(500, 600)], backoff_factor=0.5)
SESSION.mount(API, HTTPAdapter(max_retries=AGAIN))


def ask(path: str, body: Any = None, key: str = "") -> Any:
    """Return the site's answer, to a POST where there is a body. Raises `requests.HTTPError` where it refuses."""
    method, headers = "GET" if body is None else "POST", {"Idempotency-Key": key} if key else {}
    answer = SESSION.request(method, API + path, json=body, headers=headers, timeout=30)
    if answer.status_code == 401:
        sys.exit(answer.text)  # without a valid token there is nothing to do
    if not answer.ok:
        print(answer.text, flush=True)
    answer.raise_for_status()
    return answer.json()


def choose_turn(game: Any, looks: int) -> str:
    """Build a turn step by step: see where some of the legal steps lead, and take the one with the best points."""
    steps: list[str] = []

    def look(*more: str) -> Any:
        tried = [step for step in (*steps, *more) if step != "."]  # "." ends the turn, and is not written
        return ask(f"/games/{game['key']}/legal/", {"seq": game["seq"], "steps": tried})

    def worth(step: str) -> tuple[int, float]:
        points = look(step)["preview"]["position"]["points"]
        mine = points.pop(game["viewer"] - 1)  # seats are numbered from 1
        return mine - max(points), random.random()  # chance decides between equals

    while "." not in steps:
        legal = look()["legal"]
        steps.append(max(random.sample(legal, min(looks, len(legal))), key=worth))
    return " ".join(steps[:-1])


def play_waiting(looks: int) -> None:
    """Play a turn in each game that waits for one. What is refused is looked at anew the next time."""
    for game in ask("/me/waiting/")["games"]:
        with suppress(requests.RequestException):
            turn = choose_turn(game, looks)
            once = f"{game['key']}-{game['seq']}"  # however often it is sent, the turn is played once
            ask(f"/games/{game['key']}/turns/", {"seq": game["seq"], "turn": turn}, once)
            print(f"{game['key']}: {turn}", flush=True)


def join_games(most: int, tried: set[str]) -> None:
    """Take seats in games to which we are invited, and in open ones, up to so many games at once."""
    mine = ask("/me/")["games"]
    free = max(0, most - mine["to_move"] - mine["waiting"] - mine["open"])
    found = [game["key"] for which in ("invited", "takes_bots") for game in ask(f"/games/?{which}=true")["games"]]
    for key in [key for key in found if key not in tried][:free]:
        tried.add(key)
        with suppress(requests.HTTPError):  # somebody was faster, or the game does not take us
            ask(f"/games/{key}/join/", {})


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--new", metavar="BOT", help="start a game against this computer player unless one is running")
    options.add_argument("--join", metavar="GAMES", type=int, default=0, help="join games, up to so many at once")
    options.add_argument("--looks", type=int, default=8, help="at how many next steps to look (8)")
    options.add_argument("--every", type=float, default=10, help="seconds from one look for turns to the next (10)")
    asked, tried = options.parse_args(), set[str]()
    logging.basicConfig(format="%(message)s")  # says when a request is sent again
    with suppress(KeyboardInterrupt):
        print("Playing as", ask("/me/")["name"], flush=True)
        running = ask("/games/?status=active&mine=true")["games"]
        if asked.new and not any(seat["bot"] == asked.new for game in running for seat in game["seats"]):
            ask("/games/", {"size": 2, "bots": [asked.new]}, str(uuid.uuid4()))
        while True:
            with suppress(requests.RequestException):  # half an answer, or a refusal, which was printed
                if asked.join:
                    join_games(asked.join, tried)
                play_waiting(asked.looks)
            time.sleep(asked.every)
    print("Stopped.")
