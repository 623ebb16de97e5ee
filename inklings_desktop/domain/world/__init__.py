"""The author's own pages beside the memory: what they are, and how memory points at them.

Nothing in here reads a file or a database. A page says what the world is; a memory holds what
pages cannot say.
"""
