"""Hours as French writes them: 14 h 04, with blanks that do not break."""

TIME_FORMAT = "H\N{NO-BREAK SPACE}\\h\N{NO-BREAK SPACE}i"
DATETIME_FORMAT = f"j F Y, {TIME_FORMAT}"
