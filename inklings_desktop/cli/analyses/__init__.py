"""Analyses on the command line; they run in the agent's process, without a model."""
