"""What is said above every page: files that cannot be read, work that waits, what was lost."""
