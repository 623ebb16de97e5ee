"""What a memory is: values, rules and plans.

May import the standard library, and numpy where arrays are the language.
Must never know a database, a window, a model runtime or a thread.
"""
