"""The commands about skills."""
