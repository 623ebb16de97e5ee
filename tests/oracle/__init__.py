"""What the window looks like, says and asks, as it was recorded; a move changes none of it."""
