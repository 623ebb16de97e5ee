"""What knows no page: look, controls, lists, dialogs, words, and work off the UI thread."""
