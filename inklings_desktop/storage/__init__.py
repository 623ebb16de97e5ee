"""SQLite through SQLAlchemy Core: keeps what the use cases decide, and is the sole speaker of SQL.

What only finds memories asks the driver itself (``finding.py``): a first answer waits for no more.

It may import usecases (the ports), settings, logs and domain.
It must never know Qt, an embedding model, or which door a call came through.
"""
