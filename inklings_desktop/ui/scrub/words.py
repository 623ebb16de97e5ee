"""The sentences of the scrub dialog up to its last button: what would go, what stays."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import BackupFate, ScrubKind, ScrubMode
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.words.memory_facts import exact_time, tier_title

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.scrub.manifest import ScrubManifest
    from inklings_desktop.ui.scrub.state import ScrubCopy, ScrubState, TierChoice

_MANY_NAMES = 4


# -- step 1 ---------------------------------------------------------------------------------


def entries_text(count: int) -> str:
    """How many entries: ``1 entry``, ``43 entries``."""
    return counted_text(count, _tr("1 entry"), _tr("{n} entries"))


def tier_sentence(tier: Tier) -> str:
    """What clearing a tier means, in one sentence."""
    return {
        Tier.CONVERSATION: _tr("One conversation\u2019s working memory"),
        Tier.CHANNEL: _tr("One channel, shared by its conversations"),
        Tier.WORKSPACE: _tr("Everything remembered about this workspace"),
        Tier.ACCOUNT: _tr("Everything remembered about you, in every workspace"),
    }[tier]


def forgotten_text(n_forgotten: int) -> str:
    """How many of them were forgotten before; empty when none was."""
    if not n_forgotten:
        return ""
    return _tr("{n} forgotten").format(n=figure_text(n_forgotten))


def mode_title(mode: ScrubMode) -> str:
    """The name of a mode."""
    return {
        ScrubMode.KEEP_NAMED: _tr("Keep named entries"),
        ScrubMode.FULL: _tr("Everything"),
    }[mode]


def mode_sentence(mode: ScrubMode, choice: TierChoice) -> str:
    """What a mode spares in a tier, naming the entries."""
    if mode is ScrubMode.KEEP_NAMED:
        if not choice.names:
            return _tr("There is no named entry here; everything in the tier goes.")
        stays = _tr("{names} stays exactly as written.")
        stay = _tr("{names} stay exactly as written.")
        first = (stays if len(choice.names) == 1 else stay).format(names=names_text(choice.names))
        return f"{first} {_tr('Everything else in the tier goes.')}"
    built_in = _built_in_of(choice.tier)
    return _tr(
        "Named entries go too. {name} returns as an empty outline so the agent always has one "
        "to read."
    ).format(name=built_in)


def no_names_sentence(tier: Tier) -> str:
    """Why there is nothing to choose in a tier without named entries."""
    if tier is Tier.CONVERSATION:
        return _tr(
            "A conversation has no named entries. Its memories go, forgotten ones included, and "
            "its working notes."
        )
    return _tr("A channel has no named entries. Its memories go, forgotten ones included.")


# -- step 2 ---------------------------------------------------------------------------------


def would_headline(manifest: ScrubManifest) -> str:
    """What the dry run found, in one line."""
    if not manifest.n_removed:
        return _tr("Nothing here to remove")
    text = counted_text(
        manifest.n_removed,
        _tr("1 entry would be removed, {kept}"),
        _tr("{n} entries would be removed, {kept}"),
    )
    return text.format(kept=kept_count(manifest))


def scope_mode_sentence(state: ScrubState, manifest: ScrubManifest) -> str:
    """Which tier, which room, which mode."""
    if manifest.scope.tier in {Tier.CONVERSATION, Tier.CHANNEL}:
        return _tr("{scope}.").format(scope=scope_text(state))
    spared = (
        _tr("keeping named entries")
        if manifest.mode is ScrubMode.KEEP_NAMED
        else _tr("named entries included")
    )
    return _tr("{tier} tier, {mode}.").format(tier=tier_title(manifest.scope.tier), mode=spared)


def made_of_sentence(manifest: ScrubManifest) -> str:
    """What the figure is made of, where that is more than memories; empty otherwise."""
    counts = dict(manifest.by_kind)
    n_memories = counts.get(ScrubKind.MEMORY.value, 0)
    memories = counted_text(n_memories, _tr("1 memory"), _tr("{n} memories"))
    if manifest.n_forgotten:
        memories = _tr("{memories}, {n} of them forgotten before").format(
            memories=memories, n=figure_text(manifest.n_forgotten)
        )
    parts = [memories] if n_memories else []
    if n_notes := counts.get(ScrubKind.WORKING_NOTE.value, 0):
        parts.append(counted_text(n_notes, _tr("1 working note"), _tr("{n} working notes")))
    if n_named := counts.get(ScrubKind.NAMED_ENTRY.value, 0):
        parts.append(counted_text(n_named, _tr("1 named entry"), _tr("{n} named entries")))
    said = "; ".join(parts) + "." if manifest.n_forgotten or len(parts) > 1 else ""
    if manifest.n_proposals:
        about = counted_text(
            manifest.n_proposals,
            _tr("1 proposal about them goes too."),
            _tr("{n} proposals about them go too."),
        )
        said = f"{said} {about}".strip()
    if manifest.n_questions:
        about = counted_text(
            manifest.n_questions,
            _tr("1 golden question about them goes too."),
            _tr("{n} golden questions about them go too."),
        )
        said = f"{said} {about}".strip()
    if manifest.n_filters:
        about = counted_text(
            manifest.n_filters,
            _tr("1 saved filter goes too."),
            _tr("{n} saved filters go too."),
        )
        said = f"{said} {about}".strip()
    return said


def untouched_lines(manifest: ScrubManifest) -> tuple[tuple[str, str], ...]:
    """What stays, as pairs of icon and text."""
    untouched = manifest.untouched
    counts = dict(untouched.memories)
    lines = [("link-simple", _tr("Pages that memories derive from"))]
    rooms = [
        counted_text(counts[tier], _tr("1 {tier}"), _tr("{n} {tier}")).format(tier=tier)
        for tier in (Tier.CONVERSATION.value, Tier.CHANNEL.value, Tier.WORKSPACE.value)
        if counts.get(tier)
    ]
    if rooms:
        lines.append(("chats-circle", _tr("{tiers} memories").format(tiers=", ".join(rooms))))
    if n_account := counts.get(Tier.ACCOUNT.value, 0):
        lines.append(
            ("user", counted_text(n_account, _tr("1 account memory"), _tr("{n} account memories")))
        )
    if untouched.named_entries:
        lines.append(("bookmarks-simple", names_text(untouched.named_entries)))
    if untouched.workspaces:
        lines.append(("folder", names_text(untouched.workspaces)))
    lines.append(("list-bullets", _tr("Event log")))
    if manifest.n_removed and not manifest.backups:
        lines.append(("floppy-disk", _tr("Managed backups: none holds any of it")))
    return tuple(lines)


def file_name(path: str) -> str:
    """The last part of a path."""
    return PurePath(path).name or path


def copy_text(copy: ScrubCopy) -> str:
    """The copy that was saved first: its name and how much is in it."""
    n_memories = counted_text(copy.n_memories, _tr("1 memory"), _tr("{n} memories"))
    return _tr("{name}, {memories}, saved just now").format(name=copy.name, memories=n_memories)


def copy_note(copy: ScrubCopy) -> tuple[str, str]:
    """What the copy is good for afterwards."""
    return (
        _tr("Your copy is at {name}.").format(name=copy.name),
        _tr(
            "Importing it brings entries back as new memories with curator Import; it does not "
            "reverse this record."
        ),
    )


def fate_text(fate: BackupFate) -> str:
    """What happens to a managed backup."""
    return {
        BackupFate.REWRITTEN: _tr("is written anew without it"),
        BackupFate.DELETED: _tr("is deleted: an older format"),
    }[fate]


def sample_text(manifest: ScrubManifest) -> str:
    """How much of it the sample shows, and how much it may."""
    return _tr("{shown} of {total} shown, 20 at most").format(
        shown=figure_text(len(manifest.sample)), total=figure_text(manifest.n_removed)
    )


# -- step 3 ---------------------------------------------------------------------------------


def confirm_question(manifest: ScrubManifest) -> str:
    """What is asked before it happens."""
    return counted_text(
        manifest.n_removed,
        _tr("Remove 1 entry for good?"),
        _tr("Remove {n} entries for good?"),
    )


def afterwards_sentence(manifest: ScrubManifest) -> str:
    """How the agent begins its next turn."""
    kept = (
        counted_text(
            len(manifest.kept), _tr("one named entry"), _tr("{n} named entries"), spelled=True
        )
        if manifest.kept
        else _tr("an empty {name}").format(name=_built_in_of(manifest.scope.tier))
    )
    match manifest.scope.tier:
        case Tier.WORKSPACE:
            return _tr(
                "The agent will begin its next turn in this workspace with {kept} and nothing "
                "else it learned here."
            ).format(kept=kept)
        case Tier.ACCOUNT:
            return _tr(
                "In every workspace the agent will begin its next turn with {kept} and nothing "
                "else it knew about you."
            ).format(kept=kept)
        case Tier.CHANNEL:
            return _tr(
                "Its conversations will begin their next turn without anything they shared here."
            )
        case Tier.CONVERSATION:
            return _tr("The agent will go on without anything it noted in this conversation.")


def scope_text(state: ScrubState) -> str:
    """The tier with the name of its one scope key."""
    tier, room = state.tier, state.choice.room
    if tier is Tier.ACCOUNT:
        return _tr("Account, every workspace")
    name = room.name if room is not None else state.workspace_name
    return _tr("{tier}, {name}").format(tier=tier_title(tier), name=name)


def match_text(state: ScrubState) -> str:
    """How far the phrase is typed right."""
    if state.manifest is None:
        return ""
    total, typed = len(state.manifest.phrase), state.typed.strip()
    if state.is_paste_refused:
        return _tr("Please type it.")
    if state.is_phrase_right:
        return _tr("All {total} characters match.").format(total=total)
    said = _tr("{n} of {total} characters match.").format(n=state.n_matching, total=total)
    if len(typed) > state.n_matching:
        return f"{said} {_tr('The rest is something else.')}"
    about = _tr("The phrase holds the count, so a changed memory means a new dry run.")
    return f"{said} {about}"


def missing_text(state: ScrubState) -> str:
    """Why the final button is not enabled; what it does when it is."""
    if not state.is_phrase_right:
        return _tr("Unavailable until the phrase matches")
    if not state.has_read:
        return _tr("Unavailable until the box is ticked")
    return _tr("Removes them for good")


def backups_text(manifest: ScrubManifest) -> str:
    """What happens to managed backups, in one line; empty when none holds any of it."""
    fates = [one.fate for one in manifest.backups]
    return fates_text(fates.count(BackupFate.REWRITTEN), fates.count(BackupFate.DELETED))


# -- copied ---------------------------------------------------------------------------------


def manifest_copy(state: ScrubState, manifest: ScrubManifest) -> str:
    """The manifest as lines to keep: figures and ids, never the text that is to go."""
    lines = [
        _tr("Scrub manifest {id}").format(id=manifest.short_id),
        f"SHA-256 {manifest.digest}",
        _tr("Scope: {scope}").format(scope=scope_text(state)),
        _tr("Mode: {mode}").format(mode=manifest.mode.value),
        _tr("Counted: {time}").format(time=time_with_seconds(manifest.counted_at)),
        would_headline(manifest),
    ]
    for name, values in (
        (_tr("Kinds"), manifest.by_kind),
        (_tr("Sources"), manifest.by_source),
        (_tr("Curators"), manifest.by_curator),
        (_tr("Lifetimes"), manifest.by_lifetime),
    ):
        if values:
            said = ", ".join(f"{value} {count}" for value, count in values)
            lines.append(f"{name}: {said}")
    if manifest.kept:
        lines.append(_tr("Kept: {names}").format(names=", ".join(manifest.kept)))
    lines += [
        _tr("Backup {name}: {fate}").format(name=one.name, fate=one.fate.value)
        for one in manifest.backups
    ]
    if manifest.sample:
        lines.append(_tr("Sample: {ids}").format(ids=", ".join(one.id for one in manifest.sample)))
    return "\n".join(lines)


# -- small ----------------------------------------------------------------------------------


def names_text(names: Sequence[str]) -> str:
    """Names in a sentence: ``VOICE and CAST``; many of them are counted in the end."""
    shown = list(names[:_MANY_NAMES])
    if len(names) > _MANY_NAMES:
        rest = counted_text(len(names) - _MANY_NAMES, _tr("1 more"), _tr("{n} more"))
        shown.append(rest)
    if len(shown) < 2:  # noqa: PLR2004 - one name needs no "and"
        return "".join(shown)
    return _tr("{names} and {last}").format(names=", ".join(shown[:-1]), last=shown[-1])


def time_with_seconds(at: datetime) -> str:
    """An instant to the second: ``14 Mar 2026, 10:44:07``."""
    return f"{exact_time(at)}:{on_the_wall(at):%S}"


def fates_text(n_rewritten: int, n_deleted: int) -> str:
    """How many managed backups are written anew and how many are deleted; may be empty."""
    parts = []
    if n_rewritten:
        parts.append(
            counted_text(
                n_rewritten, _tr("1 written anew without it"), _tr("{n} written anew without it")
            )
        )
    if n_deleted:
        parts.append(counted_text(n_deleted, _tr("1 deleted"), _tr("{n} deleted")))
    return ", ".join(parts)


def kept_count(manifest: ScrubManifest) -> str:
    """How many named entries stay: ``2 kept``."""
    if not manifest.kept:
        return _tr("none kept")
    return _tr("{n} kept").format(n=figure_text(len(manifest.kept)))


def _built_in_of(tier: Tier) -> str:
    return "SOUL" if tier is Tier.ACCOUNT else "VOICE"


def counted_text(count: int, one: str, many: str, *, spelled: bool = False) -> str:
    """A count in words: ``one`` for 1, else ``many`` with its ``{n}`` filled in.

    With ``spelled`` small figures are written out.
    """
    if count == 1:
        return one
    words = (_tr("no"), _tr("one"), _tr("two"), _tr("three"), _tr("four"), _tr("five"))
    figure = words[count] if spelled and count < len(words) else figure_text(count)
    return many.replace("{n}", figure)


def figure_text(number: int) -> str:
    """A figure as the locale groups it."""
    return QLocale().toString(number)


def _tr(text: str) -> str:
    return QCoreApplication.translate("scrub", text)
