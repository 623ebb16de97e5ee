"""What an import did, for whoever tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.log.backup import Backup


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did.

    Attributes:
        run_id: Takes it back as one step.
        n_added: Memories added.
        n_taken: Mine that the file's took the place of.
        n_entries: Named entries written.
        n_left: Rows that were not wanted.
        is_restore: Whether everything came back as it was.
        backups: Copies of the databases from before.
        created: Names of workspaces that it made.
        n_broken: Golden questions that were answered right before and are not any more.
    """

    run_id: str
    n_added: int
    n_taken: int
    n_entries: int
    n_left: int
    is_restore: bool
    backups: tuple[Backup, ...]
    created: tuple[str, ...]
    n_broken: int = 0

    @property
    def has_written(self) -> bool:
        """Whether there is anything to take back; a file of which all is here writes nothing."""
        return bool(self.backups or self.created)
