"""One opened named entry: what was read and typed, its revisions, and how two of them differ."""

from __future__ import annotations

import re
from dataclasses import field
from enum import Enum
from itertools import starmap, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.entries.named_entry import (
    EntryDraft,
    EntryRef,
    EntryWithRevisions,
    NamedEntry,
    RevisionHead,
    about_tokens,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.entries.history_pane import HistoryState, RevisionRow
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.words.entry_facts import (
    characters_label,
    day_label,
    edited_label,
    revision_title,
)
from inklings_desktop.ui.kit.words.memory_facts import curator_label, exact_time, name_of_writer
from inklings_desktop.ui.markdown.diff_view import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class _Wish:
    """Which two texts are asked for; ``newer`` is None for the text in the editor."""

    ref: EntryRef
    older: int
    newer: int | None
    text: str


class EntryHistory:
    """Shows the revisions of the entry in the editor; knows no widgets.

    The older side is a revision, the newer one the text in the editor or a second revision.
    """

    def __init__(self, context: Context, show: Callable[[HistoryState], None]) -> None:
        """Show nothing yet.

        Args:
            show: Shows revisions and their comparison, whenever they are others.
        """
        self._context = context
        self._show = show
        self._comparing = Latest(context.background)
        self._shown: OpenEntry | None = None
        self._older = 0
        self._newer: int | None = None
        self._bodies: dict[int, str] = {}
        self._compared: tuple[_Wish, TextDiff] | None = None

    @property
    def state(self) -> HistoryState:
        """What is to be shown now."""
        shown = self._shown
        if shown is None or not shown.revisions:
            return HistoryState()
        comparison = None
        wish = self._wish(shown)
        if self._compared is not None and self._compared[0] == wish:
            comparison = Comparison(*self._names(shown), self._compared[1])
        older_text = self._bodies.get(self._older)
        return HistoryState(
            tuple(starmap(self._row, zip_longest(shown.revisions, shown.revisions[1:]))),
            comparison,
            can_restore=older_text is not None and older_text != shown.entry.body,
            older_text=older_text,
        )

    @property
    def older(self) -> int:
        """Number of the chosen revision."""
        return self._older

    def show_entry(self, shown: OpenEntry | None) -> None:
        """Show the revisions of an entry, or again after it was saved or typed in."""
        is_other = shown is None or self._shown is None or self._shown is not shown
        self._shown = shown
        if shown is None or not shown.revisions:
            self._comparing.cancel()
            self._bodies, self._compared = {}, None
            self._show(self.state)
            return
        numbers = {head.number for head in shown.revisions}
        if is_other:
            self._bodies, self._compared = {}, None
        if is_other or self._older not in numbers:
            self._older, self._newer = _default_older(shown), None
        if self._newer not in numbers:
            self._newer = None
        self._compare(shown)

    def choose_older(self, number: int) -> None:
        """Compare from this revision on."""
        self._older = number
        if self._newer is not None and self._newer <= number:
            self._newer = None
        if self._shown is not None:
            self._compare(self._shown)

    def choose_newer(self, number: int) -> None:
        """Compare up to this revision instead of the text in the editor; again takes that back."""
        self._newer = None if number == self._newer else number
        if self._newer is not None and self._newer < self._older:
            self._older, self._newer = self._newer, self._older
        elif self._newer == self._older:
            self._newer = None
        if self._shown is not None:
            self._compare(self._shown)

    async def settled(self) -> None:
        """Return once the latest comparison is worked out."""
        await self._comparing.settled()

    def _compare(self, shown: OpenEntry) -> None:
        self._show(self.state)
        wish = self._wish(shown)
        if self._compared is None or self._compared[0] != wish:
            self._comparing.run(self._work_out(shown, wish))

    async def _work_out(self, shown: OpenEntry, wish: _Wish) -> None:
        answer = await said(
            self._context,
            self._context.background.read(
                _compared, self._context.inklings, wish, dict(self._bodies)
            ),
        )
        if answer is not None and self._shown is shown:
            bodies, diff = answer
            self._bodies |= bodies
            self._compared = (wish, diff)
            self._show(self.state)

    def _wish(self, shown: OpenEntry) -> _Wish:
        text = "" if self._newer is not None else shown.text
        return _Wish(shown.entry.ref, self._older, self._newer, text)

    def _names(self, shown: OpenEntry) -> tuple[str, str]:
        heads = {head.number: head for head in shown.revisions}
        newer = heads.get(self._newer or 0, shown.revisions[0])
        older = heads[self._older]
        # On one and the same day only the time tells them apart.
        is_one_day = day_label(older.saved_at) == day_label(newer.saved_at)
        label = exact_time if is_one_day else day_label
        if self._newer is not None:
            return label(older.saved_at), label(newer.saved_at)
        if shown.is_typed:
            return label(older.saved_at), tr("now, not saved")
        now = tr("{day}, now").format(day=day_label(newer.saved_at))
        return label(older.saved_at), now

    def _row(self, head: RevisionHead, before: RevisionHead | None) -> RevisionRow:
        title, length = revision_title(head, before), characters_label(head.n_characters)
        label = curator_label(head.curator)
        return RevisionRow(
            head.number,
            exact_time(head.saved_at),
            title,
            head.curator.value,
            label,
            length,
            f"{title}, {label}, {length}",
            is_older=head.number == self._older,
            is_newer=head.number == self._newer,
        )


def _default_older(shown: OpenEntry) -> int:
    """The revision before the current one; the current one where text is typed or none is older."""
    heads = shown.revisions
    return heads[0 if shown.is_typed or len(heads) == 1 else 1].number


def _compared(
    inklings: Inklings, wish: _Wish, known: dict[int, str]
) -> tuple[dict[int, str], TextDiff]:
    """The bodies that were asked for and how they differ; runs on a reader."""
    for number in (wish.older, wish.newer):
        if number is not None and number not in known:
            revision = inklings.entries.show_revision(wish.ref, number)
            known[number] = revision.body
    newer = wish.text if wish.newer is None else known[wish.newer]
    return known, diff_lines(known[wish.older], newer)


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


# A run without blanks that has a letter or figure in it: Markdown's own marks are no words.
_WORD = re.compile(r"[^\w\s]*\w\S*")


class Sides(NamedTuple):
    """Two texts and what they are called."""

    older: str
    older_text: str
    newer: str
    newer_text: str


@dataclass(slots=True)
class OpenEntry:
    """An entry in the editor.

    Attributes:
        entry: As it was read when the typing began, or read again since without harm.
        revisions: Newest first.
        serials: Gives out serials, one after the other.
        now: When it was looked at last: its age is counted up to here.
        is_looking: Whether somebody only looks, through a client's eyes: nothing is offered that
            would change anything.
        is_read_only: Whether nothing can be stored at all.
        text: What stands in the editor.
        base_version: Version on which the typing began; a draft may be older than ``entry``.
        newer: What somebody else saved while there was typing.
        is_gone: Whether it was deleted while there was typing.
        offered: A draft of an earlier run that waits for a decision.
        has_draft: Whether typing of this run is kept in the store.
        proposal: What a save accepts, while the author edits a proposed text.
        comparison: Two texts on show instead of the editor.
        error: What is wrong with the text.
        caution: What to know of the text that was just saved.
        is_saving: Whether a save is under way.
        is_stale: Whether news came during the save.
        n_looks: How often it was looked at again, so that only the latest answer counts.
        is_undoable: Whether the last replacement may be taken back by the editor's own undo.
        is_disk_full: Whether the last save found no room on the disk.
        serial: Differs after every replacement of ``text`` by something else than typing.
    """

    entry: NamedEntry
    revisions: tuple[RevisionHead, ...]
    serials: Iterator[int]
    now: datetime
    is_looking: bool = False
    is_read_only: bool = False
    text: str = field(init=False)
    base_version: int = field(init=False)
    serial: int = field(init=False)
    newer: NamedEntry | None = None
    is_gone: bool = False
    offered: EntryDraft | None = None
    has_draft: bool = False
    proposal: Proposal | None = None
    comparison: Comparison | None = None
    error: str = ""
    caution: str = ""
    is_saving: bool = False
    is_stale: bool = False
    n_looks: int = 0
    is_undoable: bool = False
    is_disk_full: bool = False

    def __post_init__(self) -> None:
        self.text, self.base_version = self.entry.body, self.entry.version
        self.serial = next(self.serials)

    @property
    def ref(self) -> EntryRef:
        """Where it is."""
        return self.entry.ref

    @property
    def edited(self) -> str:
        """When and by whom it was last saved."""
        return edited_label(self.entry, self.revisions[0] if self.revisions else None, self.now)

    @property
    def edited_exact(self) -> str:
        """The instant of that."""
        return exact_time(self.revisions[0].saved_at if self.revisions else self.entry.created_at)

    @property
    def is_typed(self) -> bool:
        """Whether the editor holds another text than was stored."""
        return self.text != self.entry.body

    @property
    def is_unsaved(self) -> bool:
        """Whether showing something else would lose work: a proposed text is kept elsewhere."""
        return self.is_typed and (self.proposal is None or self.text != self.proposal.text)

    @property
    def in_conflict(self) -> bool:
        """Whether a person has to choose between two versions."""
        return self.newer is not None or self.is_gone

    @property
    def is_editable(self) -> bool:
        """Whether the text may be typed in: a draft from before must be decided on first."""
        return self.offered is None and not (self.is_looking or self.is_read_only)

    @property
    def can_save(self) -> bool:
        """Whether saving makes sense now."""
        is_worth_it = self.is_typed or self.proposal is not None
        return is_worth_it and not (self.in_conflict or self.is_saving or self.offered)

    @property
    def can_revert(self) -> bool:
        """Whether there is something to take back."""
        return (self.is_typed or self.proposal is not None) and not self.is_saving

    @property
    def accepts(self) -> str:
        """Name of the client whose proposal a save accepts; empty else."""
        return name_of_writer(self.proposal.client) if self.proposal else ""

    @property
    def notice(self) -> EntryNotice | None:
        """What to know or decide first."""
        return _notice(self)

    def replace_text(self, text: str, *, is_undoable: bool = False) -> None:
        """Put another text into the editor."""
        if text != self.text:
            self.text, self.serial = text, next(self.serials)
            self.is_undoable = is_undoable

    def settle(self, *, is_undoable: bool = False) -> None:
        """Let the editor show the entry as it is known to be stored, with nothing to decide."""
        self.base_version, self.newer, self.is_gone = self.entry.version, None, False
        self.proposal, self.comparison, self.error = None, None, ""
        self.replace_text(self.entry.body, is_undoable=is_undoable)

    def take_stored(self, found: EntryWithRevisions) -> None:
        """Stand on what was just stored from here; typing that went on meanwhile stays."""
        self.entry, self.base_version = found.entry, found.entry.version
        self.revisions, self.proposal = found.revisions, None
        self.newer, self.is_gone, self.comparison = None, False, None

    def take_news(self, found: EntryWithRevisions) -> None:
        """Stand on what somebody else stored, or ask the person where text is at stake."""
        if found.entry.version < self.entry.version:
            return  # read before our own save
        stored = found.entry.body
        self.is_gone = False
        self.revisions = found.revisions
        if not self.is_typed or self.text == stored:
            self.entry = found.entry
            self.settle()
        elif stored != self.entry.body or self.newer is not None:
            self.newer = found.entry
        else:
            self.entry, self.base_version = found.entry, found.entry.version

    def offer(self, draft: EntryDraft | None) -> None:
        """Offer this draft in place of the one before; None: there is none any more."""
        if draft != self.offered:
            self.offered, self.comparison = draft, None

    def sides(self) -> Sides:
        """The two texts that a notice is about."""
        if self.offered is not None:
            name = tr("Draft from {time}").format(time=exact_time(self.offered.kept_at))
            return Sides(tr("Saved text"), self.entry.body, name, self.offered.body)
        stored = self.newer or self.entry
        return Sides(tr("Saved text"), stored.body, tr("Your text"), self.text)


def figures_of(text: str) -> EntryFigures:
    """How long a text is."""
    return EntryFigures(len(text), len(_WORD.findall(text)), about_tokens(len(text)))


def _notice(shown: OpenEntry) -> EntryNotice | None:
    """The most pressing thing to know."""
    if shown.is_disk_full and shown.is_typed:
        return EntryNotice(
            NoticeKind.DISK_FULL,
            tr("Not saved: the disk is full."),
            tr("Your text is still in the editor."),
        )
    if shown.is_gone:
        return EntryNotice(
            NoticeKind.DELETED,
            tr("{name} was deleted while you were editing.").format(name=shown.entry.name),
            tr("Your text is still here. Save it to restore the entry."),
        )
    if shown.newer is not None:
        return EntryNotice(
            NoticeKind.CHANGED,
            tr("{name} was changed while you were editing.").format(name=shown.entry.name),
            tr("Your text is still here. Choose which one stays."),
        )
    if shown.offered is not None:
        return EntryNotice(
            NoticeKind.DRAFT,
            tr("A draft from {time} was not saved.").format(time=exact_time(shown.offered.kept_at)),
            tr("It is kept until you decide."),
        )
    if shown.proposal is not None:
        return EntryNotice(
            NoticeKind.PROPOSAL,
            tr("You are editing {client}\u2019s proposal.").format(
                client=name_of_writer(shown.proposal.client)
            ),
            tr("Saving accepts the proposal with your changes."),
        )
    if shown.entry.is_template and not shown.is_typed:
        return EntryNotice(
            NoticeKind.TEMPLATE,
            tr("The agent does not read this until you change it."),
            tr("It is a template. Replace its questions with your answers."),
        )
    if shown.entry.is_unreadable:
        return EntryNotice(
            NoticeKind.DAMAGED,
            tr("Part of {name} cannot be read.").format(name=shown.entry.name),
            tr("The agent does not read it. Rewrite it, or restore a revision."),
        )
    if shown.caution and not shown.is_typed:
        return EntryNotice(NoticeKind.SECRET, shown.caution, "")
    return None
