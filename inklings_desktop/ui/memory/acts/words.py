"""What was done to memories, and why nothing would come of an act, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.ui.kit.look.translation import counted, lowered, tr
from inklings_desktop.ui.kit.words.memory_facts import importance_figure, lifetime_label, tier_title
from inklings_desktop.ui.memory.acts.table import MARKING_ACTS, MemoryAct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.memory.acts.chosen import Chosen


_LONGEST = 24


def memories(count: int) -> str:
    """A number of memories: ``1 memory``, ``3 memories``."""
    return counted(count, "1 memory", "{n} memories")


def forgot(count: int) -> str:
    """Memories were forgotten."""
    return tr("Forgot {memories}").format(memories=memories(count))


def restored(count: int) -> str:
    """Forgotten memories were restored."""
    return tr("Restored {memories}").format(memories=memories(count))


def retagged(count: int) -> str:
    """Tags were added or taken away."""
    return tr("Changed the tags of {memories}").format(memories=memories(count))


def relabelled(count: int, lifetime: Lifetime) -> str:
    """The lifetime was set."""
    return tr("Made {memories} {lifetime}").format(
        memories=memories(count), lifetime=lowered(lifetime_label(lifetime), is_noun=False)
    )


def reweighted(count: int, importance: float | None = None) -> str:
    """The importance was set, or moved."""
    if importance is None:
        return tr("Changed the importance of {memories}").format(memories=memories(count))
    return tr("Set the importance of {memories} to {figure}").format(
        memories=memories(count), figure=importance_figure(importance)
    )


def marked(count: int, mark: MemoryMark, *, on: bool) -> str:
    """A mark was set or lifted."""
    verb = {
        (MemoryMark.PINNED, True): tr("Pinned {memories}"),
        (MemoryMark.PINNED, False): tr("Unpinned {memories}"),
        (MemoryMark.PAUSED, True): tr("Paused {memories}"),
        (MemoryMark.PAUSED, False): tr("Resumed {memories}"),
        (MemoryMark.LOCKED, True): tr("Locked {memories}"),
        (MemoryMark.LOCKED, False): tr("Unlocked {memories}"),
    }[mark, on]
    return verb.format(memories=memories(count))


def confirmed(count: int) -> str:
    """A person said that they are still true."""
    return tr("Still true: {memories}").format(memories=memories(count))


def replaced(count: int, sought: str) -> str:
    """A text was replaced."""
    return tr("Replaced \u201c{sought}\u201d in {memories}").format(
        sought=_short(sought), memories=memories(count)
    )


def revived() -> str:
    """A memory that was forgotten meanwhile was restored with what the editor held."""
    return tr("Restored and edited 1 memory")


def edited() -> str:
    """One memory was saved."""
    return tr("Edited 1 memory")


def brought_back() -> str:
    """One memory says again what it said in an earlier version."""
    return tr("Restored an earlier version")


def written() -> str:
    """A memory was written."""
    return tr("Wrote 1 memory")


def copied(tier: Tier) -> str:
    """A memory was copied into another scope."""
    return tr("Copied 1 memory to {tier}").format(tier=tier_title(tier))


def known_there(tier: Tier) -> str:
    """A memory was not copied: the other scope has it already."""
    return tr("{tier} already has this memory").format(tier=tier_title(tier))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}\u2026"


_FORGETTING = frozenset({MemoryAct.FORGET, MemoryAct.FORGET_BECAUSE})
_FOR_FORGOTTEN = frozenset({MemoryAct.RESTORE, MemoryAct.COPY_TEXT, MemoryAct.EDIT})


def why_not(act: MemoryAct, targets: Sequence[Chosen]) -> str:
    """Why an act would change none of these memories; empty where it can change one.

    Args:
        act: What is asked for.
        targets: The memories it is about; at least one.
    """
    if act is MemoryAct.SCRUB:
        is_one_file = len({one.ref.scope.workspace_id for one in targets}) == 1
        both = tr("Choose memories of this workspace or of your account, not of both")
        return "" if is_one_file else both
    is_forgotten = all(one.is_forgotten for one in targets)
    if act is MemoryAct.RESTORE:
        some = any(one.is_forgotten for one in targets)
        return "" if some else tr("Nothing to restore: this is not forgotten")
    if is_forgotten and act in _FORGETTING:
        return tr("Forgotten already")
    if is_forgotten and act not in _FOR_FORGOTTEN:
        return tr("Restore it first")
    if act is MemoryAct.LIFETIME and all(
        one.ref.scope.tier is Tier.CONVERSATION for one in targets
    ):
        return tr("A conversation memory lasts as long as the conversation")
    marking = MARKING_ACTS.get(act)
    if marking is not None and all(_has(one, marking[0]) is marking[1] for one in targets):
        return tr("That is so already")
    return ""


def _has(one: Chosen, mark: MemoryMark) -> bool:
    return {
        MemoryMark.PINNED: one.pinned,
        MemoryMark.PAUSED: one.paused,
        MemoryMark.LOCKED: one.locked,
    }[mark]
