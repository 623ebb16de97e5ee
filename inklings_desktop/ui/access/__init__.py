"""Access: clients and their rights, how they are connected, and the canary drill."""
