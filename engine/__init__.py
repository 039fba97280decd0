"""Rules engines of the board games played on this site: pure Python, no Django, no clock, no hidden chance."""
