"""From what was typed to scope keys and memories."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.cli.memory_options import FilterOptions
from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.cli.output import one_line
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.words.phrases import phrase_runs, says
from inklings_desktop.usecases.search.browse_memories import MAX_PAGE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.cli.memory_options import AboutOptions, TierOptions
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class Place:
    """A scope key with its name for a person."""

    scope: ScopeKey
    name: str


def required_workspace(inklings: Inklings) -> Workspace:
    """The workspace that was named, or the only one there is."""
    if inklings.workspace is not None:
        return inklings.workspace
    names = [shlex.quote(one_line(one)) for one in names_apart(inklings.places.workspaces())]
    if not names:
        raise refused(
            "no_workspace",
            "There is no workspace yet. Make one with: inklings workspace create NAME",
        )
    raise wrong_usage(f"Name the workspace with --workspace: {', '.join(names)}.")


def names_apart(workspaces: Sequence[Workspace]) -> list[str]:
    """Their names; the id of each that shares its name with another, as a copied folder does."""
    n_called = Counter(name_key(one.name) for one in workspaces)
    return [one.id if n_called[name_key(one.name)] > 1 else one.name for one in workspaces]


def place_to_write(inklings: Inklings, options: TierOptions) -> Place:
    """The one scope key that a new memory goes to."""
    _check_fit(options, conversation_everywhere=True)
    return _one_place(inklings, options)


def place_named(inklings: Inklings, options: TierOptions) -> Place:
    """The one scope key that is named, archived ones included."""
    _check_fit(options)
    return _one_place(inklings, options)


def _one_place(inklings: Inklings, options: TierOptions) -> Place:
    match options.tier:
        case Tier.ACCOUNT:
            return account_place()
        case Tier.WORKSPACE:
            return workspace_place(required_workspace(inklings))
        case Tier.CHANNEL:
            if options.channel is None:
                raise wrong_usage("Name the channel with --channel.")
            workspace = required_workspace(inklings)
            return channel_place(workspace, find_channel(inklings, workspace, options.channel))
        case Tier.CONVERSATION:
            if options.conversation is None:
                raise wrong_usage("Name the conversation with --conversation.")
            workspace = required_workspace(inklings)
            found = inklings.conversations.get(workspace.id, options.conversation)
            return conversation_place(workspace, found)


def places_to_read(inklings: Inklings, options: FilterOptions) -> tuple[Place, ...]:
    """The scope keys of one tier that a list or search looks at.

    Without a name these are all open channels or all conversations that are not archived.
    """
    _check_fit(options)
    match options.tier:
        case Tier.ACCOUNT:
            return (account_place(),)
        case Tier.WORKSPACE:
            return (workspace_place(required_workspace(inklings)),)
        case Tier.CHANNEL:
            return _channels(inklings, required_workspace(inklings), options)
        case Tier.CONVERSATION:
            return _conversations(inklings, required_workspace(inklings), options)


def account_place() -> Place:
    """The account."""
    return Place(ScopeKey.account(), "account")


def workspace_place(workspace: Workspace) -> Place:
    """A workspace's own tier."""
    return Place(ScopeKey.workspace(workspace.id), workspace.name)


def channel_place(workspace: Workspace, channel: Channel) -> Place:
    """A channel."""
    return Place(ScopeKey.channel(workspace.id, channel.id), f"#{channel.name}")


def conversation_place(workspace: Workspace, conversation: Conversation) -> Place:
    """A conversation, named by its ref code and title."""
    name = f"{conversation.ref_code} {conversation.title}".strip()
    return Place(ScopeKey.conversation(workspace.id, conversation.id), name)


def place_of(inklings: Inklings, entry: MemoryEntry) -> Place:
    """Where a memory belongs, with its name."""
    scope = entry.scope
    if scope.workspace_id is None:
        return account_place()
    workspace = inklings.workspaces.find(scope.workspace_id)
    match scope.tier:
        case Tier.CHANNEL:
            return channel_place(workspace, find_channel(inklings, workspace, scope.key))
        case Tier.CONVERSATION:
            return conversation_place(
                workspace, inklings.conversations.get(workspace.id, scope.key)
            )
        case _:
            return workspace_place(workspace)


def find_channel(inklings: Inklings, workspace: Workspace, key: str) -> Channel:
    """The channel with this id or name, open or archived."""
    wanted = {name_key(key), name_key(key.removeprefix("#"))}
    channels = inklings.places.channels(workspace.id, include_archived=True)
    for channel in channels:
        if channel.id == key or name_key(channel.name) in wanted:
            return channel
    raise NotFoundError("channel", key)


def find_memory(inklings: Inklings, id_prefix: str) -> MemoryEntry:
    """The memory whose id begins so, in the workspace or the account; never one of two."""
    files = [None] if inklings.workspace is None else [inklings.workspace.id, None]
    found: dict[str, MemoryEntry] = {}
    for file in files:
        try:
            entry = inklings.listing.locate(id_prefix.lower(), file)
        except NotFoundError:
            continue
        found[entry.id] = entry
    if len(found) > 1:
        raise InvalidValueError("id", "ambiguous")
    if not found:
        if inklings.workspace is None:
            required_workspace(inklings)
        raise NotFoundError("memory", id_prefix)
    return found.popitem()[1]


def find_memories(inklings: Inklings, id_prefixes: Iterable[str]) -> tuple[MemoryEntry, ...]:
    """The memories in the order given, each once; nothing happens unless all are found."""
    entries = [find_memory(inklings, prefix) for prefix in id_prefixes]
    return tuple({entry.id: entry for entry in entries}.values())


def found_about(
    inklings: Inklings,
    options: AboutOptions,
    subject: str,
    tiers: Iterable[Tier] = Tier,
) -> tuple[dict[MemoryState, list[MemoryEntry]], dict[ScopeKey, str]]:
    """What says every word, active and forgotten, and what its places are called."""
    words = [one for one in subject.split() if phrase_runs(one)]
    if not words:
        raise wrong_usage("Say with --about what the memories are about.")
    names: dict[ScopeKey, str] = {}
    found: dict[MemoryState, list[MemoryEntry]] = {one: [] for one in MemoryState}
    for tier in tiers if options.tier is None else (options.tier,):
        places = places_to_read(
            inklings,
            FilterOptions(
                tier=tier,
                channel=options.channel,
                conversation=options.conversation,
                archived=True,
            ),
        )
        names |= {one.scope: one.name for one in places}
        for state, entries in found.items():
            page = inklings.listing.browse(
                [one.scope for one in places],
                where=MemoryFilter(state=state),
                limit=MAX_PAGE_LIMIT,
            )
            entries += [one for one in page.entries if _is_about(one, words)]
    return found, names


def _is_about(entry: MemoryEntry, words: Sequence[str]) -> bool:
    text = " ".join((entry.content, *entry.tags))
    return all(says(text, one) for one in words)


def by_file(entries: Sequence[MemoryEntry]) -> tuple[tuple[MemoryRef, ...], ...]:
    """References grouped by database file, because one transaction serves one file."""
    files = dict.fromkeys(entry.scope.workspace_id for entry in entries)
    return tuple(
        tuple(entry.ref for entry in entries if entry.scope.workspace_id == file) for file in files
    )


def _check_fit(options: TierOptions, *, conversation_everywhere: bool = False) -> None:
    """Refuse a channel or conversation that the tier knows nothing of."""
    tier = options.tier
    if options.channel is not None and (
        tier not in {Tier.CHANNEL, Tier.CONVERSATION}
        or (tier is Tier.CONVERSATION and options.conversation is not None)
    ):
        raise wrong_usage("--channel belongs to --tier channel.")
    if (
        options.conversation is not None
        and tier is not Tier.CONVERSATION
        and not conversation_everywhere
    ):
        raise wrong_usage("--conversation belongs to --tier conversation.")


def _channels(
    inklings: Inklings, workspace: Workspace, options: FilterOptions
) -> tuple[Place, ...]:
    if options.channel is not None:
        return (channel_place(workspace, find_channel(inklings, workspace, options.channel)),)
    channels = inklings.places.channels(workspace.id, include_archived=options.archived)
    return tuple(channel_place(workspace, channel) for channel in channels)


def _conversations(
    inklings: Inklings, workspace: Workspace, options: FilterOptions
) -> tuple[Place, ...]:
    if options.conversation is not None:
        found = inklings.conversations.get(workspace.id, options.conversation)
        return (conversation_place(workspace, found),)
    channel = options.channel
    conversations = inklings.places.conversations(
        workspace.id,
        channel=None if channel is None else find_channel(inklings, workspace, channel).id,
        include_archived=options.archived,
    )
    return tuple(conversation_place(workspace, one) for one in conversations)
