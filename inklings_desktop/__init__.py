"""Long-term memory of a world-building agent, on the author's own machine.

The packages, from the inside out: ``domain`` is what a memory is, ``usecases`` what one can do
with it; ``storage`` and ``embeddings`` are driven by them, ``ui`` and ``cli`` drive them;
``bootstrap`` alone knows how they fit together.
"""

__version__ = "0.1.0"
