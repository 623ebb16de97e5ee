"""What a column may hold, as CHECK constraints that several tables share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import CheckConstraint

if TYPE_CHECKING:
    from collections.abc import Iterable


def one_of(column: str, *words: str) -> CheckConstraint:
    """One of these words."""
    return CheckConstraint(is_one_of(column, words), name=f"{column}_known")


def instants(*columns: str) -> list[CheckConstraint]:
    """Milliseconds since 1970 in UTC, as integers; NULL where the column allows it."""
    return [
        CheckConstraint(f"typeof({column}) IN ('integer', 'null')", name=f"{column}_integer")
        for column in columns
    ]


def json_of(column: str, kind: str) -> CheckConstraint:
    """JSON of one kind: ``array`` or ``object``."""
    return CheckConstraint(is_json(column, kind), name=f"{column}_{kind}")


def is_one_of(column: str, words: Iterable[str]) -> str:
    """The same as a condition."""
    listed = ", ".join(f"'{word}'" for word in words)
    return f"{column} IN ({listed})"


def is_json(column: str, kind: str) -> str:
    """The condition that a column holds JSON of one kind."""
    return f"CASE WHEN json_valid({column}) THEN json_type({column}) = '{kind}' ELSE 0 END"


def word_of(column: str, most: int) -> CheckConstraint:
    """A short word of small letters, with ``_``, ``:`` and ``.`` between them; may be empty."""
    rule = f"length({column}) <= {most} AND {column} NOT GLOB '*[^a-z_:.]*'"
    return CheckConstraint(rule, name=f"{column}_word")


def flags(*columns: str) -> list[CheckConstraint]:
    """0 or 1."""
    return [CheckConstraint(f"{column} IN (0, 1)", name=f"{column}_flag") for column in columns]
