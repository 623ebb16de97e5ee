"""Sentences and figures for a person, without widgets."""
