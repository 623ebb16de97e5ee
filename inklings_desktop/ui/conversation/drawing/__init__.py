"""A turn at a width: its pieces, how they are painted, and what can be pressed on them."""
