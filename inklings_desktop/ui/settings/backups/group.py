"""Backups and data: makes, compares, keeps and deletes backups, and looks the files over."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.errors import InklingsError, NotFoundError, StoppedError
from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.ask import ask, begin_asking
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.file_manager import show_folder
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.page.process import reports_to
from inklings_desktop.ui.settings.backups.compare_process import CompareProcess
from inklings_desktop.ui.settings.backups.view import WORLD, BackupsView
from inklings_desktop.ui.settings.backups.words import (
    DataPlaces,
    Health,
    backup_row,
    delete_question,
    made_words,
    restore_question,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.ui.kit.page.context import Context


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


class BackupsGroup(Page[BackupsContent]):
    """Leads the group; what takes long is shown and can be stopped."""

    view: BackupsView
    watches = About.EVENTS

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, BackupsView(context.theme, parent))
        self._stop = threading.Event()
        self._health = Health()
        self.comparing = CompareProcess(context, self)
        self.comparing.changed.connect(self.read_soon)
        view = self.view
        view.whose.choice_changed.connect(self._on_whose_chosen)
        view.back_up.clicked.connect(self.starts(self.back_up))
        view.stop.clicked.connect(self._on_stop_clicked)
        view.from_file.clicked.connect(self._on_from_file_clicked)
        view.table.compare_wanted.connect(self._on_compare_wanted)
        view.restore_wanted.connect(
            lambda name: begin_asking(self.background, self.restore(name), self.view)
        )
        view.pin_wanted.connect(self._on_pin_wanted)
        view.folder_wanted.connect(
            lambda name: self._show_folder((self.inklings.data_dir / "backups" / name).parent)
        )
        view.delete_wanted.connect(
            lambda name: begin_asking(self.background, self.delete(name), self.view)
        )
        view.show_world.clicked.connect(self._on_show_world_clicked)
        view.show_you.clicked.connect(lambda: self._show_folder(self.inklings.data_dir))
        view.check.clicked.connect(self.starts(self.check))
        if (background := self.inklings.background) is not None:
            background.task_finished.connect(self._on_task_finished)  # type: ignore[attr-defined]
        self._show_health()

    # -- what is shown --------------------------------------------------------------------------

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
        is_world = self.view.whose.choice() == WORLD
        shown = content.world if is_world else content.you
        now = self.inklings.clock()
        self.view.show_backups(shown, [backup_row(one, now) for one in shown])
        here = self.context.here()
        self.view.show_places(content.places, here.workspace.name if here is not None else "")
        whole = (one for one in content.world if one.fault is None)
        copied = next((one for one in whole if one.reason is not BackupReason.FROM_FILE), None)
        copied_at = None if copied is None else copied.created_at
        self._health = replace(self._health, copied_at=copied_at)
        self._show_health()

    def key_hints(self) -> tuple[KeyHint, ...]:
        return (
            KeyHint(("Enter",), tr("compare the backup")),
            KeyHint(("Del",), tr("delete it")),
        )

    def _show_health(self, *, is_checking: bool = False) -> None:
        self.view.show_health(self._health, self.inklings.clock(), is_checking=is_checking)

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
        self.view.show_step(tr("Copying"), 0.0)
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
            self.view.show_step("", 0.0)
            self.read_soon()

    def _show_step(self, step: str, done: int, total: int) -> None:
        words = tr("Checking the copy") if step == "verify" else tr("Copying")
        self.view.show_step(words, 1.0 if step == "verify" else done / total if total else 0.0)

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
        self._show_health(is_checking=True)
        try:
            report = await self.background.read(self.inklings.keeping.check_data)
            self._health = replace(self._health, report=report, checked_at=self.inklings.clock())
        finally:
            self._show_health()

    def _show_folder(self, folder: Path) -> None:
        show_folder(folder, self.context.say)

    # -- slots ----------------------------------------------------------------------------------

    @Slot(str)
    def _on_whose_chosen(self, _choice: str) -> None:
        if self.content is not None:
            self.show_content(self.content)

    @Slot()
    def _on_stop_clicked(self) -> None:
        self._stop.set()

    @Slot()
    def _on_from_file_clicked(self) -> None:
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

    @Slot(str)
    def _on_compare_wanted(self, name: str) -> None:
        backup = self._named(name)
        self.comparing.open(backup, self._whose_name(backup))

    @Slot(str, bool)
    def _on_pin_wanted(self, name: str, stays: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.spawn(self.change(partial(self.inklings.keeping.pin_backup, name, stays=stays)))

    @Slot()
    def _on_show_world_clicked(self) -> None:
        if self.content is not None:
            self._show_folder(self.content.places.workspace)

    @Slot(object)
    def _on_task_finished(self, _status: object) -> None:
        self.read_soon()


def _size(path: Path) -> int:
    """Bytes of a file; 0 for one that cannot be asked."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
