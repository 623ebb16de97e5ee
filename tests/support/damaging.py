"""Damages database files as a failing disk does: bytes inside pages, the rest as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.maintenance import take_triggers_off
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from pathlib import Path

PAGE_HEADER = 8
LEAF_OF_A_TABLE = 0x0D
LEAF_OF_AN_INDEX = 0x0A


def folded(path: Path) -> None:
    """Bring what is in the WAL into the file itself, so that damage to the file is met."""
    with raw(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def page_bytes(path: Path) -> int:
    """How large the pages of a database are."""
    with raw(path) as connection:
        (number,) = connection.execute("PRAGMA page_size").fetchone()
    return int(number)


def damage_where(path: Path, text: str) -> int:
    """Flip the head of every page whose rows hold this text; how many pages that were."""
    folded(path)
    n_bytes, wanted = page_bytes(path), text.encode()
    content = bytearray(path.read_bytes())
    starts = [
        at
        for at in range(n_bytes, len(content), n_bytes)
        if content[at] == LEAF_OF_A_TABLE and wanted in content[at : at + n_bytes]
    ]
    assert starts, text
    for at in starts:
        for one in range(at, at + PAGE_HEADER):
            content[one] ^= 0xFF
    with path.open("r+b") as file:  # in place: nobody gets another file under the same name
        file.write(content)
    return len(starts)


def damage_root(path: Path, table: str) -> None:
    """Flip the first page of a table: nothing of it can be read any more."""
    folded(path)
    n_bytes = page_bytes(path)
    with raw(path) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * n_bytes)
        content = file.read(n_bytes)
        file.seek((page - 1) * n_bytes)
        file.write(bytes(one ^ 0xFF for one in content))


MARKED = "Gu\ufffdls"
"""How ``NO_TEXT`` reads."""
NO_TEXT = b"Gu\xffls"
"""Five bytes of which the middle one is no UTF-8."""


def make_unreadable(
    path: Path, *, table: str = "memories", column: str = "content", where: str = "sequence = 1"
) -> None:
    """Put ``NO_TEXT`` in the place of a text."""
    value = f"CAST(x'{NO_TEXT.hex()}' AS TEXT)"
    spoil(path, f'UPDATE "{table}" SET {column} = {value} WHERE {where}')  # noqa: S608  of tests


def spoil(path: Path, *statements: str) -> None:
    """Change rows past every rule and trigger, as a flipped bit or a foreign program could."""
    with raw(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        triggers = take_triggers_off(connection)
        for statement in statements:
            connection.execute(statement)
        for statement in triggers:
            connection.execute(statement)
