"""Records played through, without a game and without the database."""

from http import HTTPStatus
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from engine.contract import Applied
from engine.errors import RecordError, RulesError
from games.api.answered import SandboxAnswer
from games.api.answers import legal_instead
from games.api.asked import SandboxBody
from games.api.base import READ, ApiView, Parser, SandboxThrottle
from games.api.described import described
from games.api.documents import bare_position, event_documents
from games.api.problems import ApiCode, record_problem, refusal_problem
from games.presenters.registry import PRESENTERS
from games.queries.sandbox import TooLongError, play_record

LONGEST_RECORD: Final = 150_000
"""Bytes that a record can have."""


class RecordParser(Parser):
    """Reads a record."""

    longest: ClassVar[int] = LONGEST_RECORD


class SandboxView(ApiView):
    """A record that somebody brings."""

    parser_classes = (RecordParser,)
    scopes = {"POST": READ}
    throttles = {"POST": SandboxThrottle}

    @described(
        "play_record",
        "Play a record through",
        group="sandbox",
        asks=SandboxBody,
        answer=SandboxAnswer,
        problems=[HTTPStatus.UNPROCESSABLE_ENTITY],
        example={"record": {"format": "gravity-superstar/1", "players": ["Ada", "Bo"], "log": []}, "steps": ["H<"]},
    )
    def post(self, request: Request) -> Response:
        """Return each position of a record with what led to it, and what is legal after some steps that follow.

        Nothing is stored, and everything is open. A record whose log is cut short is one too, so that any position of
        a game can be tried out. `bad-record` says which entry and step can't be played.
        """
        asked = SandboxBody(data=request.data)
        asked.is_valid(raise_exception=True)
        steps = asked.validated_data["steps"]
        try:
            played = play_record(asked.validated_data["record"])
        except RecordError as error:
            return record_problem(ApiCode.BAD_RECORD, str(error))
        except TooLongError:
            return record_problem(ApiCode.RECORD_TOO_LONG)
        rules = played.rules
        try:
            legal = rules.legal_steps(played.state, steps)
            # A game that is over has nothing to be played.
            reached = rules.play_steps(played.state, steps) if steps else Applied(played.state, ())
        except RulesError as error:
            words = PRESENTERS[played.ruleset].refuse(error, played.names)
            return refusal_problem(error, words, legal=legal_instead(rules, played.state, error, steps))
        preview = {
            "position": bare_position(rules.view(reached.state, None, ended=True), rules.drawing),
            "events": event_documents(reached.events),
        }
        return Response(
            {
                "positions": [bare_position(each.view, rules.drawing) for each in played.played],
                "events": [event_documents(each.events) for each in played.played],
                "steps": steps,
                "legal": list(legal),
                "preview": preview,
            }
        )
