from pysqlite3.dbapi2 import *
