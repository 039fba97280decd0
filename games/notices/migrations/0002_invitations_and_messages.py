"""The kinds, topics and reasons of notices of invitations and messages."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The choices alone: no column changes."""

    dependencies = [
        ("notices", "0001_outbox"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="cause",
            field=models.CharField(
                blank=True,
                choices=[
                    ("delay", "Held for a few minutes, in case you visit the site anyway."),
                    ("digest", "Held until the hour you chose."),
                    ("page-open", "Held while you have the game open."),
                    ("retry", "The mail server could not accept it yet; it will be tried again."),
                    ("turn-over", "No longer needed: the turn is over."),
                    ("game-over", "No longer needed: the game has ended."),
                    ("game-started", "No longer needed: the game has started."),
                    ("other-deadline", "No longer needed: the deadline has changed."),
                    ("too-late", "No longer needed: the time had run out."),
                    ("answered", "No longer needed: already answered or decided."),
                    ("read", "No longer needed: you have opened the game since."),
                    ("taken-back", "No longer needed: the holiday was cancelled or changed."),
                    ("not-wanted", "You chose not to get this."),
                    ("muted", "You muted this game."),
                    ("no-address", "Your mail provider is rejecting e-mail to your address."),
                    ("no-account", "Your account is not active."),
                    ("refused", "Your mail provider permanently rejected the e-mail."),
                    ("gave-up", "The mail server did not accept it for days."),
                ],
                max_length=16,
                verbose_name="reason",
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "It is your turn"),
                    ("clock", "Your time is running out"),
                    ("autopilot", "A computer player played for you, or you are out of a game"),
                    ("game", "A game has started, is over or was cancelled"),
                    ("invited", "Someone invites you to a game"),
                    ("joined", "Someone has joined your game"),
                    ("expiry", "Your open game is about to be cancelled"),
                    ("consent", "Your consent is needed, or a proposal has been decided"),
                    ("calendar", "A holiday begins or ends, or a clock was changed for you"),
                    ("message", "Someone has written to you in a game"),
                    ("test", "Test"),
                ],
                max_length=16,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="topic",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("half", "half your time has passed"),
                    ("last", "your time is almost up"),
                    ("autopilot", "a computer player played for you"),
                    ("retired", "you are out of the game"),
                    ("started", "game started"),
                    ("over", "game over"),
                    ("cancelled", "game cancelled"),
                    ("invited", "invitation"),
                    ("joined", "someone joined"),
                    ("expiry", "open game about to be cancelled"),
                    ("asked", "your consent is needed"),
                    ("settled", "proposal decided"),
                    ("moved", "your deadline has moved"),
                    ("holiday-begins", "holiday begins"),
                    ("holiday-ends", "holiday ends"),
                    ("message", "messages"),
                    ("test", "test"),
                ],
                max_length=16,
                verbose_name="topic",
            ),
        ),
        migrations.AlterField(
            model_name="noticepreference",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "It is your turn"),
                    ("clock", "Your time is running out"),
                    ("autopilot", "A computer player played for you, or you are out of a game"),
                    ("game", "A game has started, is over or was cancelled"),
                    ("invited", "Someone invites you to a game"),
                    ("joined", "Someone has joined your game"),
                    ("expiry", "Your open game is about to be cancelled"),
                    ("consent", "Your consent is needed, or a proposal has been decided"),
                    ("calendar", "A holiday begins or ends, or a clock was changed for you"),
                    ("message", "Someone has written to you in a game"),
                    ("test", "Test"),
                ],
                max_length=16,
                verbose_name="kind",
            ),
        ),
    ]
