"""What helps a damaged database, while its window is open over it or could not open it at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.window.banners.damage_words import (
    copy_question,
    exported_words,
    nothing_readable,
    repair_question,
    repaired_words,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.messages import Message
    from inklings_desktop.usecases.bundle import Inklings

T = TypeVar("T")
_DATABASE, _WORKSPACES = "agents.db", "workspaces"


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """A workspace's database, or the account's for None."""

    workspace_id: str | None


def place_of(path: Path | None, data_dir: Path) -> PlaceOf | None:
    """Whose database a path names; None when it is none in use, a backup say."""
    if path is None or path.name != _DATABASE:
        return None
    if path.parent == data_dir:
        return PlaceOf(None)
    is_workspace = path.parent.parent == data_dir / _WORKSPACES
    return PlaceOf(path.parent.name) if is_workspace else None


class WithData(Protocol):
    """Does something with the use cases over a data root, on the write lane."""

    async def __call__(self, call: Callable[[Inklings], T], /) -> T:
        """The answer."""


class Rescue:
    """Asks before it changes anything, one act at a time, and says what could not be done."""

    def __init__(
        self,
        background: Background,
        *,
        ask: Callable[..., Awaitable[bool]],
        with_data: WithData,
        say: Callable[[Message], None],
    ) -> None:
        """Help with nothing yet.

        Args:
            ask: Asks over the window whether something should be done, as ``ask`` of ``kit`` does.
            with_data: Reaches the data root, open or opened for the purpose.
            say: Says in a dialog what came of an act.
        """
        self._background, self._ask = background, ask
        self._with_data, self._say = with_data, say
        self._is_busy = False

    def begin(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start an act, unless one is under way."""
        if not self._is_busy:
            self._is_busy = True  # at once: the next press may come before the act has begun
            self._background.spawn(self._do(act))

    async def _do(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await act()
        except InklingsError as error:
            self._say(message_of(error))
        finally:
            self._is_busy = False

    async def open_copy(self, copy: Backup, name: str) -> bool:
        """Whether a copy has taken the place of the database of this name."""
        question, text = copy_question(copy, name)
        if await self._ask(question, text, yes=tr("Open the copy"), no=tr("Not now")):
            await self._with_data(lambda data: data.keeping.restore_backup(copy.name))
            return True
        return False

    async def repair(self, workspace_id: str | None, name: str) -> Message | None:
        """What a repair of the database of this name did; None if it was not wanted."""
        question, text = repair_question(name)
        if await self._ask(question, text, yes=tr("Repair"), no=tr("Not now")):
            done = await self._with_data(lambda data: data.keeping.repair_place(workspace_id))
            return repaired_words(done, name)
        return None

    async def export_to(self, workspace_id: str | None, path: Path) -> None:
        """Write what can be read into this file, and say what is in it."""
        try:
            done = await self._with_data(
                lambda data: data.keeping.export_readable(workspace_id, path)
            )
        except DatabaseCorruptError:
            self._say(nothing_readable())
        else:
            self._say(exported_words(done))
