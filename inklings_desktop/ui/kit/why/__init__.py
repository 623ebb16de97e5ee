"""Why a memory was found: the engine's explanation as a person reads it."""
