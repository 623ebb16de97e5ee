"""The rail at the left: workspaces, channels, conversations and the strip of background work."""
