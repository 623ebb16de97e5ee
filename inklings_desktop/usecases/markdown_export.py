"""A workspace as Markdown, for people to read; it is not for importing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, Caller, authorize_person
from inklings_desktop.domain.errors import DatabaseFullError, DatabaseReadOnlyError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.readable_markdown import below, list_item
from inklings_desktop.domain.transfer import ExportNote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.ports import Clock, WorkspaceDirectory
    from inklings_desktop.usecases.transfer_ports import (
        ExportFiles,
        TransferStore,
        TransferView,
    )

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


@dataclass(frozen=True, slots=True)
class ExportMarkdown:
    """Write the named entries and active memories of a workspace, room by room."""

    store: TransferStore
    directory: WorkspaceDirectory
    files: ExportFiles
    clock: Clock

    def __call__(self, caller: Caller, workspace_id: str, path: Path) -> MarkdownExported:
        """What was written; a file of that name is replaced.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be written, or the database not read.
        """
        authorize_person(caller, Action.READ, Tier.WORKSPACE)
        workspace = self.directory.get(workspace_id)
        now = self.clock()
        counted = [0]

        def text() -> Iterator[str]:
            yield f"# {workspace.name}\n\nExported {now:%Y-%m-%d %H:%M} UTC from Inklings.\n"
            with self.store.read(workspace.id) as view:
                for record in view.transfers.entries():
                    if record.entry.is_standing:
                        yield f"\n## {record.entry.name}\n\n{below(record.entry.body, 2)}\n"
                for title, scope in _rooms(view, workspace.id):
                    lead = f"\n## {title}\n\n"
                    for entry in _memories(view, scope):
                        yield lead + list_item(entry)
                        lead = ""
                        counted[0] += 1

        n_bytes = self.files.write(path, text())
        with (
            suppress(DatabaseReadOnlyError, DatabaseFullError),
            self.store.write(workspace.id, initiator=caller.name) as unit,
        ):
            unit.transfers.note_export(ExportNote(str(path.absolute()), now, "all", counted[0]))
            unit.commit()
        return MarkdownExported(path, n_bytes, counted[0])


def _rooms(view: TransferView, workspace_id: str) -> Iterator[tuple[str, ScopeKey]]:
    yield "Workspace", ScopeKey.workspace(workspace_id)
    for room in view.transfers.channels():
        archived = " (archived)" if room.channel.archived_at is not None else ""
        yield f"#{room.channel.name}{archived}", ScopeKey.channel(workspace_id, room.channel.id)
    for talk in view.transfers.conversations():
        one = talk.conversation
        yield one.title or one.ref_code, ScopeKey.conversation(workspace_id, one.id)


def _memories(view: TransferView, scope: ScopeKey) -> Iterator[MemoryEntry]:
    after = 0
    while some := view.transfers.memories(
        scopes=[scope], ids=None, forgotten=False, after=after, limit=ROWS_AT_ONCE
    ):
        for record in some:
            yield record.entry
        after = some[-1].entry.sequence
