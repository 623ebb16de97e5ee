"""Rows: models that load as one scrolls, tables, and how rows are painted."""
