"""Files of other programs and of one's own hand, read as memories: a table of formats."""
