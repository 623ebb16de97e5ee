"""The right pane of the Memory page: one memory, a new one, several, or a working note."""
