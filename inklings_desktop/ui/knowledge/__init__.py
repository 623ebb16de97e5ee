"""What is settled in a world: facts, the rules drawn from them, who may change which."""
