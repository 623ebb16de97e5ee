"""Rows and domain objects in both directions, and the transaction that reads them."""
