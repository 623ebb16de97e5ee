"""The Control plane: tiers, background work, and the tabs that others bring."""
