"""The bar at the foot of the list while memories are checked: how many, and what to do now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEasingCurve,
    QPropertyAnimation,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.domain.memory import Lifetime
from inklings_desktop.ui.kit.controls.buttons import (
    CelledButton,
    IconButton,
    LinkButton,
    PushButton,
)
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.cells import KeyCap, Line, Said, Text
from inklings_desktop.ui.kit.look.control_marks import box_edge
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.words.memory_facts import lifetime_label
from inklings_desktop.ui.memory.acts.menus import STATES, Actable, offer
from inklings_desktop.ui.memory.acts.table import MemoryAct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.acts.chosen import Shared


_HEIGHT = 56
_BOX_AIR = 2
_GUTTER = 20
_GAP = 8


class BulkBar(Grounded, QWidget):
    """Says how many memories are checked and offers what can be done to all of them.

    Attributes:
        all: Checks everything that the list holds.
        done: Checks nothing any more.
        retag: Brings the keyboard to the field for tags.
        export: Writes them into a file.

    Signals:
        lifetime_requested: The ``Lifetime`` to give them.
        act_requested: A ``MemoryAct``.
    """

    lifetime_requested = Signal(object)
    act_requested = Signal(object)
    stands_on = Ground(above="lineStrong")

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._about = Actable()
        self._has_export = False
        self._are_all = False
        self.setObjectName("bulkBar")
        self.setAccessibleName(tr("Checked memories"))
        on_ground(self, "surface")
        self.box = named(CheckBox(theme, "", self), "bulkAll")
        self.box.setTristate(True)
        self.box.setFixedWidth(box_edge(theme) + _BOX_AIR)
        self.box.clicked.connect(self._on_box_clicked)
        self._count = plain_label("", "bodyStrong", self)
        self.all = named(LinkButton("", self), "bulkSelectAll")
        self.hidden = named(LinkButton("", self), "bulkHidden")
        self.hidden.hide()
        self.retag = storing(self._button(tr("Retag"), "tag-simple"))
        self.lifetime = storing(self._button(tr("Lifetime"), "clock"))
        self.lifetime.clicked.connect(self._on_lifetime_clicked)
        self.export = self._button(tr("Export"), "export")
        self.restore = storing(self._button(tr("Restore"), "arrow-counter-clockwise"))
        self.restore.clicked.connect(partial(self.act_requested.emit, MemoryAct.RESTORE))
        self.forget = storing(self._button(tr("Forget"), "eraser", kind="dangerOutline"))
        self.forget.clicked.connect(partial(self.act_requested.emit, MemoryAct.FORGET))
        self.more = IconButton(theme, "dots-three", tr("More"), bold=True, parent=self)
        self.more.clicked.connect(self._on_more_clicked)
        self.done = _DoneButton(theme, tr("Done"), tr("Esc"), self)
        row = hbox(self, margins=(_GUTTER, 0, _GUTTER - _GAP, 0), spacing=_GAP)
        fill(row, self.box, self._count, self.hidden, self.all, STRETCH)
        for part in (*self._foldable(), self.restore, self.forget, self.more, self.done):
            row.addWidget(part)
        self._slide = QPropertyAnimation(self, b"maximumHeight", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.setMinimumHeight(0)
        self.hide()
        theme.changed.connect(self._on_theme_changed)

    def offer_export(self) -> None:
        """Offer to write the checked memories into a file."""
        self._has_export = True
        self._fold()

    def show_selection(
        self,
        shared: Shared | None,
        *,
        n_in_list: int,
        are_all: bool,
        has_lifetimes: bool,
        n_hidden: int = 0,
        can_show_hidden: bool = True,
    ) -> None:
        """Show what is checked.

        Args:
            shared: What the checked memories have in common; None takes the bar away.
            n_in_list: Memories in the whole list, loaded or not.
            are_all: Whether all of these are checked.
            has_lifetimes: Whether their tier leaves a choice of lifetime.
            n_hidden: Checked memories that the list does not hold just now.
            can_show_hidden: Whether the list can show these, else they can be let go of.
        """
        if shared is None:
            self._slide.stop()
            self.hide()
            return
        text = counted(shared.count, "1 selected", "{n} selected")
        if n_hidden:
            hidden = counted(n_hidden, "1 not in view", "{n} not in view")
            text = f"{text}, {hidden}"
        self.hidden.setVisible(n_hidden > 0)
        self.hidden.setText(tr("Show them") if can_show_hidden else tr("Uncheck them"))
        self.hidden.setAccessibleDescription(text)
        if text != self._count.text():
            announce(self, text)
        self._count.setText(text)
        self._are_all = are_all
        state = Qt.CheckState.Checked if are_all else Qt.CheckState.PartiallyChecked
        self.box.setCheckState(state)
        self.box.setAccessibleName(tr("Check none") if are_all else tr("Check all in the list"))
        self.all.setText(tr("Select all {count}").format(count=grouped(n_in_list)))
        self.all.setVisible(not are_all and not n_hidden)
        self._about = Actable(
            shared.is_forgotten,
            shared.pinned == shared.count,
            shared.paused == shared.count,
            shared.locked == shared.count,
            has_lifetimes,
        )
        self.forget.setText(tr("Forget {count}").format(count=grouped(shared.count)))
        self.restore.setText(tr("Restore {count}").format(count=grouped(shared.count)))
        self.forget.setVisible(not shared.is_forgotten)
        self.restore.setVisible(shared.is_forgotten)
        self._fold()
        if self.isHidden():
            self._slide_in()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._theme.scaled(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Narrower than its parts: what does not fit goes into the menu."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _button(self, text: str, icon: str, *, kind: str = "plain") -> PushButton:
        return PushButton(self._theme, text, kind=kind, icon=icon, small=True, parent=self)

    def _foldable(self) -> tuple[PushButton, ...]:
        """What goes into the menu where room runs out, the last first."""
        return (self.retag, self.lifetime, self.export)

    def _offered(self) -> list[PushButton]:
        if self._about.is_forgotten:
            return [self.export] if self._has_export else []
        offered = [self.retag]
        if self._about.has_lifetimes:
            offered.append(self.lifetime)
        if self._has_export:
            offered.append(self.export)
        return offered

    def _fold(self) -> None:
        offered = self._offered()
        fixed = [self.box, self._count, self.forget, self.restore, self.more, self.done]
        fixed += [one for one in (self.all, self.hidden) if not one.isHidden()]
        room = self.width() - 2 * _GUTTER
        room -= sum(one.sizeHint().width() + _GAP for one in fixed if not one.isHidden())
        shown = []
        for button in offered:
            room -= button.sizeHint().width() + _GAP
            if room < 0:
                break
            shown.append(button)
        for button in self._foldable():
            button.setVisible(button in shown)

    def _slide_in(self) -> None:
        height = self._theme.scaled(_HEIGHT)
        self.show()
        duration = self._theme.duration("gentle")
        if duration <= 0:
            self.setMaximumHeight(height)
            return
        self._slide.setDuration(duration)
        self._slide.setStartValue(0)
        self._slide.setEndValue(height)
        self._slide.start()

    @Slot()
    def _on_box_clicked(self) -> None:
        (self.done if self._are_all else self.all).click()

    def _lifetimes(self, menu: QMenu) -> None:
        for lifetime in (Lifetime.SHORT_TERM, Lifetime.LONG_TERM):
            chosen = partial(self.lifetime_requested.emit, lifetime)
            storing(menu.addAction(lifetime_label(lifetime), chosen))

    @Slot()
    def _on_lifetime_clicked(self) -> None:
        menu = QMenu(self)
        self._lifetimes(menu)
        self._popup(menu, self.lifetime)

    @Slot()
    def _on_more_clicked(self) -> None:
        menu = QMenu(self)
        self.fill_more(menu)
        self._popup(menu, self.more)

    def fill_more(self, menu: QMenu) -> None:
        """Put into a menu what has no button of its own, or none that fits."""
        self._fill_with(menu, [one for one in self._offered() if one.isHidden()])
        menu.addSeparator()
        offer(menu, self.act_requested.emit, self._about, MemoryAct.FORGET_BECAUSE, MemoryAct.SCRUB)

    def fill_whole(self, menu: QMenu) -> None:
        """Put into a menu all that can be done, and to how many: the menu of a checked row."""
        menu.addAction(self._count.text()).setEnabled(False)
        self._fill_with(menu, self._offered())
        menu.addSeparator()
        is_forgotten = self._about.is_forgotten
        button = self.restore if is_forgotten else self.forget
        act = MemoryAct.RESTORE if is_forgotten else MemoryAct.FORGET
        storing(menu.addAction(button.text(), partial(self.act_requested.emit, act)))
        offer(menu, self.act_requested.emit, self._about, MemoryAct.FORGET_BECAUSE, MemoryAct.SCRUB)

    def _fill_with(self, menu: QMenu, offered: Sequence[PushButton]) -> None:
        if self.retag in offered:
            storing(menu.addAction(tr("Retag"), self.retag.click))
        if self.lifetime in offered:
            self._lifetimes(menu.addMenu(tr("Lifetime")))
        if self.export in offered:
            menu.addAction(tr("Export"), self.export.click)
        if not menu.isEmpty():
            menu.addSeparator()
        emit = self.act_requested.emit
        offer(menu, emit, self._about, MemoryAct.REPLACE)
        menu.addAction(tr("Copy texts"), partial(emit, MemoryAct.COPY_TEXT))
        offer(menu, emit, self._about, *STATES)

    def _popup(self, menu: QMenu, button: QWidget) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        place = button.mapToGlobal(button.rect().topLeft())
        place.setY(place.y() - menu.sizeHint().height() - 4)
        menu.popup(place)

    @Slot()
    def _on_theme_changed(self) -> None:
        if not self.isHidden():
            self.setMaximumHeight(self._theme.scaled(_HEIGHT))
        self.box.setFixedWidth(box_edge(self._theme) + _BOX_AIR)
        self.updateGeometry()
        self.update()


class _DoneButton(CelledButton, PushButton):
    """A quiet word with its key as a cap."""

    def __init__(self, theme: Theme, text: str, key: str, parent: QWidget) -> None:
        super().__init__(theme, text, kind="quiet", small=True, parent=parent)
        cap = KeyCap(key, gap=_GAP)
        self._said = Said((Line((Text(text, "inkSoft", is_whole=True), cap)),), _GAP)
        self.setToolTip(f"{text} ({key})")

    def sizeHint(self) -> QSize:
        width = self._said.lines[0].width(self._theme) + 2 * _GAP
        return QSize(round(width), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def said(self) -> Said:
        return self._said
