"""``inklings log``."""
