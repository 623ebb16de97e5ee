"""What a scrub removes of facts, rules, domains, and what agents keep between their runs."""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.scrub.manifest import ScrubKind
from inklings_desktop.storage.repositories.scrub_talk import OF_MEMORIES
from inklings_desktop.storage.schema import knowledge_schema  # noqa: F401  its tables are known then

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_GOING = f"memory_sequence IN (SELECT sequence {OF_MEMORIES})"
# Every fact and rule is of the workspace tier: with it no domain keeps anything.
_WHOLE = "WHERE :tier = 'workspace' AND :chosen <> :key"
_COUNTED = (
    (ScrubKind.DOMAIN, f"SELECT id, changed_seq, name FROM domains {_WHOLE}"),
    (
        ScrubKind.WORKING_MEMORY,
        (
            "SELECT agent || ' ' || part, version, agent || ': ' || substr(body, 1, 400)"
            f" FROM agent_working_memory {_WHOLE}"
        ),
    ),
)
_TEXTS = (
    f"SELECT topic {OF_MEMORIES}",
    f"SELECT topic_key FROM facts WHERE {_GOING}",
    f"SELECT extra FROM memory_versions WHERE memory_id IN (SELECT id {OF_MEMORIES})",
    f"SELECT name, description FROM domains {_WHOLE}",
    f"SELECT name FROM roles {_WHOLE}",
    f"SELECT body FROM agent_working_memory {_WHOLE}",
    f"SELECT body FROM agent_working_memory_versions {_WHOLE}",
)
_DELETIONS = (
    f"DELETE FROM facts WHERE {_GOING}",
    f"DELETE FROM policies WHERE {_GOING}",
    f"DELETE FROM role_grants {_WHOLE}",
    f"DELETE FROM domains {_WHOLE}",
    f"DELETE FROM roles {_WHOLE}",
    f"DELETE FROM agent_working_memory {_WHOLE}",
    f"DELETE FROM agent_working_memory_versions {_WHOLE}",
)


def counted_beside(
    run: Callable[..., Any], parameters: Mapping[str, Any]
) -> Iterator[tuple[ScrubKind, str, int, str]]:
    """Kind, id, version and beginning of domains and kept texts that go with their tier.

    Args:
        run: Executes a statement.
        parameters: Which memories go.
    """
    for kind, statement in _COUNTED if _are_there(run) else ():
        for id_, version, begins in run(statement, parameters).fetchall():
            yield kind, id_, version, begins


def known_texts(run: Callable[..., Any], parameters: Mapping[str, Any]) -> Iterator[Any]:
    """Cursors over what all of it says."""
    for statement in _TEXTS if _are_there(run) else ():
        yield run(statement, parameters)


def delete_known(run: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Remove it; before the memories themselves."""
    for statement in _DELETIONS if _are_there(run) else ():
        run(statement, parameters)


def _are_there(run: Callable[..., Any]) -> bool:
    """Whether the file has such tables: a workspace's, and no backup of an older version."""
    found = run("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'facts'")
    return found.fetchone() is not None
