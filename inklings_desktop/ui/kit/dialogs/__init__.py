"""Modal questions; every one can be dismissed, and dismissing is the safe answer."""
