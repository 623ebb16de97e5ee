"""Small things that are shown and not used: badges, meters, notes, empty states."""
