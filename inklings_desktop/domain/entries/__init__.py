"""Named entries, and what agents propose for them."""
