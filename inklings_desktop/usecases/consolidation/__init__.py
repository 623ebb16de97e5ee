"""Plan, carry out and take back a consolidation; golden questions around it."""
