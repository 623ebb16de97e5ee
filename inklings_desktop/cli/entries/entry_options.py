"""The options of the commands about named entries and proposals.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from enum import StrEnum
from typing import Annotated

import typer

from inklings_desktop.cli.options import CommonOptions, argument, flag, option
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


class EntryTier(StrEnum):
    """The tiers that have named entries."""

    WORKSPACE = "workspace"
    ACCOUNT = "account"

    @property
    def tier(self) -> Tier:
        """The tier of this name."""
        return Tier(self.value)


_Tier = Annotated[
    EntryTier | None,
    typer.Option("--tier", help="Tier; needed where both have this name.", show_default=False),
]
_FromFile = Annotated[
    str | None,
    typer.Option(
        "--from-file", metavar="FILE", help="Take the body from FILE, or stdin for -, as it is."
    ),
]
_Stdin = Annotated[
    str | None,
    typer.Argument(metavar="[-]", help="Take the body from stdin, as it is.", show_default=False),
]
_IfVersion = Annotated[
    int | None,
    typer.Option(
        "--if-version", metavar="N", help="Only if this is still its version.", show_default=False
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEntriesOptions(CommonOptions):
    """The named entries of a workspace and the account."""

    deleted: bool = flag("--deleted", "Deleted companions instead.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryOptions(CommonOptions):
    """One named entry."""

    name: str = argument("NAME", "VOICE, SOUL or a companion.")
    tier: _Tier = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowEntryOptions(EntryOptions):
    """One named entry, as it is now or was."""

    revision: int | None = option("--revision", "As this revision.", metavar="N")
    to_file: str | None = option(
        "--to-file", "Write the body to a new file, as it is.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEntryOptions(EntryOptions):
    """Another body for a named entry."""

    stdin: _Stdin = None
    from_file: _FromFile = None
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntryOptions(CommonOptions):
    """A new companion."""

    name: str = argument("NAME", "Capitals, digits, underscore; 2 to 40 characters.")
    stdin: _Stdin = None
    tier: EntryTier = option("--tier", "Tier.", EntryTier.WORKSPACE)
    from_file: _FromFile = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffEntryOptions(EntryOptions):
    """Two revisions of a named entry."""

    older: int = argument("A", "Number of a revision.")
    newer: int | None = argument("[B]", "Another one; the current if left out.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEntryOptions(EntryOptions):
    """An earlier body."""

    number: int = argument("REV", "Number of a revision.")
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteEntryOptions(EntryOptions):
    """A companion to take away."""

    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalsOptions(CommonOptions):
    """What agents asked for, and what becomes of it."""

    every: bool = flag("--all", "Decided ones as well.")
    show: str | None = option("--show", "Show one with its changes.", metavar="ID")
    accept: str | None = option("--accept", "Let it happen.", metavar="ID")
    reject: str | None = option("--reject", "Decline it.", metavar="ID")
    note: str = option("--note", "What the agent can read of it.", "", metavar="TEXT")
    from_file: _FromFile = None
    if_version: _IfVersion = None
