"""The options of the commands about channels, conversations and working notes.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from typing import Annotated

import typer

from inklings_desktop.cli.options import Archived, ChannelKey, CommonOptions, NameOptions
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateChannelOptions(NameOptions):
    """A new channel."""

    description: Annotated[str, typer.Option("--description", metavar="TEXT", help="One line.")] = (
        ""
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelOptions(CommonOptions):
    """One channel."""

    channel: Annotated[str, typer.Argument(metavar="NAME|ID")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChannelsOptions(CommonOptions):
    """The channels of a workspace."""

    archived: Archived = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOptions(CommonOptions):
    """A new conversation."""

    channel: ChannelKey = None
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Title.")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversationsOptions(CommonOptions):
    """The conversations of a workspace or channel."""

    channel: ChannelKey = None
    archived: Archived = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOptions(CommonOptions):
    """One conversation."""

    conversation: Annotated[str, typer.Argument(metavar="ID|REF")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions(CommonOptions):
    """Conversations that fell silent."""

    conversation: Annotated[
        str | None, typer.Argument(metavar="[ID|REF]", help="Show its memories, or decide.")
    ] = None
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep its memories; you won't be asked again.")
    ] = False
    close: Annotated[bool, typer.Option("--close", help="Forget its memories.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameConversationOptions(ConversationOptions):
    """A conversation under another title."""

    title: Annotated[str, typer.Argument(metavar="TITLE")]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleOptions(ConversationOptions):
    """A conversation that comes to rest."""

    summary: Annotated[
        str,
        typer.Option(
            "--summary",
            metavar="TEXT",
            help="Each line of three words or more becomes a memory of the channel; - reads stdin.",
        ),
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveOptions(ConversationOptions):
    """A conversation to put away."""

    force: Annotated[
        bool, typer.Option("--force", help="Although it is active; its tier is forgotten then.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesOptions(CommonOptions):
    """The working notes of one conversation."""

    conversation: Annotated[
        str, typer.Option("--conversation", metavar="ID|REF", help="Conversation.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteOptions(NotesOptions):
    """One working note."""

    given: Annotated[str | None, typer.Argument(metavar="[KEY]", show_default=False)] = None
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="Name of the note.", show_default=False),
    ] = None
