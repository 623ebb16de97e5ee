"""``inklings memory``."""
