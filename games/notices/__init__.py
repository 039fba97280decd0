"""What is told to people about games: facts, and what becomes of them."""
