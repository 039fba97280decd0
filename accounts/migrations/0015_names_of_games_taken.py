"""The staff can take the name of a game away."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_ratings_shown"),
    ]

    operations = [
        migrations.AlterField(
            model_name="staffaction",
            name="act",
            field=models.CharField(
                choices=[
                    ("warn", "warned a person"),
                    ("silence", "silenced a person"),
                    ("suspend", "suspended a person"),
                    ("lift", "lifted what a person was barred from"),
                    ("rename", "took a person's name away"),
                    ("take-report", "took a report"),
                    ("close-report", "closed a report"),
                    ("add-person", "added a person"),
                    ("change-person", "changed a person's account"),
                    ("delete-person", "deleted an account"),
                    ("end-sessions", "signed a person out everywhere"),
                    ("remove-factors", "removed second factors"),
                    ("send-again", "let mails be sent again"),
                    ("change-group", "changed a group of the staff"),
                    ("pause", "stopped the clock of a game"),
                    ("resume", "started the clock of a game"),
                    ("give-time", "gave time"),
                    ("retire", "put a seat out of a game"),
                    ("rename-game", "took a game's name away"),
                    ("stop-clocks", "stopped the clocks of all games"),
                    ("start-clocks", "started the clocks of all games"),
                    ("mark-outage", "marked an outage"),
                    ("unmark-outage", "took an outage back"),
                ],
                max_length=20,
                verbose_name="what",
            ),
        ),
    ]
