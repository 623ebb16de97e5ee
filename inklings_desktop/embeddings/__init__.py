"""Turns text into vectors with a model on this machine.

May import ``usecases.ports``, ``settings``, ``logs`` and ``domain``, and third party onnxruntime,
tokenizers and numpy, these three inside functions only.
Must never know Qt, SQL, or which memory a text belongs to.
"""
