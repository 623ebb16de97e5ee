"""The operator's door: one command per use case, ``--json`` everywhere.

May import ``bootstrap``, ``usecases``, ``settings`` and ``domain``.
Must never know SQL, Qt or a model runtime, and never check rights itself.
"""
