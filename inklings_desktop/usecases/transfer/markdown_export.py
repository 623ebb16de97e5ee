"""The text of a workspace as Markdown, for people to read; it is not for importing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.readable_markdown import below, list_item
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import on_the_wall

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.ports.transfer import (
        TransferStore,
        TransferView,
    )
    from inklings_desktop.usecases.transfer.exporting import ExportRequest

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class MarkdownExported:
    """What was written.

    Attributes:
        path: The file.
        n_bytes: Its size.
        n_memories: Memories in it.
    """

    path: Path
    n_bytes: int
    n_memories: int


def pages(
    store: TransferStore,
    workspace: Workspace,
    request: ExportRequest,
    now: datetime,
    counts: dict[str | None, int],
) -> Iterator[str]:
    """The text, a piece at a time; counts the memories of each database."""
    here = on_the_wall(now)
    yield f"# {workspace.name}\n\nExported {here:%Y-%m-%d %H:%M} from Inklings.\n"
    for file in _files(request, workspace.id):
        counts[file] = 0
        with store.read(file) as view:
            if _has_entries(request):
                yield from _entries(view)
            for title, scope in _rooms(view, file):
                lead = f"\n## {title}\n\n"
                for entry in _memories(view, scope, request):
                    yield lead + list_item(entry)
                    lead = ""
                    counts[file] += 1


def scopes_of(refs: Sequence[MemoryRef]) -> Iterator[ScopeKey]:
    """Where these memories stand."""
    return (one.scope for one in refs)


def _files(request: ExportRequest, workspace_id: str) -> tuple[str | None, ...]:
    """The databases that are read, the workspace's first; None is the account."""
    scopes = (*request.scopes, *scopes_of(request.refs))
    found = {one.workspace_id for one in scopes}
    return (workspace_id,) if not scopes else tuple(sorted(found, key=lambda one: one is None))


def _has_entries(request: ExportRequest) -> bool:
    """Whether named entries go, too: with their tier, never with single memories."""
    if request.refs:
        return False
    tiers = {one.tier for one in request.scopes}
    return not tiers or not tiers.isdisjoint({Tier.WORKSPACE, Tier.ACCOUNT})


def _entries(view: TransferView) -> Iterator[str]:
    for record in view.transfers.entries():
        if record.entry.is_standing:
            yield f"\n## {record.entry.name}\n\n{below(record.entry.body, 2)}\n"


def _rooms(view: TransferView, file: str | None) -> Iterator[tuple[str, ScopeKey]]:
    if file is None:
        yield "Account", ScopeKey.account()
        return
    yield "Workspace", ScopeKey.workspace(file)
    for room in view.transfers.channels():
        archived = " (archived)" if room.channel.archived_at is not None else ""
        yield f"#{room.channel.name}{archived}", ScopeKey.channel(file, room.channel.id)
    for talk in view.transfers.conversations():
        one = talk.conversation
        yield one.title or one.ref_code, ScopeKey.conversation(file, one.id)


def _memories(view: TransferView, scope: ScopeKey, request: ExportRequest) -> Iterator[MemoryEntry]:
    ids = [one.id for one in request.refs if one.scope == scope] if request.refs else None
    is_wanted = scope in request.scopes if request.scopes else ids is None or bool(ids)
    after = 0
    while is_wanted and (
        some := view.transfers.memories(
            scopes=[scope], ids=ids, forgotten=ids is not None, after=after, limit=ROWS_AT_ONCE
        )
    ):
        for record in some:
            yield record.entry
        after = some[-1].entry.sequence
