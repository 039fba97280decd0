"""Everything that is read of games, each with a number of database queries that does not grow with the game."""

from games.queries.consent import ConsentPage, consent_page
from games.queries.friends import FriendRow, friends_of, friends_to_invite, people_to_invite, with_games
from games.queries.game_page import GamePage, PageExtras, game_page, game_version, page_extras, page_of
from games.queries.holidays import Holidays, holidays_of
from games.queries.invitations import Invitations, blocked_in, invitations_to
from games.queries.lists import (
    Moment,
    MyList,
    count_games_to_move,
    count_my_games,
    ended_games,
    game_to_show,
    games_awaiting_bots,
    games_to_move,
    my_games,
    next_to_move,
)
from games.queries.log import LogLine, log_page, record_for, remarks_among
from games.queries.messages import (
    MessageLine,
    MessagesPage,
    game_messages,
    messages_for,
    messages_page,
    reacted,
    talk_mutes,
)
from games.queries.notes import note_on
from games.queries.open_games import Lobby, Pace, Place, Wanted, game_waited_in, games_for, lobby
from games.queries.past import Outcome, Sought, finished_games
from games.queries.people import Person, Record, Totals, career_of, person_for, player_number, rivalry_of, rivals_of
from games.queries.reactions import Reactable, Tallies, Tally, reactions_to, thing_to_react_to
from games.queries.reports import message_to_report, people_to_report, person_to_report
from games.queries.spectators import Room, RoomLine, spectator_message_to_report, spectators_room
from games.queries.watch import Watched, games_to_watch

__all__ = (
    "ConsentPage",
    "FriendRow",
    "GamePage",
    "Holidays",
    "Invitations",
    "Lobby",
    "LogLine",
    "MessageLine",
    "MessagesPage",
    "Moment",
    "MyList",
    "Outcome",
    "Pace",
    "PageExtras",
    "Person",
    "Place",
    "Reactable",
    "Record",
    "Room",
    "RoomLine",
    "Sought",
    "Tallies",
    "Tally",
    "Totals",
    "Wanted",
    "Watched",
    "blocked_in",
    "career_of",
    "consent_page",
    "count_games_to_move",
    "count_my_games",
    "ended_games",
    "finished_games",
    "friends_of",
    "friends_to_invite",
    "game_messages",
    "game_page",
    "game_to_show",
    "game_version",
    "game_waited_in",
    "games_awaiting_bots",
    "games_for",
    "games_to_move",
    "games_to_watch",
    "holidays_of",
    "invitations_to",
    "lobby",
    "log_page",
    "message_to_report",
    "messages_for",
    "messages_page",
    "my_games",
    "next_to_move",
    "note_on",
    "page_extras",
    "page_of",
    "people_to_invite",
    "people_to_report",
    "person_for",
    "person_to_report",
    "player_number",
    "reacted",
    "reactions_to",
    "record_for",
    "remarks_among",
    "rivalry_of",
    "rivals_of",
    "spectator_message_to_report",
    "spectators_room",
    "talk_mutes",
    "thing_to_react_to",
    "with_games",
)
