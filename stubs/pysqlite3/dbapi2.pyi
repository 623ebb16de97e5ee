# The wheel mirrors the standard library's module over a newer SQLite.
from sqlite3.dbapi2 import *
