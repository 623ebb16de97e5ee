"""Consolidation, models and golden questions at the command line."""
