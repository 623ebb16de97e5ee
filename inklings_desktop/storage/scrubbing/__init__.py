"""Clearing what a scrub removed out of every file of ours, and the proof of it."""
