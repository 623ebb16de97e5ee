"""What the clock does, and with which model."""
