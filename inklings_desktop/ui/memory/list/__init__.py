"""The list of the Memory page: what it is asked for, what it shows, how it is narrowed."""
