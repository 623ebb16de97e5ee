"""Which schema versions there are, and the steps from each to the next.

It may import the rules of the schema; ``storage/upgrade/migrating.py`` runs the steps.
It must never know a file, or why it is opened.
"""
