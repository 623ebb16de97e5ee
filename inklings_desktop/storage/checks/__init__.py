"""Whether a file is ours, whole, and means something; none of it changes anything."""
