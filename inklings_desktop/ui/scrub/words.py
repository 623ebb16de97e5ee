"""The sentences of the scrub dialog up to its last button: what would go, what stays."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import BackupFate, ChosenScope, ScrubKind, ScrubMode
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time, tier_title

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.scrub.manifest import ScrubManifest
    from inklings_desktop.ui.scrub.state import ScrubCopy, ScrubState, TierChoice

_MANY_NAMES = 4


# -- step 1 ---------------------------------------------------------------------------------


def entries_text(count: int) -> str:
    """How many entries: ``1 entry``, ``43 entries``."""
    return counted(count, "1 entry", "{n} entries")


def tier_sentence(tier: Tier) -> str:
    """What clearing a tier means, in one sentence."""
    return {
        Tier.CONVERSATION: tr("One conversation\u2019s working memory"),
        Tier.CHANNEL: tr("One channel, shared by its conversations"),
        Tier.WORKSPACE: tr("Everything remembered about this workspace"),
        Tier.ACCOUNT: tr("Everything remembered about you, in every workspace"),
    }[tier]


def choice_texts(choice: TierChoice) -> tuple[str, str]:
    """How many memories a tier has, and what goes beside them; that may be empty."""
    n = choice.n_entries - choice.n_forgotten - choice.n_notes
    beside = [
        counted(choice.n_notes, "1 working note", "{n} working notes") if choice.n_notes else "",
        counted(choice.n_forgotten, "1 forgotten", "{n} forgotten") if choice.n_forgotten else "",
    ]
    return counted(n, "1 memory", "{n} memories"), ", ".join(filter(None, beside))


def mode_title(mode: ScrubMode) -> str:
    """The name of a mode."""
    return {
        ScrubMode.KEEP_NAMED: tr("Keep named entries"),
        ScrubMode.FULL: tr("Everything"),
        ScrubMode.RUN_STATE: tr("Run state alone"),
    }[mode]


def mode_sentence(mode: ScrubMode, choice: TierChoice) -> str:
    """What a mode spares in a tier, naming the entries."""
    if mode is ScrubMode.KEEP_NAMED:
        if not choice.names:
            return tr("There is no named entry here; everything in the tier goes.")
        stays = tr("{names} stays exactly as written.")
        stay = tr("{names} stay exactly as written.")
        first = (stays if len(choice.names) == 1 else stay).format(names=names_text(choice.names))
        return f"{first} {tr('Everything else in the tier goes.')}"
    built_in = _built_in_of(choice.tier)
    return tr(
        "Named entries go too. {name} returns as an empty outline so the agent always has one "
        "to read."
    ).format(name=built_in)


def no_names_sentence(tier: Tier, mode: ScrubMode) -> str:
    """Why there is nothing to choose in a tier without named entries."""
    if mode is ScrubMode.RUN_STATE:
        return tr("Its memories, its working notes and what was said in it stay.")
    if tier is Tier.CONVERSATION:
        return tr(
            "A conversation has no named entries. Its memories go, forgotten ones included, and "
            "its working notes."
        )
    return tr("A channel has no named entries. Its memories go, forgotten ones included.")


def run_state_sentence(*, is_one: bool) -> str:
    """What a purge of run state takes away, or when there is one.

    Args:
        is_one: Whether a single conversation is cleared.
    """
    what = tr("The agent\u2019s checkpoints and traces, and the tool details in its messages.")
    when = tr("What was said and remembered stays.")
    if not is_one:
        when = tr("Available when you clear a single conversation.")
    return f"{what} {when}"


# -- step 2 ---------------------------------------------------------------------------------


def would_headline(manifest: ScrubManifest) -> str:
    """What the dry run found, in one line."""
    if not manifest.n_removed:
        return tr("Nothing here to remove")
    text = counted(
        manifest.n_removed,
        "1 entry would be removed, {kept}",
        "{n} entries would be removed, {kept}",
    )
    return text.format(kept=kept_count(manifest))


def scope_mode_sentence(state: ScrubState, manifest: ScrubManifest) -> str:
    """Which tier, which room, which mode."""
    if manifest.mode is ScrubMode.RUN_STATE:
        return tr("{scope}, run state alone.").format(scope=scope_text(state))
    if state.chosen is not None or manifest.scope.tier in {Tier.CONVERSATION, Tier.CHANNEL}:
        return tr("{scope}.").format(scope=scope_text(state))
    spared = (
        tr("keeping named entries")
        if manifest.mode is ScrubMode.KEEP_NAMED
        else tr("named entries included")
    )
    return tr("{tier} tier, {mode}.").format(tier=tier_title(manifest.scope.tier), mode=spared)


def made_of_sentence(manifest: ScrubManifest) -> str:
    """What the figure is made of, where that is more than memories; empty otherwise."""
    counts = dict(manifest.by_kind)
    n_memories = counts.get(ScrubKind.MEMORY.value, 0)
    memories = _COUNTED[ScrubKind.MEMORY](n_memories)
    if manifest.n_forgotten:
        memories = counted(
            manifest.n_forgotten,
            "{memories}, 1 already forgotten",
            "{memories}, {n} already forgotten",
        ).format(memories=memories)
    parts = [
        memories if kind is ScrubKind.MEMORY else say(n)
        for kind, say in _COUNTED.items()
        if (n := counts.get(kind.value, 0))
    ]
    said = "; ".join(parts) + "." if manifest.n_forgotten or len(parts) > 1 else ""
    found = ", ".join(f"{name} {grouped(n)}" for name, n in manifest.by_workspace)
    goes_too = (
        tr("What was said about them is emptied: {found}.").format(found=found) if found else "",
        counted(
            manifest.n_proposals,
            "1 proposal about them goes too.",
            "{n} proposals about them go too.",
        )
        if manifest.n_proposals
        else "",
        counted(
            manifest.n_questions,
            "1 golden question about them goes too.",
            "{n} golden questions about them go too.",
        )
        if manifest.n_questions
        else "",
        counted(manifest.n_filters, "1 saved filter goes too.", "{n} saved filters go too.")
        if manifest.n_filters
        else "",
        counted(
            manifest.n_versions,
            "1 kept version of a page goes too; the pages stay.",
            "{n} kept versions of pages go too; the pages stay.",
        )
        if manifest.n_versions
        else "",
    )
    return " ".join(filter(None, (said, *goes_too)))


_COUNTED: dict[ScrubKind, Callable[[int], str]] = {
    ScrubKind.HOUSE_RULE: lambda n: counted(n, "1 house rule", "{n} house rules"),
    ScrubKind.MEMORY: lambda n: counted(n, "1 memory", "{n} memories"),
    ScrubKind.FACT: lambda n: counted(n, "1 fact", "{n} facts"),
    ScrubKind.DOMAIN: lambda n: counted(n, "1 domain", "{n} domains"),
    ScrubKind.WORKING_MEMORY: lambda n: counted(
        n, "1 text that an agent keeps", "{n} texts that agents keep"
    ),
    ScrubKind.SKILL: lambda n: counted(n, "1 skill", "{n} skills"),
    ScrubKind.ACTIVITY: lambda n: counted(n, "1 appointment", "{n} appointments"),
    ScrubKind.WORKING_NOTE: lambda n: counted(n, "1 working note", "{n} working notes"),
    ScrubKind.MESSAGE: lambda n: counted(n, "1 message", "{n} messages"),
    ScrubKind.NAMED_ENTRY: lambda n: counted(n, "1 named entry", "{n} named entries"),
    ScrubKind.CHECKPOINT: lambda n: counted(n, "1 checkpoint", "{n} checkpoints"),
    ScrubKind.CHECKPOINT_WRITE: lambda n: counted(n, "1 write of a step", "{n} writes of steps"),
    ScrubKind.TRACE: lambda n: counted(n, "1 trace", "{n} traces"),
    ScrubKind.COMPACTION: lambda n: counted(n, "1 short form", "{n} short forms"),
}
"""What a scrub is made of, in the order in which it is said."""


def untouched_lines(manifest: ScrubManifest) -> tuple[tuple[str, str], ...]:
    """What stays, as pairs of icon and text."""
    untouched = manifest.untouched
    counts = dict(untouched.memories)
    lines = [("link-simple", tr("Pages that memories derive from"))]
    rooms = []
    if n := counts.get(Tier.CONVERSATION.value):
        rooms.append(counted(n, "1 conversation memory", "{n} conversation memories"))
    if n := counts.get(Tier.CHANNEL.value):
        rooms.append(counted(n, "1 channel memory", "{n} channel memories"))
    if n := counts.get(Tier.WORKSPACE.value):
        rooms.append(counted(n, "1 workspace memory", "{n} workspace memories"))
    if rooms:
        lines.append(("chats-circle", ", ".join(rooms)))
    if n_account := counts.get(Tier.ACCOUNT.value, 0):
        lines.append(("user", counted(n_account, "1 account memory", "{n} account memories")))
    if untouched.named_entries:
        lines.append(("bookmarks", names_text(untouched.named_entries)))
    if untouched.workspaces:
        lines.append(("folder", names_text(untouched.workspaces)))
    lines.append(("list-bullets", tr("Event log")))
    if manifest.n_removed and not manifest.backups:
        lines.append(("floppy-disk", tr("Backups: none contains any of it")))
    return tuple(lines)


def file_name(path: str) -> str:
    """The last part of a path."""
    return PurePath(path).name or path


def copy_text(copy: ScrubCopy) -> str:
    """The copy that was saved first: its name and how much is in it."""
    n_memories = counted(copy.n_memories, "1 memory", "{n} memories")
    return tr("{name}, {memories}, saved just now").format(name=copy.name, memories=n_memories)


def copy_note(copy: ScrubCopy) -> tuple[str, str]:
    """What the copy is good for afterwards."""
    return (
        tr("Your copy is at {name}.").format(name=copy.name),
        tr("Importing it adds them again as new, imported memories; this record stays."),
    )


def fate_text(fate: BackupFate) -> str:
    """What happens to a managed backup."""
    return {
        BackupFate.REWRITTEN: tr("is rewritten without it"),
        BackupFate.DELETED: tr("is deleted: an older format"),
    }[fate]


def sample_text(manifest: ScrubManifest) -> str:
    """How much of it the sample shows, and how much it may."""
    return tr("first {shown} of {total}").format(
        shown=grouped(len(manifest.sample)), total=grouped(manifest.n_removed)
    )


# -- step 3 ---------------------------------------------------------------------------------


def confirm_question(manifest: ScrubManifest) -> str:
    """What is asked before it happens."""
    return counted(
        manifest.n_removed,
        "Remove 1 entry for good?",
        "Remove {n} entries for good?",
    )


def afterwards_sentence(manifest: ScrubManifest) -> str:
    """How the agent begins its next turn."""
    kept = (
        _spelled_entries(len(manifest.kept))
        if manifest.kept
        else tr("an empty {name}").format(name=_built_in_of(manifest.scope.tier))
    )
    if manifest.mode is ScrubMode.RUN_STATE:
        return tr("An interrupted turn there cannot continue. What was said stays.")
    if isinstance(manifest.scope, ChosenScope):
        return tr("No agent will find them again. Everything else stays.")
    match manifest.scope.tier:
        case Tier.WORKSPACE:
            return tr(
                "The agent will begin its next turn in this workspace with {kept} and nothing "
                "else it learned here."
            ).format(kept=kept)
        case Tier.ACCOUNT:
            return tr(
                "In every workspace the agent will begin its next turn with {kept} and nothing "
                "else it knew about you."
            ).format(kept=kept)
        case Tier.CHANNEL:
            return tr(
                "Its conversations will begin their next turn without anything they shared here."
            )
        case Tier.CONVERSATION:
            return tr("The agent will continue without anything it noted in this conversation.")


def scope_text(state: ScrubState) -> str:
    """The tier with the name of its one scope key."""
    tier, room = state.tier, state.choice.room
    if state.chosen is not None:
        of = tier_title(tier) if tier is Tier.ACCOUNT else state.workspace_name
        return tr("Chosen memories, {name}").format(name=of)
    if tier is Tier.ACCOUNT:
        return tr("Account, every workspace")
    name = room.name if room is not None else state.workspace_name
    return tr("{tier}, {name}").format(tier=tier_title(tier), name=name)


def match_text(state: ScrubState) -> str:
    """How far the phrase is typed right."""
    if state.manifest is None:
        return ""
    total, typed = len(state.manifest.phrase), state.typed.strip()
    if state.is_paste_refused:
        return tr("Please type it.")
    if state.is_phrase_right:
        return tr("All {total} characters match.").format(total=total)
    said = tr("{n} of {total} characters match.").format(n=state.n_matching, total=total)
    if len(typed) > state.n_matching:
        return f"{said} {tr('The rest is something else.')}"
    about = tr("The phrase contains the count, so a changed memory means a new dry run.")
    return f"{said} {about}"


def missing_text(state: ScrubState) -> str:
    """Why the final button is not enabled; what it does when it is."""
    if not state.is_phrase_right:
        return tr("Unavailable until the phrase matches")
    if not state.has_read:
        return tr("Unavailable until the box is ticked")
    return tr("Removes them for good")


def backups_text(manifest: ScrubManifest) -> str:
    """What happens to managed backups, in one line; empty when none holds any of it."""
    fates = [one.fate for one in manifest.backups]
    return fates_text(fates.count(BackupFate.REWRITTEN), fates.count(BackupFate.DELETED))


# -- copied ---------------------------------------------------------------------------------


def manifest_copy(state: ScrubState, manifest: ScrubManifest) -> str:
    """The manifest as lines to keep: figures and ids, never the text that is to go."""
    lines = [
        tr("Scrub manifest {id}").format(id=manifest.short_id),
        f"SHA-256 {manifest.digest}",
        tr("Scope: {scope}").format(scope=scope_text(state)),
        tr("Mode: {mode}").format(mode=manifest.mode.value),
        tr("Counted: {time}").format(time=time_with_seconds(manifest.counted_at)),
        would_headline(manifest),
    ]
    for name, values in (
        (tr("Kinds"), manifest.by_kind),
        (tr("Sources"), manifest.by_source),
        (tr("Written by"), manifest.by_curator),
        (tr("Lifetimes"), manifest.by_lifetime),
    ):
        if values:
            said = ", ".join(f"{value} {count}" for value, count in values)
            lines.append(f"{name}: {said}")
    if manifest.kept:
        lines.append(tr("Kept: {names}").format(names=", ".join(manifest.kept)))
    lines += [
        tr("Backup {name}: {fate}").format(name=one.name, fate=one.fate.value)
        for one in manifest.backups
    ]
    if manifest.sample:
        lines.append(tr("Sample: {ids}").format(ids=", ".join(one.id for one in manifest.sample)))
    return "\n".join(lines)


# -- small ----------------------------------------------------------------------------------


def names_text(names: Sequence[str]) -> str:
    """Names in a sentence: ``VOICE and CAST``; many of them are counted in the end."""
    shown = list(names[:_MANY_NAMES])
    if len(names) > _MANY_NAMES:
        rest = counted(len(names) - _MANY_NAMES, "1 more", "{n} more")
        shown.append(rest)
    if len(shown) < 2:  # noqa: PLR2004 - one name needs no "and"
        return "".join(shown)
    return tr("{names} and {last}").format(names=", ".join(shown[:-1]), last=shown[-1])


def time_with_seconds(at: datetime) -> str:
    """An instant to the second: ``14 Mar 2026, 10:44:07``."""
    return f"{exact_time(at)}:{on_the_wall(at):%S}"


def fates_text(n_rewritten: int, n_deleted: int) -> str:
    """How many managed backups are written anew and how many are deleted; may be empty."""
    parts = []
    if n_rewritten:
        parts.append(counted(n_rewritten, "1 rewritten without it", "{n} rewritten without it"))
    if n_deleted:
        parts.append(counted(n_deleted, "1 deleted", "{n} deleted"))
    return ", ".join(parts)


def kept_count(manifest: ScrubManifest) -> str:
    """How many named entries stay: ``2 kept``."""
    if not manifest.kept:
        return tr("none kept")
    return counted(len(manifest.kept), "1 kept", "{n} kept")


def _built_in_of(tier: Tier) -> str:
    return "SOUL" if tier is Tier.ACCOUNT else "VOICE"


def _spelled_entries(n: int) -> str:
    spelled = {
        1: tr("one named entry"),
        2: tr("two named entries"),
        3: tr("three named entries"),
        4: tr("four named entries"),
        5: tr("five named entries"),
    }
    return spelled.get(n) or counted(n, "1 named entry", "{n} named entries")
