"""When two texts say the same, and when they only look alike."""
