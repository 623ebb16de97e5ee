"""The base of every page, what it is given, and where pages lead to."""
