"""The command line: what it answers, refuses and leaves alone."""
