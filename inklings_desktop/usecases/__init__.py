"""What can be done with memory: a noun is a class, a verb its method; ``bundle`` holds them all.

May import ``domain``, ``settings`` and its own ``ports``.
Must never know SQL, Qt, a model runtime or who is asking beyond the ``Caller``.
"""
