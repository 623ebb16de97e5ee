"""The export document: writing it, reading it, and the plan of an import."""
