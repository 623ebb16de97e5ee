"""Modal questions; every one can be dismissed, and dismissing is the safe answer.

May import theme, widgets and what Qt offers.
Must never know use cases or the database.
"""
