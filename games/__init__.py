"""Games of any ruleset: lobby, turns, log, notices. Names nothing of a particular board game."""
