"""Export and import at the command line."""
