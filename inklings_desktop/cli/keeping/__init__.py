"""Backups and checks at the command line."""
