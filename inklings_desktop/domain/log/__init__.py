"""Events, backups, and what a file has lost."""
