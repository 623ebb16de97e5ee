"""What can be done: what is committed, refused and published."""
