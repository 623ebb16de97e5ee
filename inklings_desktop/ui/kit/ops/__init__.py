"""Work off the UI thread, changes that arrive, and keys held until their place is there."""
