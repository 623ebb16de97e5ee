"""The event log that cannot be edited, and what is noted about it outside its file."""
