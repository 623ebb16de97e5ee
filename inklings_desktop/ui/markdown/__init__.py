"""Markdown source: its editor, its preview, and how two versions differ."""
