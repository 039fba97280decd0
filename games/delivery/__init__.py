"""How notices reach people: which go together, what they say, and how they get away."""
