"""Plans a turn with a model: what it is told, what it may call, and what becomes of its words."""
