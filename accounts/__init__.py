"""People: their account, preferences and sign-in."""
