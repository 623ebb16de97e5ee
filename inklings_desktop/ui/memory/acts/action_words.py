"""What was done to memories, in the words of notes and of the Edit menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.ui.kit.words.memory_facts import (
    importance_figure,
    lifetime_label,
    tier_title,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import Lifetime, Tier

_LONGEST = 24


def memories(count: int) -> str:
    """A number of memories: ``1 memory``, ``3 memories``."""
    if count == 1:
        return _tr("1 memory")
    return _tr("{count} memories").format(count=QLocale().toString(count))


def forgot(count: int) -> str:
    """Memories were forgotten."""
    return _tr("Forgot {memories}").format(memories=memories(count))


def restored(count: int) -> str:
    """Forgotten memories were restored."""
    return _tr("Restored {memories}").format(memories=memories(count))


def retagged(count: int) -> str:
    """Tags were added or taken away."""
    return _tr("Changed the tags of {memories}").format(memories=memories(count))


def relabelled(count: int, lifetime: Lifetime) -> str:
    """The lifetime was set."""
    return _tr("Made {memories} {lifetime}").format(
        memories=memories(count), lifetime=lifetime_label(lifetime).lower()
    )


def reweighted(count: int, importance: float | None = None) -> str:
    """The importance was set, or moved."""
    if importance is None:
        return _tr("Changed the importance of {memories}").format(memories=memories(count))
    return _tr("Set the importance of {memories} to {figure}").format(
        memories=memories(count), figure=importance_figure(importance)
    )


def marked(count: int, mark: MemoryMark, *, on: bool) -> str:
    """A mark was set or lifted."""
    verb = {
        (MemoryMark.PINNED, True): _tr("Pinned {memories}"),
        (MemoryMark.PINNED, False): _tr("Unpinned {memories}"),
        (MemoryMark.PAUSED, True): _tr("Paused {memories}"),
        (MemoryMark.PAUSED, False): _tr("Resumed {memories}"),
        (MemoryMark.LOCKED, True): _tr("Locked {memories}"),
        (MemoryMark.LOCKED, False): _tr("Unlocked {memories}"),
    }[mark, on]
    return verb.format(memories=memories(count))


def confirmed(count: int) -> str:
    """A person said that they are still true."""
    return _tr("Still true: {memories}").format(memories=memories(count))


def replaced(count: int, sought: str) -> str:
    """A text was replaced."""
    return _tr("Replaced \u201c{sought}\u201d in {memories}").format(
        sought=_short(sought), memories=memories(count)
    )


def revived() -> str:
    """A memory that was forgotten meanwhile was restored with what the editor held."""
    return _tr("Restored and edited 1 memory")


def edited() -> str:
    """One memory was saved."""
    return _tr("Edited 1 memory")


def brought_back() -> str:
    """One memory says again what it said in an earlier version."""
    return _tr("Restored an earlier version")


def written() -> str:
    """A memory was written."""
    return _tr("Wrote 1 memory")


def copied(tier: Tier) -> str:
    """A memory was copied into another scope."""
    return _tr("Copied 1 memory to {tier}").format(tier=tier_title(tier))


def known_there(tier: Tier) -> str:
    """A memory was not copied: the other scope has it already."""
    return _tr("{tier} has this memory already; nothing was added").format(tier=tier_title(tier))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}\u2026"


def _tr(text: str) -> str:
    return QCoreApplication.translate("actions", text)
