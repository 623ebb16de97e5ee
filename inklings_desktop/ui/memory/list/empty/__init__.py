"""Why the memory list shows nothing, and how to begin."""
