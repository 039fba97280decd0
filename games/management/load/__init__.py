"""Very many people and games, made up, to measure what pages cost: `manage.py seed_load`.

A few games are played by the engine (`plays`); all others are copies of these, with people, dates and keys of their own
(`scene`). What follows from them is added up as the commands would have (`sums`), and stored in bulk (`tables`).
"""
