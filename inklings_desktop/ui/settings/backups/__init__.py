"""Backups and data: what is kept and why, comparing it with today, and where everything lies."""
