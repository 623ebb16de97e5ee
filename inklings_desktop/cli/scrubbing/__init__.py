"""``inklings scrub``."""
