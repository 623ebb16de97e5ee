"""The table of saved filters; both kinds of file have it, each for the tiers that it holds."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Integer, Table, Text, TypedColumns

from inklings_desktop.storage.schema.tables import instants, json_of, metadata, one_of

ALL_ROOMS = ""
"""Scope key of a filter that is for every room of its tier."""


class FilterColumns(TypedColumns):
    """A filter under its name; ``name_key`` is the name as it is compared."""

    sequence = Column(Integer, primary_key=True)
    id = Column(Text, nullable=False, unique=True)
    tier = Column(Text, nullable=False)
    scope_key = Column(Text, nullable=False)
    name = Column(Text, nullable=False)
    name_key = Column(Text, nullable=False, unique=True)
    query = Column(Text, nullable=False)
    mode = Column(Text, nullable=False)
    sort = Column(Text, nullable=False)
    asks = Column(Text, nullable=False)
    created_at = Column(Integer, nullable=False)


saved_filters = Table(
    "saved_filters",
    metadata,
    FilterColumns,
    one_of("tier", "conversation", "channel", "workspace", "account"),
    CheckConstraint("length(name) BETWEEN 1 AND 60", name="name_length"),
    json_of("asks", "object"),
    *instants("created_at"),
)

FILTER_TABLES = (saved_filters,)
