"""What belongs to memories: marks, history, decay, and how they are listed."""
