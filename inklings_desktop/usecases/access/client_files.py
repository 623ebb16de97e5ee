"""Add this program to the configuration of another one: looked at first, then written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.access.connections import WITH_OWN_FILE
from inklings_desktop.domain.errors import ClientFileError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.access.client_entries import ShapeError, with_entry

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.access.connections import ClientProgram
    from inklings_desktop.usecases.access.connections import DescribeConnection


class ClientFiles(Protocol):
    """The files in which other programs of this user keep their configuration."""

    def place(self, program: ClientProgram) -> Path | None:
        """Where the file of a program lies, whether it is there or not; None if not known."""
        ...

    def is_installed(self, program: ClientProgram) -> bool:
        """Whether there is any sign of a program on this machine; nothing is started."""
        ...

    def read(self, path: Path) -> str | None:
        """What a file holds; None if it is not there.

        Raises:
            ClientFileError: It is no plain text of this user, or its folder is not there.
            StorageError: It cannot be read.
        """
        ...

    def replace(self, path: Path, before: str | None, after: str) -> Path | None:
        """Put another text in its place, whole or not at all; its mode stays.

        Args:
            path: The file.
            before: What it holds; None if it is not there.
            after: What it is to hold.

        Returns:
            A copy of the file as it was; None where there was none.

        Raises:
            ClientFileError: It holds something else by now, or ``read`` would refuse it.
            StorageError: It cannot be written; it is as it was.
        """
        ...


@dataclass(frozen=True, slots=True)
class ClientFileChange:
    """What adding this program to another one's file would change.

    Attributes:
        path: The file.
        before: What it holds; None if it is not there.
        after: What it would hold.
    """

    path: Path
    before: str | None
    after: str

    @property
    def is_needed(self) -> bool:
        """Whether anything would change."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class FindPrograms:
    """Say which of the programs that can be connected are on this machine."""

    files: ClientFiles

    def __call__(self, caller: Caller) -> frozenset[ClientProgram]:
        """Those with a command or a folder of their own; nothing is started, nothing asked.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        return frozenset(one for one in WITH_OWN_FILE if self.files.is_installed(one))


@dataclass(frozen=True, slots=True)
class PreviewAddition:
    """Say what adding this program to another one's file would change; nothing is written."""

    describe: DescribeConnection
    files: ClientFiles

    def __call__(
        self, caller: Caller, client: str, workspace_id: str, program: ClientProgram
    ) -> ClientFileChange:
        """The file, before and after.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name of the client cannot be kept.
            ClientFileError: The file cannot be added to.
            StorageError: It cannot be read.
        """
        authorize_management(caller)
        server = self.describe.server(client, workspace_id)
        path = self.files.place(program)
        if path is None:
            raise ClientFileError(None, "no_place")
        before = self.files.read(path)
        try:
            after = with_entry(before or "", program, server)
        except ShapeError as error:
            raise ClientFileError(path, "shape") from error
        except (ValueError, RecursionError) as error:
            raise ClientFileError(path, "unreadable") from error
        return ClientFileChange(path, before, after)


@dataclass(frozen=True, slots=True)
class ApplyAddition:
    """Write what was looked at."""

    files: ClientFiles

    def __call__(self, caller: Caller, change: ClientFileChange) -> Path | None:
        """The copy of the file as it was; None where there was none, or nothing to change.

        Raises:
            ScopeDeniedError: The caller is an agent.
            ClientFileError: The file holds something else by now.
            StorageError: It cannot be written; it is as it was.
        """
        authorize_management(caller)
        if not change.is_needed:
            return None
        return self.files.replace(change.path, change.before, change.after)
