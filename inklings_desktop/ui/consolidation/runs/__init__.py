"""The history of consolidations, and the way back from one."""
