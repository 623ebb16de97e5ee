"""Small reusable pieces of the window, drawn in the look of the design.

May import PySide6, ``ui.theme`` and ``ui.assets``; values come in plain, signals go out.
Must never know memories, use cases, item models or views.
"""
