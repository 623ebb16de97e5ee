"""Workspaces, channels, conversations and notes at the command line."""
