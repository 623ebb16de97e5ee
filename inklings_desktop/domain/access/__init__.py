"""Who may do what, and what must not be remembered."""
