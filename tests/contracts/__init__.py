"""The same cases over the real adapters and the fakes, so that the fakes stay honest."""
