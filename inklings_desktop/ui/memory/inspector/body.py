"""The scrolling part of the inspector for one memory, with what stands below its text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from inklings_desktop.domain.world.derivations import SourceState
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.dialogs.pieces import cleared
from inklings_desktop.ui.kit.look.accessibility import announce, named, stand_after, stand_before
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import editor_text, plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    IconLabel,
    SectionTitle,
    elided_label,
    plain_label,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.relevance_chart import ChartCurve, RelevanceChart
from inklings_desktop.ui.kit.panes.pieces import SECTION_GAP, Notice, PaneScroll
from inklings_desktop.ui.kit.words.axis_words import axis_rows, reasons_line
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit
from inklings_desktop.ui.memory.inspector.details import DetailsForm
from inklings_desktop.ui.memory.inspector.history import HistoryList
from inklings_desktop.ui.memory.inspector.sections import FamilySection, TurnPart, WhySection
from inklings_desktop.ui.memory.subject.state import ConflictKind, MemoryEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QBoxLayout

    from inklings_desktop.domain.memory import Derivation
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.derivations import SourceStanding
    from inklings_desktop.ui.kit.controls.buttons import PushButton
    from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel
    from inklings_desktop.ui.kit.lists.memory_row_layout import CurveNumbers
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.subject.family import FamilyState
    from inklings_desktop.ui.memory.subject.state import (
        ChartFacts,
        ConflictFacts,
        ForgottenFacts,
        InspectorState,
        OfferFacts,
    )


class _ComparingBanner(QWidget):
    """A notice over two texts, whose difference unfolds below it.

    Signals:
        compare_requested: How the two texts differ is wanted; ``show_difference`` takes it.
    """

    compare_requested = Signal()

    def __init__(
        self, theme: Theme, name: str, icon: str, legend: str, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self.setObjectName(f"{name}Banner")
        self._notice = Notice(theme, icon=icon, role="ochre", ground="ochreSoft", parent=self)
        self._versions = TwoTexts(theme, legend, self)
        self._versions.hide()
        self.diff = self._versions.diff
        self.compare = self._button(tr("Compare"), "Compare")
        self.compare.setCheckable(True)
        self.compare.toggled.connect(self._on_compare_toggled)
        self._column = vbox(self, self._notice, self._versions, margins=0, spacing=8)

    def show_difference(self, diff: TextDiff) -> None:
        """Show how the two texts differ."""
        self.diff.show_diff(diff)

    def _button(self, text: str, name: str) -> PushButton:
        button = named(self._notice.add_button(text), f"{self._name}{name}")
        stand_before(self.diff, [button])
        return button

    def _show_versions(self, *, shown: bool) -> None:
        self._versions.setVisible(shown)

    @Slot(bool)
    def _on_compare_toggled(self, checked: bool) -> None:  # noqa: FBT001 - Qt
        self._show_versions(shown=checked)
        if checked:
            self.compare_requested.emit()


class ConflictBanner(_ComparingBanner):
    """Says that a memory changed under the editor's hands, shows how, and offers the choice.

    Attributes:
        copy: Puts the text on the clipboard.
        keep: Saves the person's version.
        take: Shows the stored version instead.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        legend = tr("\u2212 stored text   + your text")
        super().__init__(theme, "conflict", "warning", legend, parent)
        self._texts: tuple[str, str | None] = ("", None)
        self.copy = self._button(tr("Copy text"), "Copy")
        self.keep = self._button(tr("Keep mine"), "KeepMine")
        self.take = self._button(tr("Take theirs"), "TakeTheirs")
        self.diff.setObjectName("conflictDiff")
        self.diff.setAccessibleName(tr("Changes from the stored text to yours"))
        self._figures_text = ""
        self._figures = wrapped_label("", "meta", self)
        self._figures.hide()
        self._column.addWidget(self._figures)

    def show_conflict(self, conflict: ConflictFacts) -> None:
        """Show a conflict, or the same one after more typing."""
        self._notice.say(conflict.title, self._consequence(conflict.kind))
        can_compare = conflict.theirs is not None
        self.compare.setVisible(can_compare)
        self.copy.setVisible(conflict.kind is ConflictKind.GONE)
        self._figures_text = (
            tr("Stored with {figures}.").format(figures=conflict.their_figures)
            if conflict.their_figures
            else ""
        )
        keep, take = self._verbs(conflict.kind)
        self.keep.setText(keep)
        self.take.setText(take)
        is_compared = can_compare and self.compare.isChecked()
        self._show_versions(shown=is_compared)
        texts, self._texts = self._texts, (conflict.mine, conflict.theirs)
        if is_compared and texts != self._texts:
            self.compare_requested.emit()

    def _show_versions(self, *, shown: bool) -> None:
        super()._show_versions(shown=shown)
        self._figures.setText(self._figures_text)
        self._figures.setVisible(shown and bool(self._figures_text))

    def _consequence(self, kind: ConflictKind) -> str:
        return {
            ConflictKind.CHANGED: tr("Your text is still here. Choose which one stays."),
            ConflictKind.FORGOTTEN: tr("Your text is still here. Save it to restore the memory."),
            ConflictKind.GONE: tr("Your text is still here. Save it as a new memory."),
        }[kind]

    def _verbs(self, kind: ConflictKind) -> tuple[str, str]:
        return {
            ConflictKind.CHANGED: (tr("Keep mine"), tr("Take theirs")),
            ConflictKind.FORGOTTEN: (tr("Restore and keep mine"), tr("Leave forgotten")),
            ConflictKind.GONE: (tr("Write it again"), tr("Discard mine")),
        }[kind]


class OfferBanner(_ComparingBanner):
    """Says that an earlier run had not saved what was typed, and offers it.

    Attributes:
        proceed: Goes on with it.
        discard: Lets go of it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, "draft", "clock-counter-clockwise", tr("\u2212 stored text   + draft"), parent
        )
        self.discard = self._button(tr("Discard it"), "Discard")
        self.proceed = self._button(tr("Continue with it"), "Continue")
        self._offer: OfferFacts | None = None

    def show_offer(self, offer: OfferFacts) -> None:
        """Show another offer, its comparison folded away; the same one stays as it stands."""
        if offer != self._offer:
            self._offer = offer
            self._notice.say(offer.title, tr("It is kept until you decide."))
            self.compare.setChecked(False)


class DiskFullBanner(Notice):
    """Says that a save found no room, and keeps the text within reach.

    Attributes:
        retry: Saves once more.
        copy: Puts the text on the clipboard.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, icon="warning-circle", role="madder", ground="madderSoft", parent=parent
        )
        self.setObjectName("diskFullBanner")
        self.say(tr("Not saved: the disk is full."), tr("Your text is still in the editor."))
        self.retry = named(self.add_button(tr("Try again")), "diskFullRetry")
        self.copy = named(self.add_button(tr("Copy text")), "diskFullCopy")


class TwoTexts(QFrame):
    """How two texts differ, under a line that says which is which."""

    def __init__(self, theme: Theme, legend: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.diff = DiffView(theme, self, compact=True)
        vbox(self, plain_label(legend, "label", self), self.diff, margins=(8, 7, 8, 8), spacing=5)


class ForgottenBanner(Notice):
    """Says since when and why a memory is forgotten, and offers it back.

    Attributes:
        restore: Makes the memory active again.
        successor: Leads to the memory that took its place.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, icon="eraser", role="graphite", ground="graphiteSoft", parent=parent
        )
        self.setObjectName("forgottenBanner")
        self.restore = named(self.add_button(tr("Restore")), "bannerRestore")
        self.successor = named(LinkButton("", self), "bannerSuccessor")
        self.buttons.addWidget(self.successor)
        self.show_successor("")

    def show_successor(self, text: str, *, is_replaced: bool = False) -> None:
        """Lead to the memory that took its place.

        Args:
            text: What that one says; empty if there is none.
            is_replaced: Whether that one was written to replace it.
        """
        self.successor.setVisible(bool(text))
        words = tr("Merged into another one"), tr("Merged into: {text}")
        if is_replaced:
            words = tr("Replaced by another one"), tr("Replaced by: {text}")
        self.successor.setText(words[0])
        self.successor.setAccessibleName(words[1].format(text=text))
        self.successor.setToolTip(plain_tool_tip(text))

    def show_forgotten(self, forgotten: ForgottenFacts) -> None:
        """Show since when and why."""
        reason = forgotten.reason
        self.say(
            forgotten.title,
            tr("Reason: {reason}. The agent does not find it.").format(reason=reason)
            if reason
            else tr("The agent does not find it."),
        )
        self.setToolTip(plain_tool_tip(forgotten.exact))


_PROMOTE_AT = 0.7


class MemoryBody(PaneScroll):
    """Text, what is to be settled, relevance, details, sources and history of one memory.

    Signals:
        edited: A ``MemoryEdit``.
    """

    edited = Signal(object)

    def __init__(
        self, theme: Theme, known_tags: KnownTagsModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rest_ms = theme.duration("debounceAutosave")
        """From the first unkept key until what stands in the fields is kept."""
        self.turn = TurnPart(theme, self.column)
        self.content = GrowingTextEdit(theme, self.column)
        self.content.setObjectName("memoryContent")
        self.content.setAccessibleName(tr("Memory text"))
        self.content.textChanged.connect(lambda: self.edited.emit(MemoryEdit(content=self.text())))
        self._content_error = plain_label("", "error", self.column)
        self.caution = named(plain_label("", "ochre", self.column), "secretCaution")
        self.caution.setWordWrap(True)
        self.caution.hide()
        self.conflict = ConflictBanner(theme, self.column)
        self.forgotten = ForgottenBanner(theme, self.column)
        self.offer = OfferBanner(theme, self.column)
        self.disk_full = DiskFullBanner(theme, self.column)
        for banner in (self.conflict, self.disk_full):
            banner.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        self._banners = [
            self._box(one) for one in (self.conflict, self.forgotten, self.offer, self.disk_full)
        ]
        damaged = Notice(
            theme, icon="warning", role="ochre", ground="ochreSoft", parent=self.column
        )
        damaged.say("", tr("Part of this memory cannot be read. Write it again, then resume it."))
        self._damaged = self._box(damaged)
        self.why = WhySection(theme, self.column)
        self._relevance = _RelevanceSection(theme, self.column)
        self.details = DetailsForm(theme, known_tags, self.edited.emit, self.column)
        self.sources = _SourceList(theme, self.details.states.confirm, self.column)
        self.family = FamilySection(theme, after=self.details.states.confirm, parent=self.column)
        self.history = HistoryList(theme, self.column)
        self._lay_out()

    def show_state(self, state: InspectorState, *, is_other: bool) -> None:
        """Show a memory; what is unchanged in it stays as it stands on the screen.

        Args:
            state: What to show.
            is_other: Whether another memory is shown than before.
        """
        if state.draft is None:
            return
        if is_other or state.draft.content != self.text():
            self.content.set_plain_text(state.draft.content)
        self.content.setReadOnly(not state.is_editable)
        error = state.field_errors.content
        if error and error != self._content_error.text():
            announce(self, error, urgent=True)
        self.content.set_invalid(invalid=bool(error))
        self.content.setAccessibleDescription(error)
        self._content_error.setText(error)
        self._content_error.setVisible(bool(error))
        if state.caution and state.caution != self.caution.text():
            announce(self, state.caution)
        self.caution.setText(state.caution)
        self.caution.setVisible(bool(state.caution))
        self._show_banners(state)
        self._relevance.show_chart(state.chart)
        self.details.show_state(state, is_other=is_other)
        self.sources.show_sources(state.derivations, state.standings)
        self.history.show_lines(state.history)
        self.history.setVisible(bool(state.history))
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _show_banners(self, state: InspectorState) -> None:
        if state.conflict is not None:
            self.conflict.show_conflict(state.conflict)
            if self._banners[0].isHidden():
                announce(self, state.conflict.title, urgent=True)
        elif not self._banners[0].isHidden():
            self.conflict.compare.setChecked(False)  # the next one starts folded
        self._banners[0].setVisible(state.conflict is not None)
        if state.forgotten is not None:
            self.forgotten.show_forgotten(state.forgotten)
        self._banners[1].setVisible(state.forgotten is not None)
        if state.offer is not None:
            self.offer.show_offer(state.offer)
            if self._banners[2].isHidden():
                announce(self, state.offer.title)
        self._banners[2].setVisible(state.offer is not None)
        if state.is_disk_full and self._banners[3].isHidden():
            announce(self, self.disk_full.title.text(), urgent=True)
        self._banners[3].setVisible(state.is_disk_full)
        self._damaged.setVisible(state.is_unreadable)

    def show_family(self, family: FamilyState) -> None:
        """Show what the memory was made from and what it became."""
        self.family.show_state(family)
        self.forgotten.show_successor(family.successor_text, is_replaced=family.is_replaced)

    def text(self) -> str:
        """The text in the editor, with every blank as it was typed."""
        return editor_text(self.content.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The editor may take two fifths of the pane."""
        super().resizeEvent(event)
        self.content.set_room(self.height())

    def _lay_out(self) -> None:
        stack = self.stack
        stack.addWidget(self.turn)
        stack.addWidget(self.content)
        stack.addWidget(self._content_error)
        stack.addWidget(self.caution)
        for box in (self._damaged, *self._banners):
            stack.addWidget(box)
        stack.addWidget(self.why)
        stack.addWidget(self._relevance)
        stack.addSpacing(SECTION_GAP)
        stack.addWidget(self.details)
        stack.addWidget(self.sources)
        stack.addWidget(self.family)
        stack.addSpacing(SECTION_GAP)
        stack.addWidget(self.history)
        stack.addWidget(self.turn.said)
        stack.addStretch(1)

    def _box(self, banner: QWidget) -> QWidget:
        """A banner with the distance above it, so that both come and go together."""
        box = QWidget(self.column)
        vbox(box, banner, margins=(0, 10, 0, 0))
        return box


class _RelevanceSection(QWidget):
    """The chart and the figure above it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._facts: ChartFacts | None = None
        title = SectionTitle(tr("Relevance over time"), remark_style="metaStrong", parent=self)
        self._figure = title.remark
        self.chart = named(RelevanceChart(theme, self), "relevanceChart")
        stack = vbox(self, margins=(0, SECTION_GAP + 1, 0, 0), spacing=0)
        fill(stack, title, 10, self.chart)

    def show_chart(self, facts: ChartFacts | None) -> None:
        """Show another curve, or none."""
        self.setVisible(facts is not None)
        if facts is None or facts == self._facts:
            return
        self._facts = facts
        self._figure.setText(tr("{figure} now").format(figure=facts.figure))
        self.chart.show_curve(_curve(facts, facts.saved_curve or facts.curve))
        if facts.saved_curve is not None:
            self.chart.show_draft(_curve(facts, facts.curve))


def _curve(facts: ChartFacts, numbers: CurveNumbers) -> ChartCurve:
    def relevance_at(hours: float) -> float:
        return float(numbers.start * numbers.rate_per_hour**hours)

    return ChartCurve(
        relevance_at,
        numbers.hours_since_base,
        facts.base_at,
        facts.base_label,
        _PROMOTE_AT if facts.can_be_promoted else None,
    )


class _SourceList(QWidget):
    """Cards that name what a memory was derived from, and how that stands.

    Signals:
        page_wanted: Id of a page, and of a block of it or nothing.
    """

    page_wanted = Signal(str, str)

    def __init__(self, theme: Theme, after: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._after = theme, after
        self._shown: tuple[object, ...] = ()
        self._cards = vbox(None, spacing=6)
        stack = vbox(self, margins=(0, SECTION_GAP, 0, 0), spacing=7)
        fill(stack, SectionTitle(tr("Derives from"), parent=self), self._cards)
        self.hide()

    def show_sources(
        self, sources: tuple[Derivation, ...], standings: tuple[SourceStanding, ...]
    ) -> None:
        """Show other sources, or none, or how they stand now."""
        self.setVisible(bool(sources))
        if (sources, standings) == self._shown:
            return
        self._shown = (sources, standings)
        cleared(self._cards)
        by_place = {one.derivation.place: one for one in standings}
        for place, source in enumerate(sources):
            self._cards.addWidget(self._card(source, by_place.get(place)))
        stand_after(self._after, self.findChildren(LinkButton))

    def _card(self, source: Derivation, standing: SourceStanding | None) -> QFrame:
        card = QFrame(self)
        card.setProperty("card", "true")
        name = IconLabel(self._theme, "bodyStrong", card)
        is_gone = standing is not None and standing.derivation.state is SourceState.GONE
        if standing is None or not (standing.page_id or is_gone):
            name.show_mark("file-text", "inkSoft", source.target)
            block = elided_label(source.block, "meta", card)
            hbox(card, name, (block, 1), margins=(12, 9, 12, 9), spacing=8)
            return card
        name.show_mark("file-text", "inkSoft", standing.page_title)
        heading = standing.derivation.heading.replace("/", " \u203a ")
        state = IconLabel(self._theme, "meta", card)
        doubt = ("warning", "ochre") if standing.has_changed else ("check", "inkSoft")
        state.show_mark(*doubt, _source_words()[standing.derivation.state])
        opens = named(LinkButton(tr("Open page"), card), "openSourcePage")
        opens.setVisible(bool(standing.page_id))
        wanted = partial(self.page_wanted.emit, standing.page_id, standing.block_id)
        opens.clicked.connect(wanted)
        top = hbox(None, name, (elided_label(heading, "meta", card), 1), spacing=8)
        stack = vbox(card, top, margins=(12, 9, 12, 9), spacing=6)
        if standing.axes is not None:
            self._add_axes(stack, standing.axes, card)
        stack.addLayout(hbox(None, state, STRETCH, opens))
        return card

    def _add_axes(self, stack: QBoxLayout, axes: Axes, card: QWidget) -> None:
        """Say how the source stands in the world, and where its page says so."""
        rows, cells = axis_rows(axes), QGridLayout()
        cells.setHorizontalSpacing(_AXIS_GAP)
        cells.setVerticalSpacing(2)
        for number, (name, value, reason) in enumerate(rows):
            row, side = divmod(number, 2)
            told = plain_label(value, "metaInk", card)
            told.setToolTip(plain_tool_tip(reason))
            told.setAccessibleName(", ".join(filter(None, (name, value, reason))))
            cells.addWidget(plain_label(name, "caption", card), row, 2 * side)
            cells.addWidget(told, row, 2 * side + 1)
        cells.setColumnStretch(3, 1)
        stack.addLayout(cells)
        if reasons := reasons_line(rows):
            stack.addWidget(wrapped_label(reasons, "caption", card))


_AXIS_GAP = 14


def _source_words() -> dict[SourceState, str]:
    return {
        SourceState.CURRENT: tr("as the page says"),
        SourceState.MOVED: tr("moved, with the same words"),
        SourceState.CHANGED: tr("changed since"),
        SourceState.GONE: tr("no longer in the page"),
        SourceState.UNKNOWN: tr("not known here"),
    }
