"""Run analysis: a script looks through memories and pages, and says what it found and where.

May import ``kit`` and what speaks with the agent's process; must never know how a script is run.
"""
