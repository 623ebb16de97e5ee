"""Workspaces, channels, conversations, their notes, and the document of a turn."""
