"""What happens when: presenters turn wishes into use cases and answers into states to show.

May import Qt's core, item models, background, messages, use cases and domain.
Must never know a widget, a layout or a database.
"""
