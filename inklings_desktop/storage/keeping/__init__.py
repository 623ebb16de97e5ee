"""Upkeep over several files: keeping, bringing back and auditing copies and logs."""
