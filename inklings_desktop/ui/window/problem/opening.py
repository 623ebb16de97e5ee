"""Why a data root cannot be opened, with what is known beside it: copies, versions, the way on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop import __version__
from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseTooNewError,
)
from inklings_desktop.domain.log.backup import Backup
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.window.banners.damage_words import last_copy_sentence

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.kit.words.messages import Message

_ACCOUNT = "account"
_WORKSPACES = "workspaces"
_DATABASE = "agents.db"


def opening_problem(error: InklingsError, data_dir: Path) -> Message:
    """What the window says instead of the data; called off the UI thread."""
    message = message_of(error)
    match error:
        case DatabaseTooNewError():
            program = _tr("Inklings Desktop {version}, schema {schema}").format(
                version=__version__, schema=error.supported
            )
            return replace(
                message,
                details=(*message.details[:1], (_tr("This is"), program)),
                foot=_tr(
                    "There is no \u201copen anyway\u201d. An older program cannot know what a "
                    "newer one meant."
                ),
                status=_tr("Schema {found}, not opened").format(found=error.found),
                icon="file-arrow-up",
            )
        case DatabaseCorruptError():
            copy = _latest_copy(error, data_dir)
            if copy is None:
                return message
            made_at = datetime.fromtimestamp(copy.stat().st_mtime).astimezone()
            name = f"{copy.parent.name}/{copy.name}"
            return replace(
                message,
                text=last_copy_sentence(made_at),
                details=(
                    *message.details,
                    (_tr("Bring it back"), f"inklings backup restore {name}"),
                ),
            )
        case DatabaseBusyError():
            # Readers go on beside a writer: whoever keeps even them out is not done in a moment,
            # and leaves nothing that could be opened read-only.
            is_workspace = error.path is not None and error.path.parent.parent.name == _WORKSPACES
            return replace(
                message,
                title=_tr("Another window is using this workspace.")
                if is_workspace
                else _tr("Another window is using this data."),
                text=_tr("Close it, or wait until it is done, and try again. Nothing was changed."),
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
    if not isinstance(error, DatabaseCorruptError) or error.path is None:
        return None
    folder = error.path.parent
    if error.path.name != _DATABASE:
        return None
    if folder != data_dir and folder.parent != data_dir / _WORKSPACES:
        return None
    workspace_id = None if folder == data_dir else folder.name
    path = _latest_copy(error, data_dir)
    copy = None
    if path is not None:
        status = path.stat()
        made_at = datetime.fromtimestamp(status.st_mtime).astimezone()
        name = f"{path.parent.name}/{path.name}"
        copy = Backup(name, workspace_id, made_at, status.st_size)
    return DamagedPlace(workspace_id, copy)


def _latest_copy(error: DatabaseCorruptError, data_dir: Path) -> Path | None:
    """The newest managed backup of the damaged file, if there is one."""
    damaged = error.path
    if damaged is None:
        return None
    scope = _ACCOUNT if damaged.parent == data_dir else damaged.parent.name
    copies = sorted((data_dir / "backups" / scope).glob("*.db"))
    return copies[-1] if copies else None


def _tr(text: str) -> str:
    return QCoreApplication.translate("opening_problem", text)
