"""The use cases by noun, each bound to whoever asks; a module is imported when one is touched."""
