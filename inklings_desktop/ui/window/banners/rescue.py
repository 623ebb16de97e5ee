"""What is said of a damaged database, and what helps it, whether its window is open or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerContent
from inklings_desktop.ui.kit.words.entry_facts import day_label
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup, PlaceRepair
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.keeping.keeping import ReadableExported

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


_BACKUPS = "backups"
OPEN_COPY, EXPORT_READABLE, REPAIR = "openCopy", "exportReadable", "repair"


def last_copy_sentence(made_at: datetime) -> str:
    """That nothing was repaired, and how old the last good copy is."""
    return tr("Nothing has been repaired yet. The last good copy is from {date}.").format(
        date=day_label(made_at)
    )


def repair_sentence() -> str:
    """That nothing was repaired, and that a repair loses nothing."""
    return tr("Only indexes are damaged. A repair loses nothing.")


def damage_banner(
    copy: Backup | None,
    *,
    name: str = "",
    is_account: bool = False,
    is_repairable: bool = False,
) -> BannerContent:
    """Part of a database could not be read.

    Args:
        copy: Its last good copy; None when there is none.
        name: The workspace, if it is another one than the one on show.
        is_account: Whether it is the account's database.
        is_repairable: Whether a repair loses nothing; then the copy, which would, is not offered.
    """
    whose = ""
    if is_account:
        whose = tr("It is the database of your account, which every workspace uses.")
    elif name:
        whose = tr("It is the workspace {name}.").format(name=name)
    actions = [BannerAction(EXPORT_READABLE, tr("Export what can be read"))]
    if is_repairable:
        state = repair_sentence()
        actions.insert(0, BannerAction(REPAIR, tr("Repair")))
    elif copy is None:
        state = tr("Nothing has been repaired yet. There is no good copy of it.")
    else:
        state = last_copy_sentence(copy.created_at)
        actions.insert(0, BannerAction(OPEN_COPY, tr("Open the copy")))
    return BannerContent(
        "madder",
        tr("Part of the database could not be read."),
        f"{whose} {state}".strip(),
        tuple(actions),
        icon="warning-octagon",
    )


def copy_question(copy: Backup, name: str) -> tuple[str, str]:
    """What is asked before a copy takes the place of a damaged database; question and text."""
    question = tr("Open the copy from {date}?").format(date=day_label(copy.created_at))
    text = tr(
        "It replaces the database of {name}. Anything written since is not in it. The "
        "damaged database is kept; you can export what can be read first."
    ).format(name=name)
    return question, text


def opened_sentence(copy: Backup) -> str:
    """A copy has taken the place of a damaged database."""
    return tr("The copy from {date} is open; the damaged database is kept").format(
        date=day_label(copy.created_at)
    )


def repair_question(name: str) -> tuple[str, str]:
    """What is asked before damaged indexes are made again; question and text."""
    question = tr("Repair the database of {name}?").format(name=name)
    text = tr("Its indexes are rebuilt; nothing is lost. The damaged database is kept.")
    return question, text


def repaired_words(done: PlaceRepair, name: str) -> Message:
    """What a repair did, and where the state before is."""
    title = tr("Repaired the database of {name}").format(name=name)
    if not done.kept:
        return Message(title, tr("Nothing was wrong; nothing was changed."), icon="check")
    if done.is_whole_file:
        made = tr("Every index was rebuilt.")
        kept = tr("The damaged database is kept as {name}.")
    else:
        made = tr("The search index was rebuilt.")
        kept = tr("The state before is kept as {name}.")
    sentences = [made]
    if done.n_memories:
        sentences.append(
            counted(
                done.n_memories,
                "Its 1 memory is there.",
                "All its {n} memories are there.",
            )
        )
    if done.n_to_embed:
        sentences.append(
            counted(
                done.n_to_embed,
                "One memory is prepared for search again.",
                "{n} memories are prepared for search again.",
            )
        )
    sentences.append(kept.format(name=f"{_BACKUPS}/{done.kept}"))
    return Message(title, " ".join(sentences), icon="check")


def nothing_readable() -> Message:
    """Not one row of a damaged database could be had."""
    return Message(
        tr("Nothing in the database could be read."),
        tr("No file was written. The damaged database was not changed."),
        is_environment=True,
    )


def exported_words(done: ReadableExported) -> Message:
    """What is in the file, and what could not be read."""
    n_memories = done.exported.n_memories
    what = counted(n_memories, "1 memory", "{n} memories")
    title = tr("Exported {what} to {name}").format(what=what, name=done.exported.path.name)
    if done.is_whole:
        return Message(title, tr("Everything in the database could be read."), icon="check")
    if done.n_missing:
        missing = counted(
            done.n_missing,
            "1 memory could not be read.",
            "{n} memories could not be read.",
        )
    else:
        missing = tr("Something else in it could not be read.")
    kept = tr("The damaged database was not changed.")
    return Message(title, f"{missing} {kept}")
