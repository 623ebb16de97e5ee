"""What every operation on several memories begins with: rights, one file, versions."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_write
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.usecases.steps.changing_memories import reachable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.ports.store import StoreView

_scope, _file = attrgetter("scope"), attrgetter("scope.workspace_id")


def authorize_all(caller: Caller, refs: Sequence[MemoryRef]) -> None:
    """Return only if the caller may write every one of them, or ask the author to.

    Raises:
        InvalidValueError: There are none.
        ScopeDeniedError: One of their scopes is closed to the caller.
    """
    if not refs:
        raise InvalidValueError("ids", "empty")
    authorize_write(caller, *set(map(_scope, refs)))


def one_file(refs: Sequence[MemoryRef]) -> str | None:
    """The workspace (None: the account) whose file holds all of them.

    Raises:
        InvalidValueError: They lie in different files.
    """
    files: set[str | None] = set(map(_file, refs))
    if len(files) != 1:
        raise InvalidValueError("ids", "several_files")
    return files.pop()


def reachable_all(
    view: StoreView,
    caller: Caller,
    refs: Sequence[MemoryRef],
    expected: Mapping[str, int] | None = None,
) -> list[MemoryEntry]:
    """The memories, each once, in the order given.

    Args:
        view: The file that holds them.
        caller: Who asks.
        refs: Scopes and ids.
        expected: By id, the version that the caller has seen; those not named may be any.

    Raises:
        NotFoundError: One of them is not in its scope, or not for this agent.
        ConflictError: Somebody saved a newer version of one of them first.
    """
    found = [reachable(view, caller, ref) for ref in dict.fromkeys(refs)]
    seen = expected or {}
    for entry in found:
        version = seen.get(entry.id, entry.version)
        if version != entry.version:
            raise ConflictError("memory", entry.id, version, entry.version)
    return found


def active_all(
    view: StoreView,
    caller: Caller,
    refs: Sequence[MemoryRef],
    expected: Mapping[str, int] | None = None,
) -> list[MemoryEntry]:
    """As ``reachable_all``, none of them forgotten.

    Raises:
        NotFoundError: One of them is not in its scope, not for this agent, or forgotten.
        ConflictError: Somebody saved a newer version of one of them first.
    """
    found = reachable_all(view, caller, refs, expected)
    for one in found:
        if one.is_forgotten:
            raise NotFoundError("memory", one.id)
    return found
