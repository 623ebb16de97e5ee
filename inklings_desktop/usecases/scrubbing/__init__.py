"""Scrub: look first, remove for good, prove it; and scrubs that agents ask for."""
