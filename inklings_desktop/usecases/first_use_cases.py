"""What the first page of a list takes of a data root; all the other use cases are made after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.background.background_work import BackgroundWork
    from inklings_desktop.usecases.memories.show_memories import ShowMemories
    from inklings_desktop.usecases.ports.store import Clock, Embedder
    from inklings_desktop.usecases.rooms.list_places import (
        ListChannels,
        ListConversations,
        ListWorkspaces,
    )
    from inklings_desktop.usecases.search.browse_memories import (
        BrowseMemories,
        CountMemories,
        ListFacets,
        LocateMemory,
        ShowMemory,
    )
    from inklings_desktop.usecases.steps.change_feed import ChangeFeed


class Begun:
    """Has room for what makes the rest."""

    __slots__ = ("_others",)

    _others: object


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FirstUseCases(Begun):
    """An opened data root, as much of it as a window shows first.

    Attributes:
        data_dir: The data root.
        workspace: The one that was asked for, or the only one there is; else None.
        settings: As they were when it was opened.
        caller: Who asks by default: the person at the door that opened it.
        clock: Tells the time.
        feed: Says what changed, in this process or another.
        embedder: The model in use, or the null embedder.
        background: The clock's work; None where no clock runs. In the window it is a QObject with
            the signals ``task_started``, ``task_progressed``, ``task_finished``,
            ``task_failed`` and ``state_changed``.
        is_read_only: Whether nothing can be stored, because the disk refuses it.
    """

    data_dir: Path
    workspace: Workspace | None
    settings: Settings
    caller: Caller
    clock: Clock
    feed: ChangeFeed
    embedder: Embedder

    list_workspaces: ListWorkspaces
    list_channels: ListChannels
    list_conversations: ListConversations
    browse_memories: BrowseMemories
    show_memory: ShowMemory
    show_memories: ShowMemories
    locate_memory: LocateMemory
    count_memories: CountMemories
    list_facets: ListFacets

    background: BackgroundWork | None = None
    is_read_only: bool = False
