"""Every change of a game: one verb a file, each one durable transaction that locks the game's row first.

So are the changes of what people chose about notices, which lock no game.

A command takes ``now`` and raises `games.errors.GameError` or `engine.errors.RulesError` with nothing changed.
"""

from games.commands._nudge import (
    JUDGE_ANSWERS,
    MAKE_REVIEWS,
    PLAY_BOT_TURN,
    PLAY_PLANS,
    SETTLE_GAMES,
    nudge_bot,
    nudge_judging,
    nudge_reviews,
)
from games.commands.add_bot import add_bot
from games.commands.add_plan import add_plan, withdraw_plan, withdraw_plans
from games.commands.add_puzzle import add_puzzle, add_starters
from games.commands.advise import ADVISE, ask_advice, keep_advice
from games.commands.answer_proposal import answer_proposal
from games.commands.answer_puzzle import (
    answer_puzzle,
    claim_turn,
    is_turn_given_up,
    judge_turn,
    put_off_turn,
    settle_answers,
    show_answer,
)
from games.commands.begin_sweep import begin_sweep, end_sweep, hold_sweep
from games.commands.block import block, unblock
from games.commands.cancel_game import cancel_game
from games.commands.choose_notices import choose_channel, choose_notices, resubscribe, unsubscribe
from games.commands.close_call import call_lost, call_missed, call_taken
from games.commands.close_notices import close_refused, close_sent, doubt_refusals, postpone, reopen
from games.commands.continue_series import continue_series
from games.commands.create_game import create_game
from games.commands.credit_outage import close_outage, credit_game, credit_games, prune_charges
from games.commands.delete_account import delete_account
from games.commands.end_seats import end_seats
from games.commands.expire_guests import expire_guests
from games.commands.expire_open_game import expire_open_game, keep_open
from games.commands.expire_turn import expire_turn
from games.commands.friends import add_friend, drop_friend
from games.commands.give_time import give_time
from games.commands.heartbeat import beat, beat_clocks, beat_web
from games.commands.invite import decline, invite
from games.commands.invite_address import allow_invitations, invite_address, refuse_invitations
from games.commands.join_game import join_game
from games.commands.leave_game import leave_game
from games.commands.mark_outage import mark_outage, start_clocks, stop_clocks, unmark_outage
from games.commands.mute_game import mute_game, unmute_game
from games.commands.mute_talk import mute_talk, unmute_talk
from games.commands.note_presence import note_presence
from games.commands.note_seen import note_seen, read_messages
from games.commands.outlets import add_device, add_hook, drop_outlet, switch_on
from games.commands.pause_game import pause_game, resume_game
from games.commands.pick_daily import pick_daily
from games.commands.play_bot_turn import play_bot_turn
from games.commands.play_now import play_now
from games.commands.play_plan import give_up_plans, play_plan
from games.commands.play_turn import play_turn
from games.commands.propose import propose_cancel, propose_time_control
from games.commands.prune_notices import prune_notices
from games.commands.prune_traces import prune_traces
from games.commands.react import react
from games.commands.rebuild_ratings import check_ratings, rebuild_ratings, unlist_idle
from games.commands.refuse_address import refuse_address
from games.commands.rematch import rematch
from games.commands.remove_player import remove_player
from games.commands.report import close_report, report_message, report_person, report_spectator, take_report
from games.commands.resign import resign
from games.commands.restrict import lift, silence, suspend, take_game_name, take_name, warn_person
from games.commands.retire_seat import retire_seat
from games.commands.review_game import ask_for_review, claim_review, postpone_review, review_again, review_entry
from games.commands.search_puzzles import (
    PER_GAME,
    PLAYOUTS,
    SEARCH,
    SEARCH_LEASE,
    search_anew,
    search_games,
    search_self_play,
    top_up_puzzles,
)
from games.commands.send_test_notice import send_test_notice
from games.commands.set_back import forget_setback, set_back
from games.commands.set_holidays import add_holiday, drop_holiday, follow_zone
from games.commands.settle_game import settle_game
from games.commands.start_clock import start_clock
from games.commands.tally_game import forget_results, tally_game
from games.commands.warn import warn
from games.commands.write_message import write_message
from games.commands.write_note import write_note
from games.commands.write_to_spectators import write_to_spectators

__all__ = (
    "ADVISE",
    "JUDGE_ANSWERS",
    "MAKE_REVIEWS",
    "PER_GAME",
    "PLAYOUTS",
    "PLAY_BOT_TURN",
    "PLAY_PLANS",
    "SEARCH",
    "SEARCH_LEASE",
    "SETTLE_GAMES",
    "add_bot",
    "add_device",
    "add_friend",
    "add_holiday",
    "add_hook",
    "add_plan",
    "add_puzzle",
    "add_starters",
    "allow_invitations",
    "answer_proposal",
    "answer_puzzle",
    "ask_advice",
    "ask_for_review",
    "beat",
    "beat_clocks",
    "beat_web",
    "begin_sweep",
    "block",
    "call_lost",
    "call_missed",
    "call_taken",
    "cancel_game",
    "check_ratings",
    "choose_channel",
    "choose_notices",
    "claim_review",
    "claim_turn",
    "close_outage",
    "close_refused",
    "close_report",
    "close_sent",
    "continue_series",
    "create_game",
    "credit_game",
    "credit_games",
    "decline",
    "delete_account",
    "doubt_refusals",
    "drop_friend",
    "drop_holiday",
    "drop_outlet",
    "end_seats",
    "end_sweep",
    "expire_guests",
    "expire_open_game",
    "expire_turn",
    "follow_zone",
    "forget_results",
    "forget_setback",
    "give_time",
    "give_up_plans",
    "hold_sweep",
    "invite",
    "invite_address",
    "is_turn_given_up",
    "join_game",
    "judge_turn",
    "keep_advice",
    "keep_open",
    "leave_game",
    "lift",
    "mark_outage",
    "mute_game",
    "mute_talk",
    "note_presence",
    "note_seen",
    "nudge_bot",
    "nudge_judging",
    "nudge_reviews",
    "pause_game",
    "pick_daily",
    "play_bot_turn",
    "play_now",
    "play_plan",
    "play_turn",
    "postpone",
    "postpone_review",
    "propose_cancel",
    "propose_time_control",
    "prune_charges",
    "prune_notices",
    "prune_traces",
    "put_off_turn",
    "react",
    "read_messages",
    "rebuild_ratings",
    "refuse_address",
    "refuse_invitations",
    "rematch",
    "remove_player",
    "reopen",
    "report_message",
    "report_person",
    "report_spectator",
    "resign",
    "resubscribe",
    "resume_game",
    "retire_seat",
    "review_again",
    "review_entry",
    "search_anew",
    "search_games",
    "search_self_play",
    "send_test_notice",
    "set_back",
    "settle_answers",
    "settle_game",
    "show_answer",
    "silence",
    "start_clock",
    "start_clocks",
    "stop_clocks",
    "suspend",
    "switch_on",
    "take_game_name",
    "take_name",
    "take_report",
    "tally_game",
    "top_up_puzzles",
    "unblock",
    "unlist_idle",
    "unmark_outage",
    "unmute_game",
    "unmute_talk",
    "unsubscribe",
    "warn",
    "warn_person",
    "withdraw_plan",
    "withdraw_plans",
    "write_message",
    "write_note",
    "write_to_spectators",
)
