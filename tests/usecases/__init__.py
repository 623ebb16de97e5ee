"""What can be done, over fakes: what is committed, refused and published."""
