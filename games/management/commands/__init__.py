"""One command a file: ``manage.py NAME``."""
