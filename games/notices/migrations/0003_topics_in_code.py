"""Topics are listed in the code alone, and one more reason."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The choices alone: no column changes."""

    dependencies = [
        ("notices", "0002_invitations_and_messages"),
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
                    ("unknown", "This version of the site does not know what it is about."),
                ],
                max_length=16,
                verbose_name="reason",
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="topic",
            field=models.CharField(max_length=16, verbose_name="topic"),
        ),
    ]
