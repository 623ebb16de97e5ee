"""The storage adapter over real SQLite files in temporary folders."""
