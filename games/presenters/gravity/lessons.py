"""The lessons: one idea of the rules each, a goal on a small position, and what decides whether a turn reaches it."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext_lazy as _

from engine.gravity.events import EventKind
from games.presenters.gravity import lesson_positions as positions
from games.presenters.gravity.view import read_params, read_view
from games.presenters.lesson import Lesson
from games.queries.moves import Move

type Goal = Callable[[Move], bool]


def takes(*spaces: str) -> Goal:
    """Return the goal of taking the star on one of some spaces (``x,y``)."""

    def is_reached(move: Move) -> bool:
        return any(f"{x},{y}" in spaces for item, x, y in _collected(move) if item != "r")

    return is_reached


def takes_star_and_token(move: Move) -> bool:
    """Return whether a turn collects a star and a replay token."""
    items = {item for item, _x, _y in _collected(move)}
    return "r" in items and len(items) > 1


def steals(item: str) -> Goal:
    """Return the goal of stealing a star of one colour."""

    def is_reached(move: Move) -> bool:
        stolen = [read_params(event)["item"] for event in move.line.events if event.kind == EventKind.STOLE]
        return item in stolen

    return is_reached


def takes_cards_back(move: Move) -> bool:
    """Return whether the seat completes its hand, and holds its five cards after the turn."""
    return "C" in move.line.turn.split() and set("LHDRW") <= set(read_view(move.after)["hands"][move.line.seat - 1])


def leaves_door_as_it_was(move: Move) -> bool:
    """Return whether the door that was open before the turn is the open one after it."""
    return read_view(move.before)["open_door"] == read_view(move.after)["open_door"]


def wins(move: Move) -> bool:
    """Return whether the turn ends the game with the seat alone in the first place."""
    ranking = read_view(move.after).get("ranking", [])
    return [seat for seat, place in enumerate(ranking, 1) if place == 1] == [move.line.seat]


def _collected(move: Move) -> list[tuple[str, int, int]]:
    found = [read_params(event) for event in move.line.events if event.kind == EventKind.COLLECTED]
    return [(params["item"], params["x"], params["y"]) for params in found]


LESSONS: Final = (
    Lesson(
        name="down",
        title=_("Down is where your feet are"),
        words=(
            _("Your pawn falls toward its feet until a platform stops it."),
            _("Turn it on the spot, and down is somewhere else: it falls there at once."),
            _("Whatever it falls past is yours."),
        ),
        goal=_("Take the blue star on h5."),
        hint=_("Rotate a quarter turn counter-clockwise: your feet point to the right then, and you fall along row 5."),
        done=_("Your feet pointed to the right, so that is the way you fell."),
        record=positions.DOWN.record,
        answer="R-",
        targets=((7, 4),),
        is_reached=takes("7,4"),
    ),
    Lesson(
        name="simple-move",
        title=_("A simple move, and a fall"),
        words=(
            _("For a simple move you lay any card face down and go one space to the left or right."),
            _("Where no platform is below your feet, you fall."),
        ),
        goal=_("Take the yellow star on b2."),
        hint=_("Move one space to the right with any card: there is nothing below b1, so you fall past b2."),
        done=_("One step, and gravity did the rest. Nobody else knows which card you laid."),
        record=positions.SIMPLE_MOVE.record,
        answer="S>(H)",
        targets=((1, 1),),
        is_reached=takes("1,1"),
    ),
    Lesson(
        name="edges",
        title=_("The edges are joined"),
        words=(
            _("Whoever leaves the board on one side comes back in on the opposite side, in the same row or column."),
            _("That holds for every step and every fall."),
        ),
        goal=_("Take the pink star on i1, at the upper edge."),
        hint=_("Step to the right: you fall out of the board at the bottom of column i, and in again at its top."),
        done=_("You fell out at the bottom and in again at the top. The board has no end."),
        record=positions.EDGES.record,
        answer="S>(L)",
        targets=((8, 0),),
        is_reached=takes("8,0"),
    ),
    Lesson(
        name="jumps",
        title=_("Long jump and high jump"),
        words=(
            _("A long jump goes two spaces to the left or right, a high jump one space up and then one to the side."),
            _("No platform may be in the way; then you fall as always. The card lies face up: everybody sees it."),
        ),
        goal=_("Take the yellow star on g3 or the orange star on d5."),
        hint=_(
            "A long jump to the right ends above g3. A high jump to the left leads over to column d, and down to d5."
        ),
        done=_("A step would not have got you there: only the jump did."),
        record=positions.JUMPS.record,
        answer="L>",
        targets=((6, 2), (3, 4)),
        is_reached=takes("6,2", "3,4"),
    ),
    Lesson(
        name="drop-rotate",
        title=_("Drop and rotate"),
        words=(
            _("Drop takes you one space down, through the platform below your feet. That is always possible."),
            _("Rotate turns you by a quarter or a half, and you fall where your feet point then."),
        ),
        goal=_("Take the orange star on f4 or the white star on f1."),
        hint=_("f4 is right below your platform: drop. f1 is above your head, which is down after a half turn."),
        done=_("Through the floor or onto the ceiling: no platform holds you for long."),
        record=positions.DROP_ROTATE.record,
        answer="D",
        targets=((5, 3), (5, 0)),
        is_reached=takes("5,3", "5,0"),
    ),
    Lesson(
        name="wild",
        title=_("The wild card"),
        words=(
            _("Wild is whichever of the four special cards you need: long jump, high jump, drop or rotate."),
            _("Your own long jump lies in front of you here, so it can't be played."),
        ),
        goal=_("Take the pink star on h3."),
        hint=_(
            "Play Wild as a long jump to the right: you fall out at the bottom of column h and in again at its top."
        ),
        done=_("Wild was the long jump that you no longer had."),
        record=positions.WILD.record,
        answer="WL>",
        targets=((7, 2),),
        is_reached=takes("7,2"),
    ),
    Lesson(
        name="cards-back",
        title=_("Taking cards back"),
        words=(
            _("A card that you played lies in front of you. To take all of them back is a whole action."),
            _("They come back by themselves when your hand is empty, and when somebody throws you out."),
        ),
        goal=_("Have all five cards in your hand at the end of your turn."),
        hint=_(
            "Two cards are in your hand, three lie in front of you. Choose “Complete your hand”, beside your cards."
        ),
        done=_("It cost a turn, but you can do everything again."),
        record=positions.CARDS_BACK.record,
        answer="C",
        is_reached=takes_cards_back,
    ),
    Lesson(
        name="collecting",
        title=_("Stars and replay symbols"),
        words=(
            _("You take the star on every space that you enter."),
            _("Where a replay symbol lies bare, you take a replay token; a star on it is taken first."),
        ),
        goal=_("Take a star and a replay token in one turn."),
        hint=_("You stand on a bare replay symbol. Drop: you come in again at the top, and fall onto it from above."),
        done=_("A star on the way, and a token where you landed. Each of them is a point."),
        record=positions.COLLECTING.record,
        answer="D",
        is_reached=takes_star_and_token,
    ),
    Lesson(
        name="stealing",
        title=_("Throwing out and stealing"),
        words=(
            _("Enter a space on which a rival stands, and they are off the board."),
            _("Then you steal a star or a token of theirs. Two stars of one colour are a pair, worth one point more."),
        ),
        goal=_("Throw Nova out, and steal the star that makes a pair with yours."),
        hint=_(
            "Your feet point to the right. Drop: you leave over that edge and fall onto Nova. Yours is an orange star."
        ),
        done=_("A star more for you, one less for Nova, and a pair: that is two points for you."),
        record=positions.STEALING.record,
        answer="D x2o",
        is_reached=steals("o"),
    ),
    Lesson(
        name="open-door",
        title=_("The open door"),
        words=(
            _("A pawn that is off the board enters at the open door, with its feet as the door shows them."),
            _("When a pawn reaches the open door, the next door opens. You came in on d3, so h3 is open now."),
            _("Nova will enter where the door is open at the end of your turn."),
        ),
        goal=_("Make the door on d3 the open one again."),
        hint=_("Pass the open door on h3: rotate a quarter turn counter-clockwise, and you fall along row 3."),
        done=_("You came to h3, so the light went back to d3: that is where Nova will enter."),
        record=positions.OPEN_DOOR.record,
        answer="R-",
        targets=((3, 2),),
        is_reached=leaves_door_as_it_was,
    ),
    Lesson(
        name="replay",
        title=_("The replay token"),
        words=(
            _("Once a turn you may give a replay token back, and take a second action."),
            _("So the first one may just bring you to the right place."),
        ),
        goal=_("Take the green star on i2."),
        hint=_("Rotate a quarter turn counter-clockwise: you fall to h2. Spend your token, and drop by playing Wild."),
        done=_("Two actions in one turn. The token was worth a point, too: spend it where it brings more."),
        record=positions.REPLAY.record,
        answer="R- & WD",
        targets=((8, 1),),
        is_reached=takes("8,1"),
    ),
    Lesson(
        name="the-end",
        title=_("The end and the score"),
        words=(
            _("A game of two ends after the round in which four stars or fewer are left. Your turn ends this round."),
            _("Each star and each token is a point, and each pair of stars of one colour is one more."),
        ),
        goal=_("End the game as its winner: Nova has 12 points, you have 10."),
        hint=_(
            "Your feet point to the left, so your left is up. A long jump to the left leads past a blue star: a pair."
        ),
        done=_("The star, the pair and a token made three points: 13 to 12."),
        record=positions.THE_END.record,
        answer="L<",
        is_reached=wins,
    ),
    Lesson(
        name="goodies",
        title=_("Goodie cards"),
        words=(
            _("If the table agrees on goodies, they are dealt at random, and everybody sees who holds which."),
            _("Double jump: two simple moves in one action. Teleport: to the open door."),
            _("Turn a tile: it turns with everything on it."),
            _("Whoever plays one gives it to the next player on their left."),
        ),
        goal=_("Take the green star on c3."),
        hint=_("Play Double jump, to the right both times: you come in at the top of column b, and step off there."),
        done=_("Two moves, two falls, and now the card is Nova's."),
        record=positions.GOODIES.record,
        answer="J>>",
        targets=((2, 2),),
        is_reached=takes("2,2"),
    ),
)
