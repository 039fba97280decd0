"""Mails: which notices go into one, what they say, and how they get away."""
