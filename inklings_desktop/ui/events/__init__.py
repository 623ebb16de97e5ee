"""The event log: a tab of the Control plane, and the newest events for a glance."""
