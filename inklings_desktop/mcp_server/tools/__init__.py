"""The tools that a client calls, by what they are about."""
