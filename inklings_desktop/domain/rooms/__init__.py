"""Workspaces, conversations, and what an agent is told at the start of a turn."""
