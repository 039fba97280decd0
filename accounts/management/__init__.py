"""What ``manage.py`` adds for accounts."""
