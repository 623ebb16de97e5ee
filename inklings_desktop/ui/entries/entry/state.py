"""Everything the pane of one named entry shows at one moment, as finished texts and figures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import EntryRef
    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.entries.entry.revision_list_model import RevisionRow


class EntryMode(Enum):
    """How an entry is shown."""

    WRITE = "write"
    SPLIT = "split"
    HISTORY = "history"


class NoticeKind(Enum):
    """What a person should know or decide before typing on."""

    DRAFT = "draft"
    DISK_FULL = "disk_full"
    CHANGED = "changed"
    DELETED = "deleted"
    PROPOSAL = "proposal"
    TEMPLATE = "template"
    DAMAGED = "damaged"
    SECRET = "secret"  # noqa: S105 - the name of a kind


@dataclass(frozen=True, slots=True)
class EntryNotice:
    """One notice above the text.

    Attributes:
        kind: What it is about.
        title: What happened.
        text: What follows from it.
    """

    kind: NoticeKind
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts side by side, line by line.

    Attributes:
        older: Name of the text at the left of the arrow.
        newer: Name of the text at its right.
        diff: How one becomes the other.
    """

    older: str
    newer: str
    diff: TextDiff


@dataclass(frozen=True, slots=True)
class EntryFigures:
    """How long the text in the editor is.

    Attributes:
        n_characters: As written, line ends included.
        n_words: Runs between blanks that hold a letter or figure.
        n_tokens: Roughly.
    """

    n_characters: int = 0
    n_words: int = 0
    n_tokens: int = 0


@dataclass(frozen=True, slots=True)
class EntryState:
    """Everything the pane shows of one entry.

    Attributes:
        ref: The entry; None while nothing is shown.
        name: Its name.
        tier: Whose mark stands beside the name.
        edited: When and by whom it was last saved.
        edited_exact: The instant of that.
        text: What stands in the editor.
        text_serial: Grows whenever the text was replaced by something else than typing.
        is_undoable: Whether that replacement may be taken back with the editor's own undo.
        is_editable: Whether the editor takes typing.
        is_looking: Whether somebody only looks: nothing is offered that would change anything.
        is_built_in: Whether it cannot be deleted.
        is_unsaved: Whether something would be lost if the pane showed something else.
        is_saving: Whether a save is under way.
        can_save: Whether saving makes sense now.
        can_revert: Whether there is something to take back.
        accepts: Name of the client whose proposal a save accepts; empty else.
        error: What is wrong with the text; empty if nothing.
        notice: What to know or decide first.
        comparison: The two texts a notice is about, while they are compared.
        n_revisions: How often it was saved.
    """

    ref: EntryRef | None = None
    name: str = ""
    tier: Tier | None = None
    edited: str = ""
    edited_exact: str = ""
    text: str = ""
    text_serial: int = 0
    is_undoable: bool = False
    is_editable: bool = False
    is_looking: bool = False
    is_built_in: bool = False
    is_unsaved: bool = False
    is_saving: bool = False
    can_save: bool = False
    can_revert: bool = False
    accepts: str = ""
    error: str = ""
    notice: EntryNotice | None = None
    comparison: Comparison | None = None
    n_revisions: int = 0


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The revisions of one entry and the comparison of two of them.

    Attributes:
        rows: Newest first.
        comparison: None until it has been worked out.
        can_restore: Whether the chosen revision differs from the current text.
        older_text: Text of the chosen revision, for copying; None until it was read.
    """

    rows: tuple[RevisionRow, ...] = ()
    comparison: Comparison | None = None
    can_restore: bool = False
    older_text: str | None = None
