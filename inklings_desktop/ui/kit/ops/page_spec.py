"""What is known of a page before it is built, and what its row in the rail tells."""

from inklings_desktop.domain.plain_data import dataclass

MEMORY_PAGE = "page:memory"
ENTRIES_PAGE = "page:entries"
PREVIEW_PAGE = "page:preview"
INBOX_PAGE = "page:inbox"
CONVERSATION_PAGE = "page:conversation"
WORLD_PAGE = "page:world"
KNOWLEDGE_PAGE = "page:knowledge"
SKILLS_PAGE = "page:skills"
CONTROL_PAGE = "page:control"
SETTINGS_PAGE = "page:settings"


@dataclass(frozen=True, slots=True)
class RailMark:
    """What a page's row in the rail tells beside its name.

    Attributes:
        count: How much it holds; None for no number.
        hint: What waits there, ``3 to decide``.
        short_hint: The same where the rail is narrow.
        told: The row for a screen reader.
        state: What goes on in a conversation: ``working``, ``waiting`` or empty.
    """

    count: int | None = None
    hint: str = ""
    short_hint: str = ""
    told: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class TabSpec:
    """All that a page with tabs knows of one before it is built.

    Attributes:
        key: Names it.
        title: What stands on it.
        target: Its class as ``module:Class``.
        words: Other words that it may be looked for by.
    """

    key: str
    title: str
    target: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """All that the window knows of a page before it is built.

    Attributes:
        id: Names it; ``page:`` and a word.
        title: As rail, menu, palette and title bar call it.
        icon: Name of its icon.
        keys: What leads to it, in Qt's portable words.
        target: Its class as ``module:Class``, imported when the page is first wanted; empty for
            the first page, which stands before any data.
        told: What a screen reader hears of it in the rail.
        is_authors: Whether it is the author's alone: nobody sees it through a client's eyes.
        is_below_rooms: Whether it stands below the channels in the rail.
        hint: The key that stands beside it in the rail; empty for none.
        adds: What the plus sign of its row in the rail begins; empty for no such sign.
        tabs: Pages that stand in it as tabs, after its own.
        words: Other words that it may be looked for by.
    """

    id: str
    title: str
    icon: str
    keys: tuple[str, ...]
    target: str
    told: str = ""
    is_authors: bool = False
    is_below_rooms: bool = False
    hint: str = ""
    adds: str = ""
    tabs: tuple[TabSpec, ...] = ()
    words: str = ""

    @property
    def targets(self) -> tuple[str, ...]:
        """The classes of the page and its tabs."""
        return (self.target, *(tab.target for tab in self.tabs))
