"""Helping to write: how words are spelt."""
