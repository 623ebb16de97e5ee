"""Pages and their parts: widgets, delegates and layouts, nothing that decides.

May import ``ui.presenters``, ``ui.models``, ``ui.widgets``, ``ui.theme`` and PySide6.
Must never call a use case or know where memories are stored.
"""
