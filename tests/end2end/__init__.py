"""The whole program from its doors to its files: the named tests of what must never happen."""
