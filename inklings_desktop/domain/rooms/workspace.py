"""A workspace: the unit that is copied, exported and deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.errors import StorageError


@dataclass(frozen=True, slots=True)
class Workspace:
    """One world the author works in.

    Attributes:
        id: Random UUID; also the name of its folder.
        name: As the author wrote it; unique, regardless of case.
    """

    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class WorkspaceSummary:
    """A workspace as a person chooses among several.

    Attributes:
        n_memories: Active memories in its file; None when the file cannot be read.
        problem: Why it cannot be read; None when it can.
    """

    workspace: Workspace
    folder: Path
    n_memories: int | None = None
    problem: StorageError | None = None
