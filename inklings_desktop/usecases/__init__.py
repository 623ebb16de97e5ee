"""What can be done with memory: one verb, one small callable class; ``groups`` sorts them by noun.

May import ``domain``, ``settings`` and its own ``ports``.
Must never know SQL, Qt, a model runtime or who is asking beyond the ``Caller``.
"""
