"""What the use cases of scrub need from outside: rows to remove, and files to clear of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import (
        BackupHolding,
        PendingScrub,
        ScrubMode,
        ScrubReceipt,
    )
    from inklings_desktop.domain.scrub.scrub_contents import Doomed, Said, ScrubContents
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.usecases.ports.progress import Progress


class KeySource(Protocol):
    """Hands out the key of this installation."""

    def __call__(self) -> bytes:
        """32 bytes.

        Raises:
            StorageError: It can be neither read nor made.
        """
        ...


class OperatorName(Protocol):
    """Says who runs the program."""

    def __call__(self) -> str:
        """Name of the system user; empty where there is none."""
        ...


class ScrubRepository(Protocol):
    """What a scrub would remove from one file, the removal, and the markers of open purges."""

    def contents(
        self, scope: ScopeKey, mode: ScrubMode, decay: DecayConfig, as_of: datetime
    ) -> ScrubContents:
        """Everything a scrub of this scope is about.

        Raises:
            NotFoundError: There is no such conversation or channel.
        """
        ...

    def said(self, scope: ScopeKey) -> Said:
        """Ids and texts of the memories of a scope, earlier texts included."""
        ...

    def quoting(self, said: Said) -> tuple[Doomed, ...]:
        """Messages of this file that hold something of memories of the account's."""
        ...

    def unquote(self, said: Said) -> None:
        """Take that out of them, and remove the state of the runs that may hold it."""
        ...

    def remove(self, contents: ScrubContents, number: int, at: datetime) -> None:
        """Remove what was just counted in this transaction, and leave the marker of a purge.

        Args:
            contents: As counted.
            number: Of the event that records it.
            at: When.
        """
        ...

    def pending(self) -> tuple[PendingScrub, ...]:
        """Scrubs of this file whose text may still lie in files of ours, oldest first."""
        ...

    def close(self, number: int) -> bool:
        """Take the marker of a purge away; whether it was there."""
        ...


class ScrubRequestRepository(Protocol):
    """Scrubs that agents ask for, and which windows are open; in the account's file only."""

    def get(self, request_id: str) -> ScrubRequest:
        """The request with exactly this id, as it is stored.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def open_requests(self, client: str | None = None) -> tuple[ScrubRequest, ...]:
        """Those without an outcome in the file, the first asked first; of one client, or of all."""
        ...

    def save(self, request: ScrubRequest) -> None:
        """Store a request, new or with its outcome; old ones that have ended leave."""
        ...

    def note_window(self, holder: str, now: datetime, seconds: float) -> None:
        """Keep in mind for so many seconds that a window is there.

        Args:
            holder: Id of the window.
            now: When it said so.
            seconds: How long that holds.
        """
        ...

    def drop_window(self, holder: str) -> None:
        """A window is closed."""
        ...

    def has_window(self, now: datetime) -> bool:
        """Whether any window is there at an instant."""
        ...


@dataclass(frozen=True, slots=True)
class Erased:
    """What clearing the files came to.

    Attributes:
        receipt: What the search looked through, without its keyed hash; None while text may
            remain.
        pending: Why text may remain: ``snapshot``, ``busy``, ``disk`` or ``text``; else None.
    """

    receipt: ScrubReceipt | None
    pending: str | None = None


class Eraser(Protocol):
    """Clears what a scrub removed out of every file of ours under the data root."""

    def backups_holding(self, scope: ScopeKey, mode: ScrubMode) -> tuple[BackupHolding, ...]:
        """Managed backups that hold some of what would go, oldest first; changes nothing."""
        ...

    def prepare(self, workspace_id: str | None) -> None:
        """Return only if there is room to finish, and everything can be written to.

        Raises:
            DatabaseFullError: Too little room is left.
            DatabaseReadOnlyError: The folder or a file in it cannot be written to.
        """
        ...

    def announce(self, workspace_id: str | None) -> None:
        """Note beside the file that a purge of it may follow; before that commit.

        Raises:
            StorageError: The note cannot be made.
        """
        ...

    def erase(
        self,
        workspace_id: str | None,
        number: int,
        progress: Progress,
        *,
        patience_seconds: float = 0.0,
    ) -> Erased:
        """Rewrite index, file and backups without the text, then search for it everywhere.

        Args:
            workspace_id: Whose file was scrubbed; None for the account's.
            number: Of the scrub's event.
            progress: Hears ``index``, ``compact``, ``backups`` and ``search``; it can be stopped
                between two steps and goes on there the next time.
            patience_seconds: How long another purge under this data root is waited for.

        Raises:
            StorageError: The disk refuses it; the purge stays open.
            StoppedError: It was stopped; the purge stays open.
        """
        ...

    def clear_quotes(self, workspace_id: str, said: Said) -> None:
        """Take out of a workspace's backups what its talk says of memories of the account's.

        Raises:
            StorageError: The disk refuses it.
        """
        ...

    def settle(self, workspace_id: str | None) -> None:
        """Clear what the marker itself left behind, once no purge of this file is open."""
        ...

    def files_to_resume(self) -> tuple[str | None, ...]:
        """Files that may have an open purge: workspace ids, None for the account's."""
        ...
