"""Tests of the person's door."""
