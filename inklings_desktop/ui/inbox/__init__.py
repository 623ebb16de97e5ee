"""The Inbox: everything that waits for the author's word, and how it is decided."""
