"""The review of one consolidation: plan, decisions, run, result."""
