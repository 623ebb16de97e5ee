"""The list of turns, and the one among them that is being written or waits for the person."""
