"""The options of the commands about channels, conversations and working notes.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from inklings_desktop.cli.options import (
    REQUIRED,
    Archived,
    ChannelKey,
    CommonOptions,
    NameOptions,
    argument,
    flag,
    option,
)
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateChannelOptions(NameOptions):
    """A new channel."""

    description: str = option("--description", "One line.", "", metavar="TEXT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelOptions(CommonOptions):
    """One channel."""

    channel: str = argument("NAME|ID")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChannelsOptions(CommonOptions):
    """The channels of a workspace."""

    archived: Archived = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOptions(CommonOptions):
    """A new conversation."""

    channel: ChannelKey = None
    title: str = option("--title", "Title.", "", metavar="TEXT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversationsOptions(CommonOptions):
    """The conversations of a workspace or channel."""

    channel: ChannelKey = None
    archived: Archived = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOptions(CommonOptions):
    """One conversation."""

    conversation: str = argument("ID|REF")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions(CommonOptions):
    """Conversations that fell silent."""

    conversation: str | None = argument("[ID|REF]", "Show its memories, or decide.", default=None)
    keep: bool = flag("--keep", "Keep its memories; you won't be asked again.")
    close: bool = flag("--close", "Forget its memories.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameConversationOptions(ConversationOptions):
    """A conversation under another title."""

    title: str = argument("TITLE")


@dataclass(frozen=True, slots=True, kw_only=True)
class BookmarkOptions(ConversationOptions):
    """A place in a conversation to come back to."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleOptions(ConversationOptions):
    """A conversation that comes to rest."""

    summary: str = option(
        "--summary",
        "Each line of three words or more becomes a memory of the channel; - reads stdin.",
        "",
        metavar="TEXT",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveOptions(ConversationOptions):
    """A conversation to put away."""

    force: bool = flag("--force", "Although it is active; its tier is forgotten then.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesOptions(CommonOptions):
    """The working notes of one conversation."""

    conversation: str = option("--conversation", "Conversation.", REQUIRED, metavar="ID|REF")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteOptions(NotesOptions):
    """One working note."""

    given: str | None = argument("[KEY]", default=None)
    key: str | None = option("--key", "Name of the note.", metavar="KEY")
