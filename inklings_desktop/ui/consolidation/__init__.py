"""Consolidation: the review before it, the runs behind it, and golden questions."""
