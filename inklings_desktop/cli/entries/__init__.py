"""Named entries and proposals at the command line."""
