"""Runs that look for faults by themselves; started by hand, never by the suite."""
