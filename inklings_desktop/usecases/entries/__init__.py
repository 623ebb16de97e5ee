"""Named entries, drafts of them, and what agents propose."""
