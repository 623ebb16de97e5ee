"""The Settings page: a list of groups at the left, each group a page of its own beside it."""
