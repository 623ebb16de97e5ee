"""Options of backups, the check and the deletion of a workspace.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from typing import Annotated

import typer

from inklings_desktop.cli.options import CommonOptions, LongOptions, argument, flag, option
from inklings_desktop.domain.plain_data import dataclass

OfAccount = Annotated[
    bool, typer.Option("--account", help="Only the account's, with SOUL and the preferences.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupOptions(LongOptions):
    """Which files are backed up."""

    account: OfAccount = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListBackupsOptions(CommonOptions):
    """Which backups are listed."""

    account: OfAccount = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreBackupOptions(LongOptions):
    """Which backup is brought back."""

    name: str = argument("NAME", "As inklings backup list names it.")
    accept_log: bool = flag("--accept-log", "Restore it even though its event log was changed.")
    only: list[str] | None = option(
        "--only",
        "Restore only this memory or named entry, as inklings backup compare names it."
        " Give it again for more.",
        metavar="ID|NAME",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareBackupOptions(LongOptions):
    """Which backup is held against what is there now."""

    name: str = argument("NAME", "As inklings backup list names it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteBackupOptions(CommonOptions):
    """Which backup goes."""

    name: str = argument("NAME", "As inklings backup list names it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions(LongOptions):
    """What a check may do."""

    repair: bool = flag(
        "--repair",
        "Make indexes, counts and vectors again where they are wrong or damaged, remove"
        " what killed programs left, and close files that others may open.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteWorkspaceOptions(CommonOptions):
    """Which workspace goes, and the phrase that says it shall."""

    key: str = argument("NAME|ID")
    confirm: str | None = option(
        "--confirm", "The words delete NAME; without them nothing is deleted.", metavar="PHRASE"
    )
