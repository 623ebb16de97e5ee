"""One open named entry: its text, its history, and drafts of both."""
