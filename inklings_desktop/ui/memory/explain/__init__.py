"""Why a memory was not found by a search."""
