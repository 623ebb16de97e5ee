"""Why a data root cannot be opened, and what helps where a database is damaged."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from inklings_desktop import __version__
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseTooNewError,
    InklingsError,
)
from inklings_desktop.domain.log.backup import Backup
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.window.banners.damage import (
    Rescue,
    last_copy_sentence,
    place_of,
    repair_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any

    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings


_ACCOUNT = "account"
_WORKSPACES = "workspaces"


def opening_problem(error: InklingsError, data_dir: Path) -> Message:
    """What the window says instead of the data; called off the UI thread."""
    message = message_of(error)
    match error:
        case DatabaseTooNewError():
            program = tr("Inklings Desktop {version}, schema {schema}").format(
                version=__version__, schema=error.supported
            )
            return replace(
                message,
                details=(*message.details[:1], (tr("This is"), program)),
                foot=tr(
                    "There is no \u201copen anyway\u201d. An older program cannot know what a "
                    "newer one meant."
                ),
                status=tr("Schema {found}, not opened").format(found=error.found),
                icon="file-arrow-up",
            )
        case DatabaseCorruptError():
            place = damaged_place(error, data_dir)
            if place is None or place.copy is None:
                return message
            command = f"inklings backup restore {place.copy.name}"
            return replace(
                message,
                text=last_copy_sentence(place.copy.created_at),
                details=(*message.details, (tr("Restore it"), command)),
            )
        case DatabaseBusyError():
            # Readers go on beside a writer: whoever keeps even them out is not done in a moment,
            # and leaves nothing that could be opened read-only.
            is_workspace = error.path is not None and error.path.parent.parent.name == _WORKSPACES
            return replace(
                message,
                title=tr("Another window is using this workspace.")
                if is_workspace
                else tr("Another window is using this data."),
                text=tr("Close it, or wait, and try again. Nothing was changed."),
                icon="lock-simple",
            )
        case _:
            return message


@dataclass(frozen=True, slots=True)
class DamagedPlace:
    """A database without which nothing can be opened.

    Attributes:
        workspace_id: Whose it is; None for the account's.
        copy: Its latest backup; None when there is none.
    """

    workspace_id: str | None
    copy: Backup | None


def damaged_place(error: InklingsError, data_dir: Path) -> DamagedPlace | None:
    """What can be rescued; None where nothing is damaged. Called off the UI thread."""
    place = place_of(error.path, data_dir) if isinstance(error, DatabaseCorruptError) else None
    if place is None:
        return None
    scope = place.workspace_id or _ACCOUNT
    path = max((data_dir / "backups" / scope).glob("*.db"), default=None)
    if path is None:
        return DamagedPlace(place.workspace_id, None)
    status = path.stat()
    made_at = datetime.fromtimestamp(status.st_mtime).astimezone()
    copy = Backup(f"{scope}/{path.name}", place.workspace_id, made_at, status.st_size)
    return DamagedPlace(place.workspace_id, copy)


T = TypeVar("T")


class ProblemHelp(QObject):
    """Stands behind the page of a window that could not open its data.

    Nothing is open then, so each act opens the data root for itself, damaged account and all.

    Attributes:
        rescue: What helps.
    """

    def __init__(
        self,
        background: Background,
        window: MainWindow,
        data_dir: Path,
        open_damaged: Callable[[], AbstractContextManager[Inklings]] | None,
    ) -> None:
        """Show nothing yet.

        Args:
            data_dir: The data root.
            open_damaged: Opens it although it is damaged; None offers no acts.
        """
        super().__init__(window)
        self._background = background
        self._window = window
        self._data_dir = data_dir
        self._open_damaged = open_damaged
        self._place: DamagedPlace | None = None
        self._is_joined = False
        self.rescue = Rescue(
            background, ask=partial(ask, window), with_data=self._with_data, say=window.show_message
        )

    async def show(self, error: InklingsError) -> Message:
        """Say why the data cannot be opened, and offer what helps; what was said."""
        message = await self._background.read(opening_problem, error, self._data_dir)
        place = self._place = await self._background.read(damaged_place, error, self._data_dir)
        self._window.show_problem(message)
        page = self._window.problem.page
        if page is None or self._open_damaged is None:
            return message
        if not self._is_joined:
            self._is_joined = True
            page.open_copy.clicked.connect(lambda: self._begin(self._open_copy))
            page.export.clicked.connect(lambda: self._begin(self._export))
            page.repair.clicked.connect(lambda: self._begin(self._repair))
        page.offer_rescue(
            has_copy=place is not None and place.copy is not None, is_damaged=place is not None
        )
        if place is not None:
            self._background.spawn(self._look(place, message))
        return message

    async def _look(self, place: DamagedPlace, message: Message) -> None:
        """Offer a repair in the place of the copy where that one loses nothing."""
        try:
            health = await self._with_data(
                lambda data: data.keeping.examine_place(place.workspace_id)
            )
        except InklingsError:
            return  # what is offered already is what is left
        page = self._window.problem.page
        if page is None or place is not self._place or health is None or not health.is_repairable:
            return
        self._window.show_problem(
            replace(
                message,
                text=repair_sentence(),
                details=(
                    *message.details[:1],
                    (tr("Repair it"), "inklings check --repair"),
                ),
            )
        )
        page.offer_rescue(has_copy=False, is_damaged=True, is_repairable=True)

    def _begin(self, act: Callable[[DamagedPlace], Coroutine[Any, Any, None]]) -> None:
        if self._place is not None:
            self.rescue.begin(partial(act, self._place))

    async def _open_copy(self, place: DamagedPlace) -> None:
        if place.copy is not None and await self.rescue.open_copy(place.copy, _name_of(place)):
            self._window.problem.try_again()

    async def _repair(self, place: DamagedPlace) -> None:
        said = await self.rescue.repair(place.workspace_id, _name_of(place))
        if said is not None:
            self._window.show_message(said)
            self._window.problem.try_again()

    async def _export(self, place: DamagedPlace) -> None:
        from inklings_desktop.domain.transfer.document import FILE_SUFFIX
        from inklings_desktop.ui.transfer.export_dialog import asked_export_path

        name = _name_of(place)
        path = await asked_export_path(self._background, self._window, name, FILE_SUFFIX)
        if path is not None:
            await self.rescue.export_to(place.workspace_id, path)

    async def _with_data(self, call: Callable[[Inklings], T]) -> T:
        assert self._open_damaged is not None
        return await self._background.write(partial(_called, self._open_damaged, call))


def _name_of(place: DamagedPlace) -> str:
    return tr("your account") if place.workspace_id is None else tr("this workspace")


def _called(
    opened: Callable[[], AbstractContextManager[Inklings]], call: Callable[[Inklings], T]
) -> T:
    with opened() as data:
        return call(data)
