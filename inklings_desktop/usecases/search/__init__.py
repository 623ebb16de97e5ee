"""Find memories and look at them, as a person or as an agent."""
