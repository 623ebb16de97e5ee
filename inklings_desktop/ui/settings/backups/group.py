"""Backups and data: makes, compares, keeps and deletes backups, and looks the files over."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QMenu

from inklings_desktop.domain.errors import InklingsError, NotFoundError, StoppedError
from inklings_desktop.domain.log.backup import DAYS, MONTHS, WEEKS, BackupReason
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.ask import ask, begin_asking
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.file_manager import show_folder
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    choice,
    link,
    mark,
    plate,
    wide,
    words,
)
from inklings_desktop.ui.kit.page.process import reports_to
from inklings_desktop.ui.settings.backups.compare_process import CompareProcess
from inklings_desktop.ui.settings.backups.table import BackupTable
from inklings_desktop.ui.settings.backups.words import (
    DataPlaces,
    Health,
    backup_row,
    checked_words,
    delete_question,
    health_words,
    made_words,
    restore_question,
    size_words,
)
from inklings_desktop.ui.settings.frame import CARD_SIDE, Group, card, row, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part

WORLD, YOU = "world", "you"
_BAR = 160


@dataclass(frozen=True, slots=True)
class BackupsContent:
    """What the group shows.

    Attributes:
        world: Backups of the open workspace, newest first.
        you: Those of the account.
        places: Where the data lies.
    """

    world: tuple[Backup, ...]
    you: tuple[Backup, ...]
    places: DataPlaces


class BackupsGroup(Group[BackupsContent]):
    """Leads the group; what takes long is shown and can be stopped."""

    watches = About.EVENTS
    _health = Health()
    _whose = WORLD
    _is_checking = False
    _step, _share = "", 0.0
    """How far a backup has come, in words and as a share."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._stop = threading.Event()
        self.comparing = CompareProcess(context, self)
        self.comparing.changed.connect(self.read_soon)
        if (background := self.inklings.background) is not None:
            background.task_finished.connect(self._on_task_finished)  # type: ignore[attr-defined]

    # -- what is shown --------------------------------------------------------------------------

    def heading(self) -> tuple[str, str]:
        return (
            tr("Backups and data"),
            tr("Backed up automatically after changes and before big ones."),
        )

    def read_content(self) -> BackupsContent:
        keeping, workspace_id = self.inklings.keeping, self.workspace_id
        folder = self.inklings.data_dir / "workspaces" / workspace_id
        account = self.inklings.data_dir / "agents.db"
        try:
            free: int | None = keeping.measure_disk().free_bytes
        except InklingsError:
            free = None
        return BackupsContent(
            keeping.list_backups(workspace_id)[::-1],
            keeping.list_backups(None)[::-1],
            DataPlaces(folder, _size(folder / "agents.db"), account, _size(account), free),
        )

    def show_content(self, content: BackupsContent) -> None:
        whole = (one for one in content.world if one.fault is None)
        copied = next((one for one in whole if one.reason is not BackupReason.FROM_FILE), None)
        copied_at = None if copied is None else copied.created_at
        self._health = replace(self._health, copied_at=copied_at)
        super().show_content(content)

    def said(self, content: BackupsContent | None) -> tuple[Part, ...]:
        shown: tuple[Backup, ...] = ()
        if content is not None:
            shown = content.world if self._whose == WORLD else content.you
        now = self.inklings.clock()
        kept_for = tr(
            "Keeps one a day for {days} days, one a week for {weeks} weeks, one a "
            "month for {months} months, and the last five before changes. Your own "
            "stay until you delete them."
        ).format(days=DAYS, weeks=WEEKS, months=MONTHS)
        none = tr("No backup yet. The first one is made soon after something is written.")
        return (
            plate(
                self._top(),
                _inset(
                    part(
                        ShareBar,
                        LOOK,
                        spoken=tr("Progress of the backup"),
                        accessibleDescription=self._step,
                        share=self._share,
                        dress=wide(_BAR),
                    ),
                    words(self._step, way="plain"),
                    STRETCH,
                    button(tr("Stop"), self._on_stop, small=True, name="stopBackup"),
                    visible=bool(self._step),
                ),
                part(
                    BackupTable,
                    LOOK,
                    rows=[backup_row(one, now) for one in shown],
                    compare_wanted=self._compare,
                    delete_wanted=self._begin_deleting,
                    menu_wanted=lambda name, place: self.menu_of(name).popup(place),
                    visible=content is None or bool(shown),
                ),
                _inset(words(none, place=(1,)), visible=content is not None and not shown),
                _inset(words(kept_for, place=(1,))),
                box=vbox,
                kind="card",
                margins=(0, 14, 0, 14),
                spacing=10,
            ),
            card(tr("Where it lives"), rows(*self._places(content))),
        )

    def _top(self) -> Part:
        return across(
            choice(
                tr("Whose backups"),
                Segment(WORLD, tr("This world")),
                Segment(YOU, tr("You"), tooltip=tr("SOUL and your preferences")),
                name="whoseBackups",
                now=self._whose,
                wanted=self._show_whose,
            ),
            STRETCH,
            button(
                tr("Restore from a file\u2026"),
                self._ask_for_file,
                kind="quiet",
                name="restoreFromFile",
                stores=True,
            ),
            button(
                tr("Back up now"),
                self.starts(self.back_up),
                kind="primary",
                icon="floppy-disk",
                name="backUpNow",
                stores=True,
                enabled=not self._step,
            ),
            spacing=8,
            margins=(CARD_SIDE, 0, CARD_SIDE, 0),
        )

    def _places(self, content: BackupsContent | None) -> Iterator[tuple[str, tuple[Inside, ...]]]:
        here, now, health = self.context.here(), self.inklings.clock(), self._health
        world = "" if here is None else here.workspace.name
        account = folder = self.inklings.data_dir
        sizes, free = ("", ""), ""
        if content is not None:
            found = content.places
            folder, account = found.workspace, found.account
            sizes = (size_words(found.workspace_bytes), size_words(found.account_bytes))
            free = tr("not known") if found.free_bytes is None else size_words(found.free_bytes)
        yield row(
            tr("This world"),
            words(world, "metaInk", way="plain", toolTip=str(folder)),
            words(sizes[0], way="plain"),
            link(
                tr("Show"),
                lambda: self._show_folder(folder),
                name="showWorldFolder",
                spoken=tr("Show the folder of this world"),
            ),
        )
        yield row(
            tr("You"),
            words(account.name, "metaInk", way="plain", toolTip=str(account)),
            words(sizes[1], way="plain"),
            link(
                tr("Show"),
                lambda: self._show_folder(self.inklings.data_dir),
                name="showDataFolder",
                spoken=tr("Show the folder of your data"),
            ),
        )
        icon, role, told = health_words(health)
        yield row(tr("Health"), mark(icon, role, told, inked=role != "inkFaint", spoken=told))
        checked = tr("checking\u2026") if self._is_checking else checked_words(health, now)
        yield row(
            tr("Checked"),
            words(checked, "metaInk", way="plain"),
            link(
                tr("Check now"),
                self.starts(self.check),
                name="checkNow",
                spoken=tr("Check every file and backup now"),
                enabled=not self._is_checking,
            ),
        )
        yield row(tr("Room left"), words(free, "metaInk", way="plain"))

    def menu_of(self, name: str) -> QMenu:
        """What can be done with one backup."""
        backup = self._named(name)
        menu = QMenu(self.view)
        menu.aboutToHide.connect(menu.deleteLater)
        if backup.fault is None:
            menu.addAction(tr("Compare\u2026"), lambda: self._compare(name))
            menu.addAction(
                tr("Restore all of it\u2026"),
                lambda: begin_asking(self.background, self.restore(name), self.view),
            )
            menu.addSeparator()
        if not backup.stays:
            menu.addAction(tr("Keep"), lambda: self._pin(name, stays=True))
        elif backup.is_pinned:
            menu.addAction(tr("Keep no longer"), lambda: self._pin(name, stays=False))
        folder = (self.inklings.data_dir / "backups" / name).parent
        menu.addAction(tr("Show in folder"), lambda: self._show_folder(folder))
        menu.addSeparator()
        menu.addAction(tr("Delete\u2026"), lambda: self._begin_deleting(name))
        return menu

    def key_hints(self) -> tuple[KeyHint, ...]:
        return (KeyHint(("Enter",), tr("compare the backup")), KeyHint(("Del",), tr("delete it")))

    def _named(self, name: str) -> Backup:
        """A backup that is on show.

        Raises:
            NotFoundError: It is there no more.
        """
        content = self.content
        for one in (*content.world, *content.you) if content is not None else ():
            if one.name == name:
                return one
        raise NotFoundError("backup", name)

    def _whose_name(self, backup: Backup) -> str:
        here = self.context.here()
        if backup.workspace_id is None or here is None:
            return tr("what belongs to you")
        return here.workspace.name

    # -- making one -----------------------------------------------------------------------------

    async def back_up(self) -> None:
        """Back up this world and the account; stopped, nothing is left of the one under way."""
        self._stop = threading.Event()
        self._say_step(tr("Copying"))
        progress = reports_to(self._show_step, self._stop.is_set)
        try:
            for workspace_id in (self.workspace_id, None):
                await self.background.read(
                    self.inklings.keeping.create_backup, workspace_id, progress
                )
        except asyncio.CancelledError:
            self._stop.set()  # the window closes
            raise
        except StoppedError:
            self.context.tell(tr("Stopped. No backup was made."))
        else:
            self.context.tell(tr("This world and your account are backed up."))
        finally:
            self._say_step("")
            self.read_soon()

    def _show_step(self, step: str, done: int, total: int) -> None:
        if step == "verify":
            self._say_step(tr("Checking the copy"), 1.0)
        else:
            self._say_step(tr("Copying"), done / total if total else 0.0)

    def _say_step(self, step: str, share: float = 0.0) -> None:
        self._step, self._share = step, share
        self.say_again()

    # -- what is done with one ------------------------------------------------------------------

    async def restore(self, name: str) -> None:
        """Bring everything of a backup back, once a person means it."""
        backup, now = self._named(name), self.inklings.clock()
        title, text = restore_question(backup, self._whose_name(backup), now)
        yes, no = tr("Restore all of it"), tr("Keep today\u2019s")
        if not await ask(self.context.window, title, text, yes=yes, no=no):
            return
        await self.background.write(self.inklings.keeping.restore_backup, backup.name)
        self.read_soon()
        self.context.tell(
            tr("Restored as of {made}. Today\u2019s state was backed up first.").format(
                made=made_words(backup.created_at, now)
            )
        )

    async def delete(self, name: str) -> None:
        """Take a backup off the disk, once a person means it."""
        title, text = delete_question(self._named(name), self.inklings.clock())
        yes, no = tr("Delete the backup"), tr("Keep it")
        window = self.context.window
        if await ask(window, title, text, yes=yes, no=no, is_destructive=True):
            await self.change(self.inklings.keeping.delete_backup, name)

    async def restore_from_file(self, path: Path) -> None:
        """Take a file of the person's own among the backups, and compare it."""
        backup = await self.background.read(self.inklings.keeping.adopt_backup, path)
        self.read_soon()
        self.comparing.open(backup, self._whose_name(backup))

    async def check(self) -> None:
        """Look every file and every backup over."""
        self._is_checking = True
        self.say_again()
        try:
            report = await self.background.read(self.inklings.keeping.check_data)
            self._health = replace(self._health, report=report, checked_at=self.inklings.clock())
        finally:
            self._is_checking = False
            self.say_again()

    def _show_folder(self, folder: Path) -> None:
        show_folder(folder, self.context.say)

    # -- what is pressed ------------------------------------------------------------------------

    def _show_whose(self, choice: str) -> None:
        self._whose = choice
        self.say_again()

    def _on_stop(self) -> None:
        self._stop.set()

    def _ask_for_file(self) -> None:
        dialog = QFileDialog(
            self.context.window,
            tr("Restore from a file"),
            str(Path.home()),
            tr("Backups of Inklings (*.db)"),
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(lambda path: self.spawn(self.restore_from_file(Path(path))))
        dialog.open()

    def _compare(self, name: str) -> None:
        backup = self._named(name)
        self.comparing.open(backup, self._whose_name(backup))

    def _begin_deleting(self, name: str) -> None:
        begin_asking(self.background, self.delete(name), self.view)

    def _pin(self, name: str, *, stays: bool) -> None:
        self.spawn(self.change(partial(self.inklings.keeping.pin_backup, name, stays=stays)))

    @Slot(object)
    def _on_task_finished(self, _status: object) -> None:
        self.read_soon()


def _size(path: Path) -> int:
    """Bytes of a file; 0 for one that cannot be asked."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _inset(*inside: Inside, **said: Any) -> Part:
    return plate(*inside, margins=(CARD_SIDE, 0, CARD_SIDE, 0), spacing=10, **said)
