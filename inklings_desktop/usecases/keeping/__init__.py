"""Backups, checks, damage and the event log: the person's alone."""
