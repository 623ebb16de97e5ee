"""SQLite through SQLAlchemy Core: keeps what the use cases decide, and is the sole speaker of SQL.

It may import usecases (the ports), settings, logs and domain.
It must never know Qt, an embedding model, or which door a call came through.
"""
