"""Starting the window from the command line."""
