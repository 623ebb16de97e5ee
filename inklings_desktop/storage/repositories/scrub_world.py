"""What a scrub removes of where its memories come from; the author's pages stay as they are."""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.storage.repositories.scrub_talk import OF_MEMORIES
from inklings_desktop.storage.schema import world_schema  # noqa: F401  its tables are known then

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_GOING = f"memory_sequence IN (SELECT sequence {OF_MEMORIES})"
# A base that a page still says is found in the page, and would prove nothing.
_BASES = (
    "SELECT text FROM derivation_bases WHERE digest IN (SELECT base_digest FROM derivations"
    f" WHERE {_GOING} AND state IN ('changed', 'gone'))"
)
_VERSIONS = "FROM page_versions WHERE :is_full"
_DELETIONS = (
    (
        "DELETE FROM retcons WHERE EXISTS (SELECT 1 FROM derivations AS going WHERE"
        f" going.{_GOING} AND going.folder_id = retcons.folder_id AND going.path = retcons.path)"
        " AND NOT EXISTS (SELECT 1 FROM derivations AS staying WHERE"
        f" NOT staying.{_GOING} AND (staying.base_digest = retcons.base_digest"
        " OR staying.target_id = retcons.block_id))"
    ),
    f"DELETE FROM derivations WHERE {_GOING}",
    f"DELETE {_VERSIONS}",
    (
        "DELETE FROM derivation_bases WHERE digest NOT IN"
        " (SELECT base_digest FROM derivations UNION ALL SELECT base_digest FROM retcons)"
    ),
)


def derived_texts(run: Callable[..., Any], parameters: Mapping[str, Any]) -> Iterator[Any]:
    """A cursor over what going memories come from and no page says any more, if there is any.

    Args:
        run: Executes a statement.
        parameters: Which memories go; ``is_full`` where the workspace goes as a whole.
    """
    if _are_there(run):
        yield run(_BASES, parameters)


def kept_versions(run: Callable[..., Any], parameters: Mapping[str, Any]) -> list[str]:
    """Ids of what pages said before, which goes with a workspace as a whole."""
    found = run(f"SELECT id {_VERSIONS}", parameters) if _are_there(run) else ()
    return [id_ for (id_,) in found]


def delete_derived(run: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Remove where going memories come from; before the memories themselves."""
    for statement in _DELETIONS if _are_there(run) else ():
        run(statement, parameters)


def _are_there(run: Callable[..., Any]) -> bool:
    """Whether the file has such tables: a workspace's, and no backup of an older version."""
    found = run("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'derivations'")
    return found.fetchone() is not None
