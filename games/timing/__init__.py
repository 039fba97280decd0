"""The clocks of stored games: rows in, the pure functions of `games.clock` asked."""
