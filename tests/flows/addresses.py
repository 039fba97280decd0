"""Every address of the site, with what may be posted there and who may do it: read by the tests that walk them all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

ROLES: Final = ("guest", "stranger", "rival", "player", "staff")
"""The player created both games and is to move in the running one; the rival has a seat in both; the staff in none."""
TABLE: Final = """
    profile                                GET   -        302 200 200 200 200
    profile                                POST  -        302 200 200 200 200
    display                                GET   -        302 200 200 200 200
    display                                POST  -        302 422 422 422 422
    keep_games                             GET   -        302 302 302 302 302
    keep_games                             POST  -        302 302 302 302 302
    set_zone                               POST  -        302 302 302 302 302
    your_data                              GET   -        302 200 200 200 200
    make_archive                           POST  -        302 302 302 302 302
    download_archive                       GET   -        302 404 404 404 404
    end_hints                              POST  -        302 302 302 302 302
    blocked_people                         GET   -        302 200 200 200 200
    account_login                          GET   -        200 302 302 302 302
    account_login                          POST  -        200 302 302 302 302
    account_logout                         GET   -        302 200 200 200 200
    account_logout                         POST  -        302 302 302 302 302
    account_inactive                       GET   -        200 200 200 200 200
    account_signup                         GET   -        200 302 302 302 302
    account_signup                         POST  -        200 302 302 302 302
    account_reauthenticate                 GET   -        302 200 200 200 200
    account_reauthenticate                 POST  -        302 200 200 200 200
    account_request_reauthentication_code  GET   -        302 302 302 302 302
    account_request_reauthentication_code  POST  -        302 302 302 302 302
    account_confirm_reauthentication_code  GET   -        302 302 302 302 302
    account_confirm_reauthentication_code  POST  -        302 302 302 302 302
    account_request_login_code             GET   -        200 302 302 302 302
    account_request_login_code             POST  -        302 302 302 302 302
    account_confirm_by_code                POST  -        302 302 302 302 302
    account_send_again                     POST  -        302 302 302 302 302
    account_answer_change                  GET   change   200 200 200 200 200
    account_answer_change                  POST  change   404 404 404 404 404
    account_email                          GET   -        302 200 200 200 200
    account_email                          POST  -        302 302 302 302 302
    account_email_verification_sent        GET   -        200 200 200 200 200
    account_email_verification_sent        POST  -        200 200 200 200 200
    account_change_password                GET   -        302 200 200 200 200
    account_change_password                POST  -        302 200 200 200 200
    account_set_password                   GET   -        302 302 302 302 302
    account_set_password                   POST  -        302 302 302 302 302
    mfa_index                              GET   -        302 200 200 200 200
    mfa_authenticate                       GET   -        302 302 302 302 302
    mfa_authenticate                       POST  -        302 302 302 302 302
    mfa_reauthenticate                     GET   -        302 302 302 302 302
    mfa_reauthenticate                     POST  -        302 302 302 302 302
    mfa_activate_totp                      GET   -        302 302 302 302 302
    mfa_activate_totp                      POST  -        302 302 302 302 302
    mfa_deactivate_totp                    GET   -        302 404 404 404 404
    mfa_deactivate_totp                    POST  -        302 404 404 404 404
    mfa_view_recovery_codes                GET   -        302 404 404 404 404
    mfa_generate_recovery_codes            GET   -        302 302 302 302 302
    mfa_generate_recovery_codes            POST  -        302 302 302 302 302
    mfa_download_recovery_codes            GET   -        302 404 404 404 404
    mfa_login_webauthn                     GET   -        302 302 302 302 302
    mfa_login_webauthn                     POST  -        302 302 302 302 302
    mfa_reauthenticate_webauthn            GET   -        302 302 302 302 302
    mfa_reauthenticate_webauthn            POST  -        302 302 302 302 302
    mfa_add_webauthn                       GET   -        302 302 302 302 302
    mfa_add_webauthn                       POST  -        302 302 302 302 302
    mfa_edit_webauthn                      GET   passkey  302 302 302 302 302
    mfa_edit_webauthn                      POST  passkey  302 302 302 302 302
    mfa_remove_webauthn                    GET   passkey  302 302 302 302 302
    mfa_remove_webauthn                    POST  passkey  302 302 302 302 302
    usersessions_list                      GET   -        302 200 200 200 200
    end_other_sessions                     POST  -        302 302 302 302 302
    end_session                            POST  session  302 302 302 302 302
    access_tokens                          GET   -        302 200 200 200 200
    access_tokens                          POST  -        302 302 302 302 302
    revoke_token                           GET   token    302 404 404 200 404
    revoke_token                           POST  token    302 404 404 302 404
    bots                                   GET   -        302 200 200 200 200
    bots                                   POST  -        302 302 302 302 302
    delete_bot                             GET   bot      302 404 404 200 404
    delete_bot                             POST  bot      302 404 404 302 404
    account_reset_password                 GET   -        200 200 200 200 200
    account_reset_password                 POST  -        200 200 200 200 200
    account_confirm_login_code             GET   -        302 302 302 302 302
    account_confirm_login_code             POST  -        302 302 302 302 302
    account_confirm_email                  GET   mail     200 200 200 200 200
    account_confirm_email                  POST  mail     404 404 404 404 404
    account_reset_password_from_key        GET   reset    200 200 200 200 200
    account_reset_password_from_key        POST  reset    200 200 200 200 200
    account_reset_password_from_key_done   GET   -        200 200 200 200 200
    account_reset_password_done            GET   -        200 200 200 200 200
    set_language                           POST  -        302 302 302 302 302
    set_theme                              POST  -        302 302 302 302 302
    home                                   GET   -        200 200 200 200 200
    rules                                  GET   -        200 200 200 200 200
    reference                              GET   -        200 200 200 200 200
    notation                               GET   -        200 200 200 200 200
    game_rules                             GET   family   301 301 301 301 301
    game_notation                          GET   family   301 301 301 301 301
    learn                                  GET   -        200 200 200 200 200
    lesson                                 GET   lesson   200 200 200 200 200
    lesson_picture                         GET   lesson   200 200 200 200 200
    lesson_preview                         POST  lesson   200 200 200 200 200
    lesson_choices                         POST  lesson   200 200 200 200 200
    lesson_turn                            POST  lesson   200 200 200 200 200
    lesson_moves                           POST  lesson   200 200 200 200 200
    puzzles                                GET   -        200 200 200 200 200
    todays_puzzle                          GET   -        302 302 302 302 302
    daily_puzzles                          GET   -        200 200 200 200 200
    next_puzzle                            GET   -        302 302 302 302 302
    puzzle                                 GET   puzzle   200 200 200 200 200
    puzzle_picture                         GET   puzzle   200 200 200 200 200
    puzzle_preview                         POST  puzzle   200 200 200 200 200
    puzzle_choices                         POST  puzzle   200 200 200 200 200
    puzzle_turn                            POST  puzzle   200 200 200 200 200
    puzzle_judged                          GET   judged   200 404 404 200 404
    puzzle_moves                           POST  puzzle   200 200 200 200 200
    puzzle_answer                          POST  puzzle   200 302 302 302 302
    about                                  GET   -        200 200 200 200 200
    api                                    GET   -        200 200 200 200 200
    player                                 GET   person   200 200 200 200 200
    player_named                           GET   name     302 302 302 302 302
    block                                  POST  person   302 302 302 302 302
    unblock                                POST  person   302 302 302 302 302
    report_player                          GET   person   302 200 200 404 200
    report_player                          POST  person   302 302 302 404 302
    lobby                                  GET   -        200 200 200 200 200
    leaderboards                           GET   -        200 200 200 200 200
    waiting_games                          GET   -        200 200 200 200 200
    play_now                               POST  -        302 302 302 302 302
    friends                                GET   -        302 200 200 200 200
    add_friend                             POST  -        302 422 302 302 302
    drop_friend                            POST  person   302 302 302 302 302
    my_games                               GET   -        302 200 200 200 200
    past_games                             GET   -        200 200 200 200 200
    finished_feed                          GET   -        200 200 200 200 200
    moves_feed                             GET   running  200 200 200 200 200
    moves_feed                             GET   open     404 404 404 404 404
    calendar                               GET   -        302 200 200 200 200
    calendar                               POST  -        302 200 200 200 200
    close_calendar                         POST  -        302 302 302 302 302
    calendar_feed                          GET   secret   200 200 200 200 200
    offline                                GET   -        200 200 200 200 200
    service_worker                         GET   -        200 200 200 200 200
    watch                                  GET   -        200 200 200 200 200
    find_game                              POST  -        302 302 302 302 302
    create_game                            GET   -        302 200 200 200 200
    create_game                            POST  -        302 422 422 422 422
    create_preview                         POST  -        302 200 200 200 200
    live_game                              GET   running  404 404 404 404 404
    live_me                                GET   -        404 404 404 404 404
    game                                   GET   running  200 200 200 200 200
    game                                   GET   open     302 302 302 302 302
    game_board                             GET   running  200 200 200 200 200
    game_board                             GET   open     302 302 302 302 302
    board_svg                              GET   running  200 200 200 200 200
    board_svg                              GET   open     200 200 200 200 200
    board_png                              GET   running  200 200 200 200 200
    board_png                              GET   open     200 200 200 200 200
    game_chart                             GET   running  200 200 200 200 200
    game_chart                             GET   open     302 302 302 302 302
    game_moves                             GET   running  404 404 404 404 404
    game_moves                             GET   open     404 404 404 404 404
    game_preview                           POST  running  302 403 403 200 403
    game_preview                           POST  open     302 403 409 409 403
    game_choices                           POST  running  403 403 403 200 403
    game_choices                           POST  open     403 403 409 409 403
    advice                                 GET   running  302 302 302 302 302
    advice                                 GET   open     302 302 302 302 302
    ask_advice                             POST  running  302 403 403 403 403
    ask_advice                             POST  open     302 403 409 409 403
    game_view                              POST  running  403 403 302 302 403
    game_view                              POST  open     302 302 302 302 302
    game_turn                              POST  running  302 403 403 302 403
    game_turn                              POST  open     302 403 409 409 403
    try_out                                GET   running  200 200 200 200 200
    try_out                                GET   open     302 302 302 302 302
    try_preview                            POST  running  200 200 200 200 200
    try_preview                            POST  open     302 302 302 302 302
    try_choices                            POST  running  200 200 200 200 200
    try_choices                            POST  open     302 302 302 302 302
    try_turn                               POST  running  200 200 200 200 200
    try_turn                               POST  open     302 302 302 302 302
    try_moves                              POST  running  200 200 200 200 200
    try_moves                              POST  open     302 302 302 302 302
    plan                                   GET   running  302 302 200 302 302
    plan                                   GET   open     302 302 302 302 302
    plan_preview                           POST  running  302 403 200 409 403
    plan_preview                           POST  open     302 302 302 302 302
    plan_choices                           POST  running  403 403 200 409 403
    plan_choices                           POST  open     403 403 409 409 403
    plan_turn                              POST  running  302 403 200 409 403
    plan_turn                              POST  open     302 302 302 302 302
    plan_add                               POST  running  302 403 302 409 403
    plan_add                               POST  open     302 403 409 409 403
    plan_withdraw                          POST  running  302 403 302 302 403
    plan_withdraw                          POST  open     302 403 409 409 403
    game_resign                            POST  running  302 403 302 302 403
    game_resign                            POST  open     302 403 409 409 403
    review                                 GET   running  200 200 200 200 200
    review                                 GET   open     302 302 302 302 302
    ask_for_review                         POST  running  302 409 409 409 409
    ask_for_review                         POST  open     302 302 302 302 302
    review_moves                           GET   entry    404 404 404 404 404
    game_record                            GET   running  200 200 200 200 200
    game_record                            GET   open     404 404 404 404 404
    game_reference                         GET   running  200 200 200 200 200
    game_reference                         GET   open     200 200 200 200 200
    messages                               GET   running  302 403 200 200 403
    messages                               GET   open     302 403 302 302 403
    write_message                          POST  running  302 403 303 303 403
    report_message                         GET   message  302 404 404 200 404
    report_message                         POST  message  302 404 404 302 404
    read_messages                          POST  running  302 403 303 303 403
    read_messages                          POST  open     302 403 403 403 403
    mute_talk                              POST  running  302 404 302 302 404
    mute_talk                              POST  open     302 404 404 404 404
    unmute_talk                            POST  running  302 302 302 302 302
    react_to_message                       GET   message  302 404 404 200 404
    react_to_message                       POST  message  302 404 404 303 404
    react_to_move                          GET   entry    302 404 404 404 404
    react_to_move                          POST  entry    302 404 404 404 404
    spectators                             GET   running  302 200 403 403 200
    spectators                             GET   open     302 302 302 302 302
    write_to_spectators                    POST  running  302 303 403 403 303
    write_to_spectators                    POST  open     302 302 302 302 302
    react_to_spectator                     GET   heard    302 200 404 404 404
    react_to_spectator                     POST  heard    302 303 404 404 404
    report_spectator                       GET   heard    302 200 404 404 404
    report_spectator                       POST  heard    302 302 404 404 404
    report_in_game                         GET   running  302 200 200 200 200
    report_in_game                         POST  running  302 302 302 422 302
    report_in_game                         GET   open     302 200 200 200 200
    report_in_game                         POST  open     302 302 302 422 302
    game_note                              GET   running  302 404 200 200 404
    game_note                              POST  running  302 404 302 302 404
    write_message                          POST  open     302 403 409 409 403
    game_time_control                      GET   running  200 200 200 200 200
    game_time_control                      GET   open     302 302 302 302 302
    propose_cancel                         POST  running  302 403 302 302 403
    propose_time_control                   POST  running  302 403 302 302 403
    agree                                  POST  running  302 403 409 409 403
    refuse                                 POST  running  302 403 409 409 403
    invitation                             GET   open     200 200 200 200 200
    invitation                             GET   running  302 302 302 302 302
    invite                                 POST  open     302 403 302 302 403
    invite                                 POST  running  302 403 409 409 403
    decline                                POST  open     302 409 409 409 409
    decline                                POST  running  302 409 409 409 409
    join_game                              POST  open     302 302 302 302 302
    join_game                              POST  running  302 409 302 302 409
    join_as_guest                          POST  open     302 302 302 302 302
    join_as_guest                          POST  running  302 409 302 302 409
    leave_game                             POST  open     302 409 302 409 409
    leave_game                             POST  running  302 409 409 409 409
    cancel_game                            POST  open     302 403 403 302 403
    cancel_game                            POST  running  302 403 403 409 403
    add_bot                                POST  open     302 403 403 302 403
    add_bot                                POST  running  302 403 403 409 403
    remove_player                          POST  open     302 403 403 302 403
    remove_player                          POST  running  302 403 403 409 403
    keep_open                              POST  open     302 403 403 302 403
    keep_open                              POST  running  302 403 403 409 403
    game_rematch                           POST  running  302 403 409 409 403
    game_rematch                           POST  open     302 403 409 409 403
    game_mute                              POST  running  302 404 302 302 404
    game_unmute                            POST  running  302 404 302 302 404
    notices                                GET   -        302 200 200 200 200
    notices                                POST  -        302 422 422 422 422
    deliveries                             GET   -        302 200 200 200 200
    send_test                              POST  -        302 302 302 302 302
    push                                   GET   -        302 200 200 200 200
    push                                   POST  -        302 422 422 422 422
    add_device                             POST  -        302 302 302 302 302
    webhooks                               GET   -        302 200 200 200 200
    webhooks                               POST  -        302 422 422 422 422
    add_webhook                            GET   -        302 200 200 200 200
    add_webhook                            POST  -        302 302 302 302 302
    test_outlet                            POST  outlet   302 404 404 302 404
    switch_on                              POST  outlet   302 404 404 302 404
    remove_outlet                          POST  outlet   302 404 404 302 404
    trust_address                          POST  -        302 302 302 302 302
    unsubscribe                            GET   word     200 200 200 200 200
    unsubscribe                            POST  word     200 200 200 200 200
    resubscribe                            POST  word     200 200 200 200 200
    stop_invitations                       GET   stop     200 200 200 200 200
    stop_invitations                       POST  stop     200 200 200 200 200
    allow_invitations                      POST  stop     200 200 200 200 200
    samples                                GET   -        302 302 302 302 200
    sample_mail                            GET   sample   302 302 302 302 200
    sample_document                        GET   sample   302 302 302 302 200
    mailbox                                GET   -        404 404 404 404 404
    stored_mail                            GET   sample   404 404 404 404 404
    stored_document                        GET   sample   404 404 404 404 404
    holidays                               GET   -        302 200 200 200 200
    holidays                               POST  -        302 422 422 422 422
    drop_holiday                           POST  holiday  302 302 302 302 302
    delete_account                         GET   -        302 200 200 200 200
    delete_account                         POST  -        302 422 422 422 422
    api_description                        GET   -        200 200 200 200 200
    api_games                              GET   -        200 200 200 200 200
    api_games                              POST  -        401 201 201 201 201
    api_game                               GET   running  200 200 200 200 200
    api_game                               GET   open     200 200 200 200 200
    api_join                               POST  running  401 409 200 200 409
    api_join                               POST  open     401 200 200 200 200
    api_leave                              POST  running  401 409 409 409 409
    api_leave                              POST  open     401 409 200 409 409
    api_resign                             POST  running  401 403 200 200 403
    api_resign                             POST  open     401 403 409 409 403
    api_cancel                             POST  running  401 403 403 409 403
    api_cancel                             POST  open     401 403 403 200 403
    api_rematch                            POST  running  401 403 409 409 403
    api_rematch                            POST  open     401 403 409 409 403
    api_position                           GET   running  200 200 200 200 200
    api_position                           GET   open     409 409 409 409 409
    api_legal                              POST  running  401 403 403 200 403
    api_legal                              POST  open     401 403 409 409 403
    api_why_not                            POST  running  401 403 403 200 403
    api_why_not                            POST  open     401 403 409 409 403
    api_turns                              POST  running  401 403 403 201 403
    api_turns                              POST  open     401 403 409 409 403
    api_plans                              GET   running  401 403 200 200 403
    api_plans                              GET   open     401 403 409 409 403
    api_plans                              POST  running  401 403 201 409 403
    api_plans                              POST  open     401 403 409 409 403
    api_plans                              DELETE running 401 403 200 200 403
    api_plans                              DELETE open    401 403 409 409 403
    api_plannable                          POST  running  401 403 200 409 403
    api_plannable                          POST  open     401 403 409 409 403
    api_plan                               DELETE planned 401 403 404 404 403
    api_log                                GET   running  200 200 200 200 200
    api_log                                GET   open     409 409 409 409 409
    api_record                             GET   running  200 200 200 200 200
    api_record                             GET   open     409 409 409 409 409
    api_picture                            GET   running  200 200 200 200 200
    api_picture                            GET   open     200 200 200 200 200
    api_player                             GET   person   200 200 200 200 200
    api_player_games                       GET   person   200 200 200 200 200
    api_me                                 GET   -        401 200 200 200 200
    api_waiting                            GET   -        401 200 200 200 200
    api_sandbox                            POST  -        401 422 422 422 422
    api_nothing                            GET   rest     404 404 404 404 404
    api_nothing                            POST  rest     401 404 404 404 404
    api_moved_game                         GET   moved    308 308 308 308 308
    api_moved_record                       GET   moved    308 308 308 308 308
    api_moved_turn                         POST  moved    401 308 308 308 308
"""
"""Name, method, about what, and the status for each role. The pages about mails in files are there with DEBUG alone.
Nobody has moved in the running game: it has no moves to be played."""
FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "account_request_login_code": {"login": "new@example.org"},
    "account_confirm_login_code": {"code": "BCDF-GHJK"},
    "account_confirm_by_code": {"code": "BCDF-GHJK"},
    "account_confirm_reauthentication_code": {"code": "BCDF-GHJK"},
    "account_answer_change": {"answer": "yes"},
    "bots": {"name": "Rex"},
    "access_tokens": {"name": "bot", "scopes": ["read"], "life": "month"},
    "add_webhook": {"name": "Chat", "style": "slack", "address": "https://chat.example/hook"},
    "set_zone": {"time_zone": "Europe/Amsterdam"},
    "game_preview": {"seq": 0, "steps": "R+"},
    "game_choices": {"seq": 0, "steps": ""},
    "ask_advice": {"seq": 0, "steps": ""},
    "game_view": {"view": "upright", "seq": 0, "steps": ""},
    "game_turn": {"seq": 0, "steps": "R+"},
    "game_resign": {"seq": 0},
    "lesson_preview": {"seq": 0, "steps": "R+"},
    "lesson_choices": {"seq": 0, "steps": ""},
    "lesson_turn": {"seq": 0, "steps": "R-"},
    "lesson_moves": {"seq": 1, "played": "R-", "first": 1, "last": 1},
    "puzzle_preview": {"seq": 0, "steps": "S<(D)"},
    "puzzle_choices": {"seq": 0, "steps": ""},
    "puzzle_turn": {"seq": 0, "steps": "S<(D)"},
    "puzzle_moves": {"seq": 1, "played": "S<(D)", "first": 1, "last": 1},
    "try_preview": {"seq": 0, "steps": "R+"},
    "try_choices": {"seq": 0, "steps": ""},
    "try_turn": {"seq": 0, "steps": "R+"},
    "try_moves": {"seq": 1, "played": "R+", "first": 1, "last": 1},
    "plan_preview": {"seq": 0, "steps": "R+"},
    "plan_choices": {"seq": 0, "steps": ""},
    "plan_turn": {"seq": 0, "steps": "R+"},
    "plan_add": {"seq": 0, "turn": "R+"},
    "propose_time_control": {"time-preset": "weekly"},
    "add_friend": {"name": "Cy"},
    "add_bot": {"bot": "nova:1"},
    "remove_player": {"seat": 1},
    "api_games": {"size": 2},
    "api_resign": {"seq": 0},
    "api_legal": {"seq": 0, "steps": ["R+"]},
    "api_why_not": {"seq": 0, "steps": [], "step": "C"},
    "api_plans": {"seq": 0, "turn": "R+"},
    "api_plannable": {"seq": 0, "steps": ["R+"]},
    "api_turns": {"seq": 0, "turn": "R+"},
    "api_moved_turn": {"seq": 0, "turn": "R+"},
    "api_sandbox": {"record": {"format": "gravity-superstar/1"}},
    "invite": {"name": "Cy"},
    "write_message": {"text": "Hello"},
    "write_to_spectators": {"text": "Hello"},
    "read_messages": {"up_to": 1_000_000},
    "mute_talk": {"what": "messages"},
    "unmute_talk": {"what": "messages"},
    "react_to_message": {"kind": "thumb"},
    "react_to_move": {"kind": "thumb"},
    "react_to_spectator": {"kind": "thumb"},
    "game_note": {"text": "Watch the door"},
    "report_player": {"kind": "conduct", "text": "They insult others"},
    "report_in_game": {"person": 1, "kind": "conduct", "text": "They waste our time"},
    "report_message": {"text": "This is an insult"},
}


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    method: str
    about: str
    statuses: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name}-{self.method}-{self.about}"


def read_rows() -> Iterator[Row]:
    for line in TABLE.strip().splitlines():
        name, method, about, *statuses = line.split()
        yield Row(name, method, about, tuple(map(int, statuses)))


def addresses(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield (namespace, name, pattern) of every address."""
    for item in (resolver or get_resolver()).url_patterns:
        if isinstance(item, URLPattern):
            yield space, item.name or "", str(item.pattern)
        else:
            yield from addresses(item, item.namespace or space)


ROWS: Final = tuple(read_rows())
NAMES: Final = sorted({row.name for row in ROWS})

FOR_BLOCKED: Final = {
    "join_game-POST-open": 403,
    "join_as_guest-POST-open": 403,
    "api_join-POST-open": 403,
}
"""What a stranger whom the player has blocked is answered where any other stranger gets something else, and one who has
blocked the player likewise: nobody learns which it is."""
FOR_SUSPENDED_STRANGERS: Final = {
    "join_game-POST-open": 403,
    "join_as_guest-POST-open": 403,
    "write_to_spectators-POST-running": 403,
    "react_to_spectator-POST-heard": 403,
    "api_games-POST--": 403,
    "api_join-POST-open": 403,
}
"""What a stranger is answered whom the staff has suspended, where any other gets something else. They read all."""
FOR_SUSPENDED_PLAYERS: Final = {
    "write_message-POST-running": 403,
    "react_to_message-POST-message": 403,
    "propose_cancel-POST-running": 403,
    "propose_time_control-POST-running": 403,
    "invite-POST-open": 403,
    "add_bot-POST-open": 403,
    "api_games-POST--": 403,
}
"""What the player is answered once suspended, where they got something else before. They play the running game on."""
HIDDEN: Final = {403, 404}
"""What a game for its players only, once started, answers to others; or guests are asked to sign in."""
