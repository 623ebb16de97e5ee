"""Golden questions: what must be found, and how it fares."""
