"""Draws every state of the window into pictures, for eyes without a display."""
