"""SQLAlchemy's words for SQLite, told once for every engine of the process.

A compiled statement is kept by the dialect that compiled it. Every file has three engines, and
each would otherwise compile and keep the same statements for itself: some 26 KiB each (measured),
again for every workspace that is ever opened. Dialects that count as equal share them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import CompiledCacheType

STATEMENTS_KEPT = 150
"""Compiled statements in use; up to half as many more are kept before the oldest ones go.

Some 26 KiB each (measured): what a day of searches leaves behind is thus at most 6 MiB.
"""

URL: Final = "sqlite+shared://"

COMPILED: CompiledCacheType = LRUCache(STATEMENTS_KEPT)
"""For the execution option ``compiled_cache`` of an engine made from ``URL``."""


class SharedDialect(SQLiteDialect_pysqlite):
    """One like any other: all of them speak to the same driver, with the same options."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.shared", __name__, SharedDialect.__name__)
