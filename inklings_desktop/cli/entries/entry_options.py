"""The options of the commands about named entries and proposals.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from enum import StrEnum
from typing import Annotated

import typer

from inklings_desktop.cli.options import CommonOptions
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

    deleted: Annotated[bool, typer.Option("--deleted", help="Deleted companions instead.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryOptions(CommonOptions):
    """One named entry."""

    name: Annotated[str, typer.Argument(metavar="NAME", help="VOICE, SOUL or a companion.")]
    tier: _Tier = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowEntryOptions(EntryOptions):
    """One named entry, as it is now or was."""

    revision: Annotated[
        int | None,
        typer.Option("--revision", metavar="N", help="As this revision.", show_default=False),
    ] = None
    to_file: Annotated[
        str | None,
        typer.Option("--to-file", metavar="FILE", help="Write the body to a new file, as it is."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEntryOptions(EntryOptions):
    """Another body for a named entry."""

    stdin: _Stdin = None
    from_file: _FromFile = None
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntryOptions(CommonOptions):
    """A new companion."""

    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Capitals, digits, underscore; 2 to 40 characters."),
    ]
    stdin: _Stdin = None
    tier: Annotated[EntryTier, typer.Option("--tier", help="Tier.")] = EntryTier.WORKSPACE
    from_file: _FromFile = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffEntryOptions(EntryOptions):
    """Two revisions of a named entry."""

    older: Annotated[int, typer.Argument(metavar="A", help="Number of a revision.")]
    newer: Annotated[
        int | None,
        typer.Argument(metavar="[B]", help="Another one; the current if left out."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEntryOptions(EntryOptions):
    """An earlier body."""

    number: Annotated[int, typer.Argument(metavar="REV", help="Number of a revision.")]
    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteEntryOptions(EntryOptions):
    """A companion to take away."""

    if_version: _IfVersion = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalsOptions(CommonOptions):
    """What agents asked for, and what becomes of it."""

    every: Annotated[bool, typer.Option("--all", help="Decided ones as well.")] = False
    show: Annotated[
        str | None, typer.Option("--show", metavar="ID", help="Show one with its changes.")
    ] = None
    accept: Annotated[str | None, typer.Option("--accept", metavar="ID", help="Let it happen.")] = (
        None
    )
    reject: Annotated[str | None, typer.Option("--reject", metavar="ID", help="Decline it.")] = None
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="What the agent can read of it.")
    ] = ""
    from_file: _FromFile = None
    if_version: _IfVersion = None
