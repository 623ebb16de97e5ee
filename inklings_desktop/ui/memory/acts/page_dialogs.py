"""Asks which page a memory comes from, and which page it is to become text of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Slot
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QListView

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.domain.world.pages import BlockKind
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.text_fields import SearchField
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeHeading, BadgeList, BadgeRow
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.background import Latest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QShowEvent

    from inklings_desktop.domain.world.finding import WorldHit
    from inklings_desktop.domain.world.pages import WorldFolder
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.page.context import Context

_WIDTH, _LIST_HEIGHT, _LEFT = 560, 320, 14
_MOST_HITS, _MOST_PAGES, _LONGEST_QUERY = 20, 4, 400
_LONGEST_PATH, _LONGEST_HEADING = 400, 200
_ENDINGS = (".md", ".markdown", ".txt")
_SIGNS = re.compile(r"\*+|\[\[|\]\]|^[#>]+\s*")


@dataclass(frozen=True, slots=True)
class Source:
    """A page or a block that was chosen: its id, and the title of the page."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where a memory is to become text.

    Attributes:
        folder: Id of the folder.
        path: Of the page below it.
        heading: Under which it is added; empty for the end of the page.
    """

    folder: str = ""
    path: str = ""
    heading: str = ""


def source_rows(hits: Sequence[WorldHit], *, is_near: bool) -> tuple[AnyBadgeRow, ...]:
    """The blocks that were found, then their pages as a whole.

    Args:
        is_near: Whether nothing was typed, and the memory's own words were looked for.
    """
    if not hits:
        return ()
    told = tr("Closest to what the memory says") if is_near else tr("In the pages")
    rows: list[AnyBadgeRow] = [BadgeHeading("blocks", told)]
    for hit in hits:
        if hit.block.kind is not BlockKind.FRONT:
            place = dict.fromkeys(filter(None, (hit.page.title, *hit.heading.split("/"))))
            text = _SIGNS.sub("", " ".join(hit.excerpt.split()))
            rows.append(BadgeRow(hit.block.id, text, " \u203a ".join(place)))
    rows.append(BadgeHeading("pages", tr("Whole pages")))
    pages = {hit.page.id: hit.page for hit in hits}
    rows += [
        BadgeRow(one.id, one.title, one.path, is_remembered=False)
        for one in list(pages.values())[:_MOST_PAGES]
    ]
    return tuple(rows)


class SourceDialog(SmallDialog):
    """Looks through the pages of the linked folders; one page or block of them is chosen.

    Attributes:
        field: What is looked for; while it is empty, what is closest to the memory is shown.
        list: What was found.
        confirm: The button that chooses.
    """

    def __init__(self, context: Context, workspace_id: str, text: str) -> None:
        """Build the dialog.

        Args:
            workspace_id: Whose pages they are.
            text: What the memory says.
        """
        told = tr(
            "The memory points at the paragraph and keeps no copy of it. If that changes, "
            "you are asked."
        )
        title = tr("What does it derive from?")
        super().__init__(context.window, title, told, name="sourceDialog", width=_WIDTH, grows=True)
        self._context, self._here, self._text = context, workspace_id, text
        self._titles: dict[str, str] = {}
        self._searching = Latest(context.background)
        self.finished.connect(self._stop)
        self.field = SearchField(
            context.theme, (), clear_name=tr("Clear"), mode_name="", parent=self
        )
        self.field.set_placeholder(tr("Find a page or a paragraph"))
        self.field.query_changed.connect(self._seek)
        card = QFrame(self)
        card.setProperty("card", "true")
        self.list = named(
            BadgeList(context.theme, tr("Pages and paragraphs"), left=_LEFT, parent=card),
            "sourceList",
        )
        card.setFixedHeight(round(_LIST_HEIGHT * self.growth))
        vbox(card, self.list, margins=1, spacing=0)
        self.field.leave_requested.connect(self.list.setFocus)
        self._nothing = plain_label("", "meta", self)
        dismiss = self.button(tr("Cancel"))
        dismiss.clicked.connect(self.reject)
        self.confirm = self.button(tr("Derive"), "sourceConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        self.list.row_chosen.connect(lambda key: self.confirm.setEnabled(bool(key)))
        for used in (self.list.activated_by_key, self.list.doubleClicked):
            used.connect(lambda _index: self.confirm.click())
        self.lay_out(self.field, card, left=((self._nothing, 1),), right=(dismiss, self.confirm))
        self._seek("")
        self.field.edit.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its words want, whose lines are known by now."""
        super().showEvent(event)
        if (layout := self.layout()) is not None:
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    @property
    def chosen(self) -> Source | None:
        """What is chosen; None for nothing."""
        key = self.list.current_id()
        return Source(key, self._titles[key]) if key else None

    @Slot(str)
    def _seek(self, query: str) -> None:
        self.confirm.setEnabled(False)
        self._searching.run(self._search(query.strip()))

    @Slot()
    def _stop(self) -> None:
        """What was typed last would be looked for after the dialog is gone."""
        self.field.blockSignals(True)
        self._searching.cancel()

    async def _search(self, query: str) -> None:
        asked = WorldQuery((query or self._text)[:_LONGEST_QUERY], limit=_MOST_HITS)
        search = self._context.inklings.world.search
        hits = (await self._context.background.read(search, self._here, asked)).hits
        self._titles = {one.block.id: one.page.title for one in hits}
        self._titles |= {one.page.id: one.page.title for one in hits}
        rows = source_rows(hits, is_near=not query)
        # What was looked for is taken by Enter; what only seems near is chosen by hand.
        first = next((one.id for one in rows if isinstance(one, BadgeRow)), "") if query else ""
        self.list.show_rows(rows, first)
        self.confirm.setEnabled(bool(first))
        nothing = tr("Nothing is found.") if query else tr("Type what the page says.")
        self._nothing.setText("" if rows else nothing)


class PromoteDialog(SmallDialog):
    """A folder where there are several, the path of a page, and a heading in it.

    Attributes:
        path: Of the page, which may be there or not.
        section: The heading; may stay empty.
        outcome: What becomes of it.
        confirm: The button that proposes it.
    """

    def __init__(
        self,
        context: Context,
        pages: Sequence[tuple[WorldFolder, Sequence[str]]],
        before: Target,
    ) -> None:
        """Build the dialog.

        Args:
            pages: Folders that can be written, at least one, each with the paths of its pages.
            before: What was filled in and came to nothing.
        """
        told = tr(
            "It waits under World, Proposed. The page changes once you accept it there; the "
            "memory stays."
        )
        title = tr("Propose as text of a page")
        super().__init__(
            context.window, title, told, name="promoteDialog", width=_WIDTH, grows=True
        )
        self._paths = {folder.id: frozenset(paths) for folder, paths in pages}
        names = [Segment(one.id, one.name) for one, _ in pages]
        self._folder = SegmentedSwitch(context.theme, names, tr("Folder"), height=32, parent=self)
        self._folder.setVisible(len(names) > 1)
        if before.folder in self._paths:
            self._folder.show_choice(before.folder)
        self._folder.choice_changed.connect(self._on_changed)
        self.path = self._line("promotePath", tr("Page"), _LONGEST_PATH, before.path)
        self.path.setPlaceholderText(tr("people/nerys.md"))
        self._known = QStringListModel(self)
        completer = QCompleter(self._known, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        popup = QListView()
        popup.setProperty("popup", "true")
        completer.setPopup(popup)
        self.path.setCompleter(completer)
        self.section = self._line("promoteHeading", tr("Heading"), _LONGEST_HEADING, before.heading)
        self.section.setPlaceholderText(tr("At the end of the page"))
        self.outcome = plain_label("", "meta", self, wraps=True)
        dismiss = self.button(tr("Cancel"))
        dismiss.clicked.connect(self.reject)
        self.confirm = self.button(tr("Propose"), "promoteConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        self.lay_out(
            self._folder,
            vbox(None, plain_label(tr("Page"), "label", self), self.path, spacing=4),
            vbox(None, plain_label(tr("Heading"), "label", self), self.section, spacing=4),
            self.outcome,
            right=(dismiss, self.confirm),
        )
        self._on_changed()
        self.path.setFocus()

    @property
    def target(self) -> Target:
        """What is filled in; a path without an ending is that of a Markdown file."""
        path = self.path.text().strip().strip("/")
        if path and not path.casefold().endswith(_ENDINGS):
            path += ".md"
        return Target(self._folder.choice(), path, self.section.text().strip().lstrip("# "))

    def _line(self, name: str, spoken: str, longest: int, text: str) -> QLineEdit:
        field = named(QLineEdit(text, self), name, spoken)
        field.setMaxLength(longest)
        field.textChanged.connect(self._on_changed)
        return field

    @Slot()
    def _on_changed(self) -> None:
        wanted = self.target
        paths = self._paths[wanted.folder]
        if self._known.stringList() != sorted(paths):
            self._known.setStringList(sorted(paths))
        told = tr("Choose a page that is there, or name a new one.")
        if wanted.path in paths:
            told = tr("It is added at the end of {page}.")
            if wanted.heading:
                told = tr("It is added to {page}, below this heading.")
        elif wanted.path:
            told = tr("{page} is not there yet: it is made with this text.")
        self.outcome.setText(told.format(page=wanted.path))
        self.confirm.setEnabled(bool(wanted.path))
