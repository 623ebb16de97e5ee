"""Measurements of the product, each beside the bare operation it is compared with.

Every script prints a table, or one JSON document with ``--json``. They are not tests: a figure
is read, not asserted.
"""
