"""Qt item models over immutable rows, and those rows.

May import PySide6 and the standard library; rows arrive ready to be shown.
Must never know use cases, presenters, widgets or the database.
"""
