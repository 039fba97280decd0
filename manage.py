#!/usr/bin/env python
"""The command line of the site: ``manage.py help`` lists its commands."""

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - needs the settings named first

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
