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
                    ("delay", "It waits a little, in case you come by yourself."),
                    ("digest", "It waits for the hour that you chose."),
                    ("page-open", "It waits while you have the game open."),
                    ("retry", "The mail server could not take it yet; it is tried again."),
                    ("turn-over", "No longer needed: the turn is over."),
                    ("game-over", "No longer needed: the game has ended."),
                    ("game-started", "No longer needed: the game has started."),
                    ("other-deadline", "No longer needed: the deadline is another one."),
                    ("too-late", "No longer needed: the time was over."),
                    ("answered", "No longer needed: it is answered or settled."),
                    ("read", "No longer needed: you have had the game open since."),
                    ("taken-back", "No longer needed: the holiday was taken back or changed."),
                    ("not-wanted", "You chose not to get this."),
                    ("muted", "You muted this game."),
                    ("no-address", "Your mail provider refuses mails to your address."),
                    ("no-account", "Your account is not active."),
                    ("refused", "Your mail provider refused the mail for good."),
                    ("gave-up", "The mail server did not take it for days."),
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
                    ("clock", "Your time runs out soon"),
                    ("autopilot", "A computer player played for you, or you were put out of a game"),
                    ("game", "A game has started, is over or was cancelled"),
                    ("invited", "Someone invites you to a game"),
                    ("joined", "Someone has joined your game"),
                    ("expiry", "Your open game is about to be cancelled"),
                    ("consent", "Your consent is asked, or a proposal is settled"),
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
                    ("half", "half of your time is gone"),
                    ("last", "your time is nearly over"),
                    ("autopilot", "a computer player played for you"),
                    ("retired", "you were put out of the game"),
                    ("started", "game started"),
                    ("over", "game over"),
                    ("cancelled", "game cancelled"),
                    ("invited", "invitation"),
                    ("joined", "someone joined"),
                    ("expiry", "open game about to be cancelled"),
                    ("asked", "your consent asked"),
                    ("settled", "proposal settled"),
                    ("moved", "your deadline moved"),
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
                    ("clock", "Your time runs out soon"),
                    ("autopilot", "A computer player played for you, or you were put out of a game"),
                    ("game", "A game has started, is over or was cancelled"),
                    ("invited", "Someone invites you to a game"),
                    ("joined", "Someone has joined your game"),
                    ("expiry", "Your open game is about to be cancelled"),
                    ("consent", "Your consent is asked, or a proposal is settled"),
                    ("calendar", "A holiday begins or ends, or a clock was changed for you"),
                    ("message", "Someone has written to you in a game"),
                    ("test", "Test"),
                ],
                max_length=16,
                verbose_name="kind",
            ),
        ),
    ]
