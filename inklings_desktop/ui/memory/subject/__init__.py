"""What the inspector is about: read, changed and stored, without widgets."""
