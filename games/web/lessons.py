"""The lessons that the site's games teach: which there are, where each begins, its board."""

from dataclasses import dataclass
from functools import cache

from django.urls import reverse

from engine.rulesets import RULESETS
from games.presenters.lesson import Lesson
from games.presenters.registry import PRESENTERS, new_games
from games.queries.practice import Practice, Start, new_seats, practise
from games.web.addresses import addresses_named
from games.web.practice import Board


@dataclass(frozen=True, slots=True)
class Taught:
    """A lesson and its place among all, from 1."""

    ruleset: str
    lesson: Lesson
    number: int

    @property
    def address(self) -> str:
        """Where its page is."""
        return reverse("lesson", args=[self.lesson.name])


def all_lessons() -> dict[str, Taught]:
    """Return the lessons of all games that are offered, the site's own game first, by name and in order."""
    taught = [(ruleset, lesson) for ruleset, presenter in new_games().values() for lesson in presenter.lessons]
    return {lesson.name: Taught(ruleset, lesson, number) for number, (ruleset, lesson) in enumerate(taught, 1)}


@cache
def start_of(ruleset: str, name: str) -> Start:
    """Return where a lesson begins: its seat to move is the learner's."""
    lesson = next(lesson for lesson in PRESENTERS[ruleset].lessons if lesson.name == name)
    rules = RULESETS[ruleset]
    record = lesson.record()
    state = rules.read_setup(record)
    log, players, options = record["log"], record["players"], record["options"]
    assert isinstance(log, list)  # every record has these
    assert isinstance(players, list)
    assert isinstance(options, dict)
    for turn in log:
        state = rules.apply_turn(state, str(turn["turn"])).state
    names = tuple(map(str, players))
    return Start(
        ruleset=ruleset,
        options=options,
        state=state,
        names=names,
        seats=new_seats(names),
        learner=rules.summary(state).seat,
    )


def first_position(taught: Taught) -> Practice:
    """Return the position in which a lesson begins."""
    return practise(start_of(taught.ruleset, taught.lesson.name))


def board_of(taught: Taught, completed: frozenset[str]) -> Board:
    """Return the board of a lesson, on which one turn is played, for who has completed some lessons."""
    lessons = list(all_lessons().values())
    name = taught.lesson.name
    return Board(
        start=start_of(taught.ruleset, name),
        page=taught.address,
        addresses=addresses_named("lesson", name),
        title=str(taught.lesson.title),
        head="games/_lesson_head.html",
        foot="games/_lesson_foot.html",
        most_turns=1,
        context={
            "lesson": taught.lesson,
            "targets": taught.lesson.targets,
            "number": taught.number,
            "count": len(lessons),
            "completed": name in completed,
            "next_lesson": lessons[taught.number] if taught.number < len(lessons) else None,
        },
    )
