from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0007_refusals"),
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
                    ("spaced", "Held for an hour after the last e-mail about your turns."),
                    ("quiet", "Held until your quiet hours are over."),
                    ("retry", "The mail server could not accept it yet; it will be tried again."),
                    ("turn-over", "No longer needed: the turn is over."),
                    ("game-over", "No longer needed: the game has ended."),
                    ("game-started", "No longer needed: the game has started."),
                    ("other-deadline", "No longer needed: the deadline has changed."),
                    ("too-late", "No longer needed: the time had run out."),
                    ("answered", "No longer needed: already answered or decided."),
                    ("read", "No longer needed: you have opened the game since."),
                    ("taken-back", "No longer needed: the holiday was cancelled or changed."),
                    ("not-so", "No longer needed: it is no longer true."),
                    ("not-wanted", "You chose not to get this."),
                    ("muted", "You muted this game."),
                    ("no-address", "Your mail provider is rejecting e-mail to your address."),
                    ("unconfirmed", "You have not confirmed your address yet."),
                    ("no-account", "Your account is not active."),
                    ("refused", "Your mail provider permanently rejected the e-mail."),
                    ("gave-up", "The mail server did not accept it for days."),
                    ("unknown", "This version of the site does not know what it is about."),
                ],
                max_length=16,
                verbose_name="reason",
            ),
        ),
    ]
