"""Clients played against the real server: the canary drill, and a rehearsal."""
