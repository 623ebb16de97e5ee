"""The steps of a turn; each may run again from its first line, and does nothing twice."""
