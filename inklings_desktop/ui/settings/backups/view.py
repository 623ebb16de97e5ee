"""Backups and data: the table of backups on one card, where everything lies on another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.domain.log.backup_thinning import DAYS, MONTHS, WEEKS
from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, show_parts, wrapped_label
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.settings.backups.table import BackupTable
from inklings_desktop.ui.settings.backups.words import checked_words, health_words, size_words
from inklings_desktop.ui.settings.frame import GroupFrame

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.settings.backups.words import BackupRow, DataPlaces, Health

WORLD, YOU = "world", "you"
_BAR = 160


class BackupsView(GroupFrame):
    """Two cards.

    Signals:
        pin_wanted: Name of a backup, and whether it is to stay.
        restore_wanted: Name of a backup of which everything is wanted.
        folder_wanted: Name of a backup whose folder is to be shown.
        delete_wanted: Name of a backup that is to go.
    """

    pin_wanted = Signal(str, bool)
    restore_wanted = Signal(str)
    folder_wanted = Signal(str)
    delete_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        lead = tr("Backed up automatically after changes and before big ones.")
        super().__init__(theme, tr("Backups and data"), lead, parent)
        self._fill_backups()
        self._fill_places()

    # -- backups --------------------------------------------------------------------------

    def _fill_backups(self) -> None:
        theme = self.theme
        card = self.add_card()
        side = card.column.contentsMargins().left()
        self.whose = SegmentedSwitch(
            theme,
            (
                Segment(WORLD, tr("This world")),
                Segment(YOU, tr("You"), tooltip=tr("SOUL and your preferences")),
            ),
            tr("Whose backups"),
            parent=card,
        )
        self.whose.setObjectName("whoseBackups")
        self.from_file = PushButton(
            theme, tr("Restore from a file\u2026"), kind="quiet", parent=card
        )
        self.from_file.setObjectName("restoreFromFile")
        self.back_up = PushButton(
            theme, tr("Back up now"), kind="primary", icon="floppy-disk", parent=card
        )
        self.back_up.setObjectName("backUpNow")
        for one in (self.back_up, self.from_file):
            storing(one)
        self._running = QWidget(card)
        self._bar = ShareBar(theme, parent=self._running)
        self._bar.setAccessibleName(tr("Progress of the backup"))
        self._step = plain_label("", "meta", self._running)
        self.stop = PushButton(theme, tr("Stop"), small=True, parent=self._running)
        self.stop.setObjectName("stopBackup")
        hbox(self._running, self._bar, self._step, STRETCH, self.stop, margins=0, spacing=10)
        self._running.hide()
        self.table = BackupTable(theme, card)
        self.table.menu_wanted.connect(lambda name, place: self.menu_of(name).popup(place))
        self.table.delete_wanted.connect(self.delete_wanted)
        self._none = wrapped_label(
            tr("No backup yet. The first one is made soon after something is written."),
            "meta",
            card,
        )
        self._rule = wrapped_label(
            tr(
                "Keeps one a day for {days} days, one a week for {weeks} weeks, one a "
                "month for {months} months, and the last five before changes. Your own "
                "stay until you delete them."
            ).format(days=DAYS, weeks=WEEKS, months=MONTHS),
            "meta",
            card,
        )
        card.column.setContentsMargins(0, 14, 0, 14)

        def inset(*parts: QWidget) -> QWidget:
            box = QWidget(card)
            hbox(box, *((one, 1) for one in parts), margins=(side, 0, side, 0))
            return box

        head = hbox(None, self.whose, STRETCH, self.from_file, self.back_up, spacing=8)
        head.setContentsMargins(side, 0, side, 0)
        card.column.addLayout(head)
        self._parts = (inset(self._running), inset(self._none))
        fill(card.column, self._parts[0], self.table, self._parts[1], inset(self._rule))
        self._backups: dict[str, Backup] = {}
        theme.dress(self._on_dressed)
        self.show_step("", 0.0)

    def show_backups(self, backups: Sequence[Backup], rows: Sequence[BackupRow]) -> None:
        """Show these, newest first."""
        self._backups = {one.name: one for one in backups}
        self.table.show_rows(rows)
        show_parts({self.table: bool(rows), self._parts[1]: not rows})

    def show_step(self, words: str, share: float) -> None:
        """Show how far a backup has come; nothing while no words are given."""
        self._running.setVisible(bool(words))
        self._parts[0].setVisible(bool(words))
        self.back_up.setEnabled(not words)
        self._bar.set_share(share)
        self._bar.setAccessibleDescription(words)
        self._step.setText(words)

    def menu_of(self, name: str) -> QMenu:
        """What can be done with one backup."""
        backup = self._backups[name]
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if backup.fault is None:
            menu.addAction(tr("Compare\u2026"), lambda: self.table.compare_wanted.emit(name))
            menu.addAction(tr("Restore all of it\u2026"), lambda: self.restore_wanted.emit(name))
            menu.addSeparator()
        if not backup.stays:
            menu.addAction(tr("Keep"), lambda: self.pin_wanted.emit(name, True))
        elif backup.is_pinned:
            menu.addAction(tr("Keep no longer"), lambda: self.pin_wanted.emit(name, False))
        menu.addAction(tr("Show in folder"), lambda: self.folder_wanted.emit(name))
        menu.addSeparator()
        menu.addAction(tr("Delete\u2026"), lambda: self.delete_wanted.emit(name))
        return menu

    # -- where it lies ----------------------------------------------------------------------

    def _fill_places(self) -> None:
        card = self.add_card(tr("Where it lives"))
        theme = self.theme

        def link(text: str, name: str, object_name: str) -> LinkButton:
            return named(LinkButton(text, card), object_name, name)

        self._world, self._you = (plain_label("", "metaInk", card) for _ in range(2))
        self._world_size, self._you_size = (plain_label("", "meta", card) for _ in range(2))
        self.show_world = link(tr("Show"), tr("Show the folder of this world"), "showWorldFolder")
        self.show_you = link(tr("Show"), tr("Show the folder of your data"), "showDataFolder")
        self._health = IconLabel(theme, parent=card)
        self._checked = plain_label("", "metaInk", card)
        self.check = link(tr("Check now"), tr("Check every file and backup now"), "checkNow")
        self._room = plain_label("", "metaInk", card)
        card.add_row(tr("This world"), self._world, self._world_size, self.show_world)
        card.add_row(tr("You"), self._you, self._you_size, self.show_you)
        card.add_row(tr("Health"), self._health)
        card.add_row(tr("Checked"), self._checked, self.check)
        card.add_row(tr("Room left"), self._room)

    def show_places(self, places: DataPlaces, world: str) -> None:
        """Show where the data of a world lies, and how much room is left beside it."""
        self._world.setText(world)
        self._world.setToolTip(str(places.workspace))
        self._world_size.setText(size_words(places.workspace_bytes))
        self._you.setText(places.account.name)
        self._you.setToolTip(str(places.account))
        self._you_size.setText(size_words(places.account_bytes))
        free = places.free_bytes
        self._room.setText(tr("not known") if free is None else size_words(free))

    def show_health(self, health: Health, now: datetime, *, is_checking: bool) -> None:
        """Show what is known of the files, and whether a check is under way."""
        icon, role, words = health_words(health)
        self._health.show_mark(icon, role, words, inked=role != "inkFaint")
        self._health.setAccessibleName(words)
        when = checked_words(health, now)
        self._checked.setText(tr("checking\u2026") if is_checking else when)
        self.check.setEnabled(not is_checking)

    @Slot()
    def _on_dressed(self) -> None:
        self._bar.setFixedWidth(self.theme.scaled(_BAR))
