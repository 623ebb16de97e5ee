"""Consolidation, its cadence, tasks and golden questions."""
