"""How the pages show each board game."""
