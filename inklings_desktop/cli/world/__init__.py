"""Pages of the author at the command line."""
