"""The rules of memory, without a database or a window."""
