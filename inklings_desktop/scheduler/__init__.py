"""The clock's door: when work happens, never what it does.

May import use cases, settings and domain.
Must never know SQL, a model runtime or what a window looks like.
"""
