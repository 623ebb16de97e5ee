"""Controls in the look of the design."""
