"""Joins databases that cannot be read to the band above every page, and what helps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.window.banners.damage_presenter import Damage, DamagePresenter
from inklings_desktop.ui.window.banners.damage_words import (
    EXPORT_READABLE,
    OPEN_COPY,
    REPAIR,
    copy_question,
    damage_banner,
    exported_words,
    nothing_readable,
    opened_sentence,
    repair_question,
    repaired_words,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path
    from typing import Any

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.window.joins.opened import Desks
    from inklings_desktop.usecases.bundle import Inklings


class DamageDesk(QObject):
    """Damage of one opened data root, whichever page is on show.

    Attributes:
        presenter: Knows what is damaged.

    Signals:
        said: A sentence for a passing note.
        message_raised: A ``Message`` for the person.
    """

    said = Signal(str)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        slot: BannerSlot,
        desks: Desks,
        parent: QObject,
    ) -> None:
        """Say what is damaged, and hear of what may become so.

        Args:
            background: Every use case of the window runs on it and meets damage first.
            inklings: The opened data root.
            slot: Above every page.
            desks: What is open, and how another workspace is opened.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._slot = slot
        self._desks = desks
        self._is_busy = False
        self.presenter = DamagePresenter(background, inklings, self)
        self.presenter.damage_changed.connect(self._on_damage_changed)
        slot.acted.connect(self._on_acted)
        shell = desks.memory.shell
        shell.workspace_switched.connect(self.presenter.show_surroundings)
        shell.surroundings_changed.connect(self.presenter.show_surroundings)
        desks.context.hear(self.presenter.on_changes)
        if desks.tasks.clock is not None:
            desks.tasks.clock.task_failed.connect(self.presenter.on_task_failed)
        background.on_damage = self.presenter.report
        if shell.surroundings is not None:
            self.presenter.open(shell.surroundings)
        if shell.damaged_at_first is not None:
            self.presenter.report(shell.damaged_at_first)

    def close(self) -> None:
        """Say nothing any more."""
        self._background.on_damage = None
        self.presenter.close()
        self._slot.acted.disconnect(self._on_acted)
        self._slot.say(BannerCause.DAMAGE, None)

    def tells_of(self, damaged: Path | None) -> bool:
        """Whether the banner says of this file what there is to say."""
        return damaged is not None and self.presenter.tells_of(damaged)

    @Slot(object)
    def _on_damage_changed(self, damage: Damage | None) -> None:
        content = None
        if damage is not None:
            content = damage_banner(
                damage.copy,
                name="" if damage.is_on_show else damage.name,
                is_account=damage.workspace_id is None,
                is_repairable=damage.is_repairable,
            )
        self._slot.say(BannerCause.DAMAGE, content)

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        damage = self.presenter.told
        if cause is not BannerCause.DAMAGE or damage is None or self._is_busy:
            return
        act: Coroutine[Any, Any, None] | None = None
        if key == REPAIR and damage.is_repairable:
            act = self._repair(damage)
        elif key == OPEN_COPY and damage.copy is not None:
            act = self._open_copy(damage, damage.copy)
        elif key == EXPORT_READABLE:
            act = self._export(damage)
        if act is not None:
            self._is_busy = True  # at once: the next press may come before the act has begun
            self._background.spawn(act)

    async def _repair(self, damage: Damage) -> None:
        try:
            question, text = repair_question(self._name_of(damage))
            if not await ask(
                self._slot.banner.window(),
                question,
                text,
                yes=self.tr("Repair"),
                no=self.tr("Not now"),
            ):
                return
            done = await self._background.write(
                self._inklings.repair_place, self._inklings.caller, damage.workspace_id
            )
            said = repaired_words(done, self._name_of(damage))
        except InklingsError as error:
            said = message_of(error)
        finally:
            self._is_busy = False
        # Whatever came of it, the banner tells what is found now.
        await self.presenter.examine(damage.workspace_id)
        self.message_raised.emit(said)

    async def _open_copy(self, damage: Damage, copy: Backup) -> None:
        try:
            question, text = copy_question(copy, self._name_of(damage))
            if not await ask(
                self._slot.banner.window(),
                question,
                text,
                yes=self.tr("Open the copy"),
                no=self.tr("Not now"),
            ):
                return
            await self._background.write(
                self._inklings.restore_backup, self._inklings.caller, copy.name
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        finally:
            self._is_busy = False
        await self.presenter.examine(damage.workspace_id)
        self.said.emit(opened_sentence(copy))
        if damage.workspace_id is not None and not damage.is_on_show:
            self._desks.open_workspace(damage.workspace_id)

    async def _export(self, damage: Damage) -> None:
        try:
            exports = self._desks.transfer.exports
            path = await exports.asked_path(self._name_of(damage), FILE_SUFFIX)
            if path is not None:
                await self.export_to(damage, path)
        finally:
            self._is_busy = False

    async def export_to(self, damage: Damage, path: Path) -> None:
        """Write what can be read into this file, and say what is in it."""
        try:
            done = await self._background.write(
                self._inklings.export_readable, self._inklings.caller, damage.workspace_id, path
            )
        except DatabaseCorruptError:
            self.message_raised.emit(nothing_readable())
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        else:
            self.message_raised.emit(exported_words(done))

    def _name_of(self, damage: Damage) -> str:
        return damage.name or self.tr("your account")
