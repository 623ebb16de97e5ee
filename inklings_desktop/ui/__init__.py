"""The person's door: the window in which memories are seen, edited and cleaned.

May import ``domain``, ``usecases``, ``settings``, ``logs`` and PySide6; ``app`` alone starts Qt.
Must never know SQL, the embedding runtime or the command line.
"""
