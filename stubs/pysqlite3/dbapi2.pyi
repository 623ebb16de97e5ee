# The wheel mirrors the standard library's module over a newer SQLite.
from sqlite3.dbapi2 import *  # noqa: F403  the names are those of the module it mirrors
