"""The right pane of the Memory view: one memory, a new one, a working note, or what tiers are."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.marks.labels import rule
from inklings_desktop.ui.memory.inspector.body import MemoryBody
from inklings_desktop.ui.memory.inspector.frame import InspectorFooter, InspectorHeader
from inklings_desktop.ui.memory.inspector.many_pane import ManyPane
from inklings_desktop.ui.memory.inspector.note import NotePane
from inklings_desktop.ui.memory.inspector.rings import RingsPane
from inklings_desktop.ui.memory.subject.state import InspectorMode, InspectorState
from inklings_desktop.ui.memory.wishes import MemoryAct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.why.facts import HitFacts
    from inklings_desktop.ui.memory.acts.shared_values import Shared
    from inklings_desktop.ui.memory.subject.family_presenter import FamilyState


class InspectorView(QWidget):
    """Shows an ``InspectorState`` and says what the person wants.

    The keys to save and to step belong to the window's menu; Esc is heard here.

    Signals:
        edited: A ``MemoryEdit``.
        save_requested: Store what was typed.
        revert_requested: Drop what was typed.
        forget_requested: Forget the memory.
        restore_requested: Restore the memory.
        take_theirs_requested: Settle a conflict for the stored version.
        keep_mine_requested: Settle a conflict for the editor.
        write_from_note_requested: The text that a memory made from the note starts with.
        previous_requested: Show the memory above in the list.
        next_requested: Show the memory below in the list.
        leave_requested: Give the keyboard back to the list.
        wanted: The keyboard is about to come in: whoever put the pane away shows it.
        relative_requested: The ``MemoryRef`` of a source or of the merged memory to look at.
        return_requested: The ``MemoryRef`` of a source to bring back.
        golden_requested: The memory must be found by what was searched for.
        act_requested: A ``MemoryAct`` on the memory.
    """

    edited = Signal(object)
    save_requested = Signal()
    revert_requested = Signal()
    forget_requested = Signal()
    restore_requested = Signal()
    take_theirs_requested = Signal()
    keep_mine_requested = Signal()
    write_from_note_requested = Signal(str)
    previous_requested = Signal()
    next_requested = Signal()
    leave_requested = Signal()
    relative_requested = Signal(object)
    return_requested = Signal(object)
    golden_requested = Signal()
    act_requested = Signal(object)
    wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName(self.tr("Inspector"))
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._state = InspectorState()
        self._successor: MemoryRef | None = None
        self.header = InspectorHeader(theme, self)
        self._panes = QStackedWidget(self)
        self.body = MemoryBody(theme, self._panes)
        self.editor = self.body.content
        self.note = NotePane(theme, self._panes)
        self.many = ManyPane(theme, self._panes)
        self._is_many = False
        self._n_many = 0
        self._rings = RingsPane(theme, self._panes)
        for pane in (self._rings, self.body, self.note, self.many):
            self._panes.addWidget(pane)
        self.footer = InspectorFooter(theme, self)
        self._footer_rule = rule(self)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        stack.addWidget(self.header)
        stack.addWidget(rule(self))
        stack.addWidget(self._panes, 1)
        stack.addWidget(self._footer_rule)
        stack.addWidget(self.footer)
        self._connect()
        self.show_state(self._state)

    def show_state(self, state: InspectorState) -> None:
        """Show another state; text that already stands in the fields is not touched."""
        before, self._state = self._state, state
        is_other = (before.mode, before.ref) != (state.mode, state.ref) and not _was_stored(
            before, state
        )
        self.header.show_state(state)
        match state.mode:
            case InspectorMode.NOTHING:
                self._panes.setCurrentWidget(self._rings)
            case InspectorMode.NOTE:
                if state.note is not None:
                    self.note.show_note(state.note)
                self._panes.setCurrentWidget(self.note)
            case InspectorMode.MEMORY | InspectorMode.NEW:
                self.body.show_state(state, is_other=is_other)
                self._panes.setCurrentWidget(self.body)
        self.footer.show_state(state)
        self._on_validity_changed()
        if is_other or _tags_of(before) != _tags_of(state) or before.history != state.history:
            self._order_tabs()
        if self._is_many:
            self._panes.setCurrentWidget(self.many)
            self.header.show_state(InspectorState(title=self._many_title()))
        only_looks = state.is_looking and state.mode is InspectorMode.MEMORY
        has_footer = (
            state.mode is not InspectorMode.NOTHING and not self._is_many and not only_looks
        )
        self.footer.setVisible(has_footer)
        self._footer_rule.setVisible(has_footer)

    def show_many(self, shared: Shared | None) -> None:
        """Show what checked memories share in front of the memory; none brings that one back."""
        if shared is None and not self._is_many:
            return
        was_many, self._is_many = self._is_many, shared is not None
        self._n_many = 0 if shared is None else shared.count
        if shared is not None:
            self.many.show_shared(shared)
        else:
            self.many.end()
        if was_many and self._is_many:  # the memory behind it stays as it was
            self.header.show_state(InspectorState(title=self._many_title()))
        else:
            self.show_state(self._state)
        self._order_tabs()

    def show_family(self, family: FamilyState) -> None:
        """Show what the memory was made from and what it became."""
        self._successor = family.successor
        self.body.show_family(family)
        self._order_tabs()

    def show_why(self, facts: HitFacts | None) -> None:
        """Show why the search found the memory; None while it is no hit of a search."""
        self.body.why.show_why(facts)
        self._order_tabs()

    def show_duplicates(self, entries: Sequence[MemoryEntry]) -> None:
        """Show the memories that say the same and are folded into this one."""
        self.body.why.show_duplicates(entries)
        self._order_tabs()

    def set_known_tags(self, known: Sequence[tuple[str, int]]) -> None:
        """Offer these tags for completion, each with how many memories carry it."""
        self.body.details.set_known_tags(known)
        self.many.set_known_tags(known)

    def enable_steps(self, *, has_previous: bool, has_next: bool) -> None:
        """Say whether the list has memories above and below."""
        self.header.enable_steps(has_previous=has_previous, has_next=has_next)

    @Slot()
    def focus_editor(self) -> None:
        """Put the keyboard into the text, its cursor at the end, or into what stands there."""
        self.wanted.emit()
        if self._panes.currentWidget() is self.many:
            can_be = (one for one in self.many.tab_stops() if one.isEnabled() and one.isVisible())
            next(can_be, self.many).setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._panes.currentWidget() is self.body:
            cursor = self.editor.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            self.editor.setTextCursor(cursor)
            self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._panes.currentWidget() is self.note:
            self.note.json.text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def request_save(self) -> None:
        """Ask for a save if there is something to save and every field is right.

        A tag that still stands in its field is taken first.
        """
        self.body.details.take_typed_tag()
        # In a conflict the save itself says what has to be chosen first; what is typed while a save
        # is under way is saved after it.
        is_valid = self.body.details.importance.is_valid()
        can_wait = self._state.is_saving and is_valid
        can_be_asked = self.footer.save.isEnabled() or self._state.conflict is not None or can_wait
        if can_be_asked and not self._is_many:
            self.save_requested.emit()

    @Slot()
    def focus_tags(self) -> None:
        """Put the keyboard where a tag is added."""
        self.wanted.emit()
        if self._is_many:
            self.many.focus_tags()
            return
        self.body.details.tags.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves on Escape, whatever part has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)

    def _connect(self) -> None:
        self.header.previous_requested.connect(self.previous_requested)
        self.header.next_requested.connect(self.next_requested)
        self.header.golden_requested.connect(self.golden_requested)
        self.header.act_requested.connect(self.act_requested)
        self.body.details.states.act_requested.connect(self.act_requested)
        self.forget_requested.connect(partial(self.act_requested.emit, MemoryAct.FORGET))
        self.restore_requested.connect(partial(self.act_requested.emit, MemoryAct.RESTORE))
        self.body.edited.connect(self.edited)
        self.body.validity_changed.connect(self._on_validity_changed)
        self.body.history.rows_changed.connect(self._order_tabs)
        self.body.restore_requested.connect(self.restore_requested)
        self.body.save_requested.connect(self.request_save)
        self.body.keep_mine_requested.connect(self.keep_mine_requested)
        self.body.take_theirs_requested.connect(self.take_theirs_requested)
        self.body.family.open_requested.connect(self.relative_requested)
        self.body.family.return_requested.connect(self.return_requested)
        self.body.forgotten.successor_requested.connect(self._on_successor_requested)
        self.note.write_from_note_requested.connect(self.write_from_note_requested)
        self.footer.forget_requested.connect(self.forget_requested)
        self.footer.restore_requested.connect(self.restore_requested)
        self.footer.revert_requested.connect(self._on_revert_clicked)
        self.footer.save_requested.connect(self.request_save)
        self.footer.copy_json_requested.connect(self.note.copy_json)

    @Slot()
    def _order_tabs(self) -> None:
        # Tags and steps of the history come and go; a new widget would stand last.
        parts = [
            *self.header.tab_stops(),
            *self.body.tab_stops(),
            *self.note.tab_stops(),
            *self.many.tab_stops(),
            *self.footer.tab_stops(),
        ]
        for earlier, later in pairwise(parts):
            QWidget.setTabOrder(earlier, later)

    def _many_title(self) -> str:
        if self._n_many == 1:
            return self.tr("1 memory")
        return self.tr("{count} memories").format(count=self.locale().toString(self._n_many))

    @Slot()
    def _on_successor_requested(self) -> None:
        if self._successor is not None:
            self.relative_requested.emit(self._successor)

    @Slot()
    def _on_revert_clicked(self) -> None:
        if self._state.draft is not None:
            self.body.details.reset_importance(self._state.draft.importance)
        if self._state.can_revert:
            self.revert_requested.emit()

    @Slot()
    def _on_validity_changed(self) -> None:
        is_valid = self.body.details.importance.is_valid()
        self.footer.save.setEnabled(self._state.can_save and is_valid)
        self.footer.revert.setEnabled(self._state.can_revert or not is_valid)


def _tags_of(state: InspectorState) -> tuple[str, ...]:
    return state.draft.tags if state.draft else ()


def _was_stored(before: InspectorState, after: InspectorState) -> bool:
    """Whether the second state is the new memory of the first, now saved."""
    return (
        before.mode is InspectorMode.NEW
        and after.mode is InspectorMode.MEMORY
        and before.tier is after.tier
        and before.draft == after.draft
    )
