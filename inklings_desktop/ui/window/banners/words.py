"""What the banners above the pages say: what happened, what still works, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.translation import counted, quoted, tr
from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerContent
from inklings_desktop.ui.kit.words.memory_facts import exact_time, name_of_writer
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.task_words import group_name, group_of, progress_words
from inklings_desktop.ui.scrub.notices import size_text
from inklings_desktop.usecases.ports.progress import MakingSample, Upgrade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.domain.log.events import LostWrites
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.background.background_work import TaskStatus

    Lost = Sequence[tuple[Workspace | None, LostWrites]]


SET_UP, RETRY = "setUpModel", "retryModel"
TRY, EXPORT = "tryWriting", "export"
FOLDER, LOOK_AGAIN = "openFolder", "lookAgain"
TASKS, CANCEL = "showTasks", "cancelRun"
LET_IN, NOT_NOW = "letIn", "notNow"
START_OWN = "startOwn"
KEEP, CLOSE = "keepSilent", "closeSilent"
SHOW, UNDO = "showSetAside", "undoSetAside"
CLOSE_FILES = "closeFiles"


def read_only_banner() -> BannerContent:
    """Nothing can be stored."""
    return BannerContent(
        "madder",
        tr("Read-only: the disk cannot be written to."),
        tr(
            "You can read, search and export to another place. Editing is off until the disk is "
            "writable."
        ),
        (BannerAction(TRY, tr("Try again")), BannerAction(EXPORT, tr("Export to\u2026"))),
        icon="lock-simple",
    )


def purge_banner() -> BannerContent:
    """What a scrub removed may still lie in files of ours."""
    return BannerContent(
        "ochre",
        tr("A scrub is not finished."),
        tr(
            "Text that it removed may remain in files of Inklings. It continues when no "
            "other program is reading the old data."
        ),
        icon="eraser",
    )


def open_files_banner(n_open: int) -> BannerContent:
    """Other users may open what is remembered here, or could until this start."""
    if not n_open:
        return BannerContent(
            "ochre",
            tr("Other users of this machine could open your data."),
            tr("The folder is closed to them now. They may have read what is in it."),
            dismiss_name=tr("Put this notice away"),
            icon="lock-simple",
        )
    return BannerContent(
        "ochre",
        tr("Other users of this machine can open your data."),
        counted(
            n_open, "1 file or folder is open to them.", "{n} files or folders are open to them."
        ),
        (
            BannerAction(CLOSE_FILES, tr("Close to others")),
            BannerAction(FOLDER, tr("Open the folder")),
        ),
        icon="lock-simple",
    )


def low_disk_banner(room: DiskRoom) -> BannerContent:
    """Storing may soon fail."""
    title = tr("The disk is nearly full.")
    advice = tr(
        "You can read, search and write, but a backup, an import or a scrub may not find room. "
        "Free some space."
    )
    left = tr("{free} are left.").format(free=size_text(room.free_bytes))
    return BannerContent(
        "ochre",
        title,
        f"{left} {advice}",
        (
            BannerAction(LOOK_AGAIN, tr("Look again")),
            BannerAction(FOLDER, tr("Open the folder")),
        ),
        icon="hard-drives",
        told=f"{title} {advice}",
    )


def keyword_only_banner(*, has_failed: bool) -> BannerContent:
    """No model is there, or the one that is there cannot be used."""
    away = tr("Put this notice away")
    if has_failed:
        return BannerContent(
            "ochre",
            tr("The search model did not load."),
            tr("Searching by words still works. The reason is in the program\u2019s log."),
            (BannerAction(RETRY, tr("Try again")),),
            dismiss_name=away,
            icon="intersect",
        )
    return BannerContent(
        "ochre",
        tr("Searching by words only."),
        tr("No search model is installed, so memories in other words are missed."),
        (BannerAction(SET_UP, tr("Set up a model\u2026")),),
        dismiss_name=away,
        icon="intersect",
    )


def sample_banner() -> BannerContent:
    """What is looked at is not one's own, and may be broken."""
    return BannerContent(
        "lapis",
        tr("This is the sample world."),
        tr("Break what you like; it is a copy."),
        (BannerAction(START_OWN, tr("Start my own")),),
        dismiss_name=tr("Put this notice away"),
        icon="map-trifold",
    )


def catch_up_banner(run: TaskStatus) -> BannerContent:
    """What was missed while the program was closed is done now."""
    title = tr("Catching up on background work.")
    name = group_name(group_of(run.target))
    advice = tr("You can keep working.")
    progress = tr("{work}: {progress}.").format(work=name, progress=progress_words(run))
    return BannerContent(
        "lapis",
        title,
        f"{progress} {advice}",
        (BannerAction(TASKS, tr("Show the tasks")), BannerAction(CANCEL, tr("Cancel"))),
        icon="arrows-clockwise",
        told=f"{title} {name}. {advice}",
    )


def knock_banner(client: str, workspace: str, like: str | None = None) -> BannerContent:
    """A client that came by itself waits before the door.

    Args:
        client: Its name.
        workspace: What it wants to read.
        like: Whom its name could be taken for; None for nobody.
    """
    text = tr("It can read nothing until you let it in. You can give it more access later.")
    if like is not None:
        text = tr("Its name could be taken for {other}. {text}").format(other=like, text=text)
    return BannerContent(
        "ochre",
        tr("{client} wants to read {workspace}.").format(
            client=name_of_writer(client), workspace=workspace
        ),
        text,
        (BannerAction(LET_IN, tr("Let in")), BannerAction(NOT_NOW, tr("Not now"))),
        icon="puzzle-piece",
    )


def set_aside_banner(tier: Tier, n_memories: int) -> BannerContent:
    """The clock forgot memories by itself.

    Args:
        tier: Where.
        n_memories: How many.
    """
    why = {
        Tier.CONVERSATION: tr("They belonged to conversations that are closed."),
        Tier.CHANNEL: tr("Consolidation tidied up a channel."),
        Tier.WORKSPACE: tr("Consolidation tidied up this workspace."),
        Tier.ACCOUNT: tr("Consolidation tidied up your account."),
    }
    still = tr("Agents no longer see them; nothing is lost.")
    return BannerContent(
        "lapis",
        counted(n_memories, "One memory archived.", "{n} memories archived."),
        f"{why[tier]} {still}",
        (BannerAction(SHOW, tr("Show")), BannerAction(UNDO, tr("Undo"))),
        dismiss_name=tr("I know: put this note away"),
        icon="archive",
    )


def restored_words(n_memories: int) -> str:
    """What the clock set aside is back."""
    return counted(n_memories, "1 memory is back", "{n} memories are back")


def silence_banner(title: str, n_memories: int, n_more: int) -> BannerContent:
    """A conversation fell silent, and nobody has said what becomes of its memories."""
    held = counted(
        n_memories,
        "It rests now, with 1 memory that only it can read.",
        "It rests now, with {n} memories that only it can read.",
    )
    more = counted(n_more, "1 more waits.", "{n} more wait.") if n_more else ""
    return BannerContent(
        "ochre",
        tr("{title} has fallen silent.").format(title=title),
        f"{held} {more}".strip(),
        (BannerAction(KEEP, tr("Keep them")), BannerAction(CLOSE, tr("Look and close\u2026"))),
        icon="chat-circle",
    )


WHAT, KNOWN = "whatIsLost", "lossKnown"


def loss_banner(found: Lost) -> BannerContent:
    """An older copy of a file came back, or the end of its WAL was lost.

    Args:
        found: What is missing in each file, the account's under None; not empty.
    """
    places = ", ".join(_place(world) for world, _ in found)
    text = tr("Missing in {places}. Perhaps an older copy of the file was put back.")
    return BannerContent(
        "madder",
        _title(found),
        text.format(places=places),
        (BannerAction(WHAT, tr("What is missing")), BannerAction(KNOWN, tr("I know"))),
        icon="warning-octagon",
    )


def loss_message(found: Lost) -> Message:
    """How much, since when, and where it may still be."""
    told = [_told(world, lost) for world, lost in found]
    go_on = tr(
        "Press \u201cI know\u201d to continue without what is missing; the loss is "
        "recorded in the event log."
    )
    commands = [
        (_place(world), f"inklings backup restore {lost.backup}")
        for world, lost in found
        if lost.backup is not None
    ]
    return Message(_title(found), "\n\n".join([*told, go_on]), details=tuple(commands))


def _title(found: Lost) -> str:
    return counted(
        sum(lost.n_writes for _, lost in found),
        "1 write that was stored is missing.",
        "{n} writes that were stored are missing.",
    )


def _told(world: Workspace | None, lost: LostWrites) -> str:
    what = counted(lost.n_writes, "1 write", "{n} writes")
    said = tr("In {place}: {what}, stored between {since} and {until}.").format(
        place=_place(world),
        what=what,
        since=exact_time(lost.since),
        until=exact_time(lost.until),
    )
    if lost.backup is None:
        said += " " + tr("No backup has any of them.")
    else:
        held = tr("The backup {name} has {n} of them; the command in the details restores it.")
        said += " " + held.format(name=lost.backup, n=lost.n_in_backup)
    if lost.n_scrubs:
        said += " " + counted(
            lost.n_scrubs,
            "A scrub was undone: what it removed may be back. Scrub again.",
            "{n} scrubs were undone: what they removed may be back. Scrub again.",
        )
    return said


def _place(world: Workspace | None) -> str:
    return tr("your account") if world is None else world.name


def upgrade_sentence(upgrade: Upgrade | MakingSample) -> str:
    """What is brought to the new format, and how far that is; or that the sample is made."""
    if isinstance(upgrade, MakingSample):
        return tr("Making the sample world: a few seconds, only this once.")
    name = tr("the account") if upgrade.name is None else quoted(upgrade.name)
    if not upgrade.step:
        return tr("Bringing {name} to the new format: making a safe copy first.").format(name=name)
    return tr(
        "Bringing {name} to the new format: step {step} of {n_steps}, safe copy made."
    ).format(name=name, step=upgrade.step, n_steps=upgrade.n_steps)
