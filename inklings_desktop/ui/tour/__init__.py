"""Draws one state of each page into pictures, for eyes without a display."""
