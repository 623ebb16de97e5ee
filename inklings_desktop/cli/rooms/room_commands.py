"""``inklings workspace``, ``inklings channel``, ``inklings conversation`` and ``inklings note``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.documents import (
    channel_document,
    conversation_document,
    note_document,
    time_text,
    workspace_document,
)
from inklings_desktop.cli.keeping.keeping_documents import deletion_document
from inklings_desktop.cli.keeping.keeping_options import DeleteWorkspaceOptions
from inklings_desktop.cli.listening import listening
from inklings_desktop.cli.messages import wrong_usage
from inklings_desktop.cli.options import CommonOptions, NameOptions, RenameOptions
from inklings_desktop.cli.output import counted, local_time, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.rooms.room_options import (
    ArchiveOptions,
    BookmarkOptions,
    ChannelOptions,
    ConversationOptions,
    CreateChannelOptions,
    IdleOptions,
    ListChannelsOptions,
    ListConversationsOptions,
    NoteOptions,
    NotesOptions,
    RenameConversationOptions,
    ReviewOptions,
    StartOptions,
)
from inklings_desktop.cli.scopes import conversation_place, find_channel, required_workspace
from inklings_desktop.cli.typed_text import given_text
from inklings_desktop.domain.ages import age
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    import typer

    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.bundle import Inklings


def workspace_group() -> typer.Typer:
    """Every command about workspaces."""
    workspaces = group("workspace", "Workspaces: one world each.")
    command(workspaces, "list", CommonOptions, list_all)
    command(workspaces, "create", NameOptions, create)
    command(workspaces, "rename", RenameOptions, rename)
    command(workspaces, "delete", DeleteWorkspaceOptions, delete)
    return workspaces


def list_all(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the workspaces, the oldest first."""
    workspaces = inklings.places.workspaces()
    rows = [[one.name, one.id, local_time(one.created_at)] for one in workspaces]
    none = ["There is no workspace yet. Make one with: inklings workspace create NAME"]
    return Answer(
        {"workspaces": [workspace_document(one) for one in workspaces]}, table(rows) or none
    )


def create(inklings: Inklings, options: NameOptions) -> Answer:
    """Begin a new world, with the channel general."""
    workspace = inklings.workspaces.create(options.name)
    said = f"Created {one_line(workspace.name)} ({workspace.id})."
    return Answer({"workspace": workspace_document(workspace)}, [said])


def rename(inklings: Inklings, options: RenameOptions) -> Answer:
    """Give a workspace another name; its folder stays where it is."""
    before = inklings.workspaces.find(options.key)
    workspace = inklings.workspaces.rename(before.id, options.name)
    said = f"{one_line(before.name)} is now {one_line(workspace.name)}."
    return Answer({"workspace": workspace_document(workspace)}, [said])


def delete(inklings: Inklings, options: DeleteWorkspaceOptions) -> Answer:
    """Delete a workspace for good; without --confirm only say what would go."""
    deletion = inklings.workspaces.preview_deletion(options.key)
    contents = [
        counted(deletion.n_memories, "memory"),
        counted(deletion.n_named_entries, "named entry"),
        counted(deletion.n_conversations, "conversation"),
        counted(deletion.n_events, "event"),
    ]
    if deletion.is_damaged:
        contents = ["a damaged database whose contents cannot be counted"]
    holds = ", ".join([*contents, counted(deletion.n_backups, "backup")])
    if options.confirm is None:
        said = [
            f"Deleting {one_line(deletion.name)} ({deletion.workspace_id}) removes {holds}.",
            "They go from this app's files, backups included. Nothing was deleted yet.",
            f'Delete it with: --confirm "{one_line(deletion.phrase)}"',
        ]
        return Answer({"would_delete": deletion_document(deletion)}, said)
    deletion = inklings.workspaces.delete(deletion.workspace_id, confirm=options.confirm)
    said = [f"Deleted {one_line(deletion.name)} with {holds}."]
    return Answer({"deleted": deletion_document(deletion)}, said)


def channel_group() -> typer.Typer:
    """Every command about channels."""
    channels = group("channel", "Channels of a workspace.")
    command(channels, "list", ListChannelsOptions, list_channels)
    command(channels, "create", CreateChannelOptions, create_channel)
    command(channels, "rename", RenameOptions, rename_channel)
    command(channels, "archive", ChannelOptions, archive_channel)
    command(channels, "unarchive", ChannelOptions, unarchive_channel)
    return channels


def conversation_group() -> typer.Typer:
    """Every command about conversations."""
    conversations = group("conversation", "Conversations and their life.")
    command(conversations, "start", StartOptions, start)
    command(conversations, "list", ListConversationsOptions, list_conversations)
    command(conversations, "show", ConversationOptions, show_conversation)
    command(conversations, "rename", RenameConversationOptions, rename_conversation)
    command(conversations, "bookmark", BookmarkOptions, bookmark)
    command(conversations, "idle", IdleOptions, idle)
    command(conversations, "review", ReviewOptions, review)
    command(conversations, "archive", ArchiveOptions, archive_conversation)
    return conversations


def note_group() -> typer.Typer:
    """Every command about working notes."""
    notes = group("note", "Working notes of one conversation, written by the agent.")
    command(notes, "list", NotesOptions, list_notes)
    command(notes, "read", NoteOptions, read_note)
    command(notes, "clear", NotesOptions, clear_notes)
    return notes


def list_channels(inklings: Inklings, options: ListChannelsOptions) -> Answer:
    """List the channels."""
    workspace = required_workspace(inklings)
    channels = inklings.places.channels(workspace.id, include_archived=options.archived)
    rows = [
        [
            f"#{channel.name}",
            channel.id,
            "archived" if channel.archived_at else "open",
            channel.description,
        ]
        for channel in channels
    ]
    return Answer({"channels": [channel_document(one) for one in channels]}, table(rows))


def create_channel(inklings: Inklings, options: CreateChannelOptions) -> Answer:
    """Open a new channel."""
    workspace = required_workspace(inklings)
    channel = inklings.channels.create(workspace.id, options.name, options.description)
    return Answer({"channel": channel_document(channel)}, [f"Opened #{one_line(channel.name)}."])


def rename_channel(inklings: Inklings, options: RenameOptions) -> Answer:
    """Give a channel another name."""
    workspace = required_workspace(inklings)
    before = find_channel(inklings, workspace, options.key)
    channel = inklings.channels.rename(workspace.id, before.id, options.name)
    said = f"#{one_line(before.name)} is now #{one_line(channel.name)}."
    return Answer({"channel": channel_document(channel)}, [said])


def archive_channel(inklings: Inklings, options: ChannelOptions) -> Answer:
    """Take a channel out of the lists; everything in it stays."""
    workspace = required_workspace(inklings)
    before = find_channel(inklings, workspace, options.channel)
    channel = inklings.channels.archive(workspace.id, before.id)
    said = f"Archived #{one_line(channel.name)}; everything in it stays."
    return Answer({"channel": channel_document(channel)}, [said])


def unarchive_channel(inklings: Inklings, options: ChannelOptions) -> Answer:
    """Put an archived channel back into the lists."""
    workspace = required_workspace(inklings)
    before = find_channel(inklings, workspace, options.channel)
    channel = inklings.channels.unarchive(workspace.id, before.id)
    said = f"#{one_line(channel.name)} is open again."
    return Answer({"channel": channel_document(channel)}, [said])


def start(inklings: Inklings, options: StartOptions) -> Answer:
    """Begin a conversation, in the channel general if none is named."""
    workspace = required_workspace(inklings)
    channel = find_channel(inklings, workspace, options.channel or DEFAULT_CHANNEL)
    conversation = inklings.conversations.start(
        workspace.id, channel=channel.id, title=options.title
    )
    said = f"Started {conversation.ref_code} in #{one_line(channel.name)}."
    return Answer({"conversation": conversation_document(conversation)}, [said])


def list_conversations(inklings: Inklings, options: ListConversationsOptions) -> Answer:
    """List conversations, the latest first."""
    workspace = required_workspace(inklings)
    names = _channel_names(inklings, workspace.id)
    channel = options.channel
    conversations = inklings.places.conversations(
        workspace.id,
        channel=None if channel is None else find_channel(inklings, workspace, channel).id,
        include_archived=options.archived,
    )
    now = inklings.clock()
    rows = [
        [
            one.ref_code,
            one.state.value,
            f"#{names[one.channel_id]}",
            age(one.started_at, now),
            one.title,
        ]
        for one in conversations
    ]
    documents = [conversation_document(one) for one in conversations]
    return Answer({"conversations": documents}, table(rows) or ["No conversations here."])


def show_conversation(inklings: Inklings, options: ConversationOptions) -> Answer:
    """Show one conversation."""
    workspace = required_workspace(inklings)
    found = inklings.conversations.get(workspace.id, options.conversation)
    scope = conversation_place(workspace, found).scope
    n_memories = inklings.listing.count(workspace.id).of(scope)
    n_notes = len(inklings.notes.list([scope]))
    names = _channel_names(inklings, workspace.id)
    rows = [
        ["Title", found.title or "none"],
        ["Ref code", found.ref_code],
        ["Id", found.id],
        ["Channel", f"#{names[found.channel_id]}"],
        ["State", found.state.value],
        ["Started", local_time(found.started_at)],
        ["Ended", local_time(found.ended_at) if found.ended_at else "not yet"],
        ["Holds", f"{counted(n_memories, 'memory')}, {counted(n_notes, 'working note')}"],
    ]
    document = {
        "conversation": conversation_document(found),
        "memories": n_memories,
        "notes": n_notes,
    }
    return Answer(document, table(rows))


def rename_conversation(inklings: Inklings, options: RenameConversationOptions) -> Answer:
    """Give a conversation another title; an empty one takes the title away."""
    workspace = required_workspace(inklings)
    conversation = inklings.conversations.rename(workspace.id, options.conversation, options.title)
    title = one_line(conversation.title)
    said = f"{conversation.ref_code} is now called {title}." if title else "It has no title now."
    return Answer({"conversation": conversation_document(conversation)}, [said])


def bookmark(inklings: Inklings, options: BookmarkOptions) -> Answer:
    """Mark the end of a conversation under a name."""
    workspace = required_workspace(inklings)
    made = inklings.messages.bookmark(workspace.id, options.conversation, name=options.name)
    document = {"message": made.id, "number": made.number, "name": options.name}
    return Answer({"bookmark": document}, [f"Bookmarked as {one_line(options.name)}."])


def idle(inklings: Inklings, options: IdleOptions) -> Answer:
    """Let a conversation rest: keep its summary, forget its own tier."""
    workspace = required_workspace(inklings)
    summary = given_text(options.summary)
    before = inklings.conversations.get(workspace.id, options.conversation)
    with listening(inklings) as heard:
        end = inklings.conversations.end(workspace.id, options.conversation, summary=summary)
    conversation = end.conversation
    kept, forgotten = end.n_kept, len(heard.forgotten)
    said = (
        f"{conversation.ref_code} rests. Kept {counted(kept, 'memory')} of its summary, "
        f"forgot {counted(forgotten, 'memory')} of its tier."
    )
    if end.n_known:
        said += f" {counted(end.n_known, 'line')} of it said what was noted already."
    if before.is_over:
        said = f"{conversation.ref_code} was over already; nothing was kept or forgotten."
    return Answer(_closed(conversation, kept, forgotten), [said])


def review(inklings: Inklings, options: ReviewOptions) -> Answer:
    """Show conversations that fell silent and what closing them would forget, or decide of one."""
    workspace = required_workspace(inklings)
    key = options.conversation
    if options.keep or options.close:
        if key is None or options.keep == options.close:
            raise wrong_usage("Name one conversation, and either --keep or --close.")
        return _settled(inklings, workspace.id, key, keeps=options.keep)
    found = [
        one
        for one in inklings.conversations.list_silent(workspace.id)
        if key in {None, one.conversation.id, one.conversation.ref_code}
    ]
    now = inklings.clock()
    lines = []
    for one in found:
        room = one.conversation
        heard = f"last heard {age(room.silent_since, now)}"
        lines.append(one_line(f"{room.ref_code} {room.title or 'without a title'}, {heard}, with:"))
        lines += [f"  {one_line(entry.content, 100)}" for entry in one.memories]
    if found:
        lines.append("Decide with: inklings conversation review REF --keep or --close")
    documents = [
        {
            "conversation": conversation_document(one.conversation),
            "silent_since": time_text(one.conversation.silent_since),
            "memories": [{"id": each.id, "content": each.content} for each in one.memories],
        }
        for one in found
    ]
    return Answer({"silent": documents}, lines or ["No silent conversation waits for you."])


def _settled(inklings: Inklings, workspace_id: str, key: str, *, keeps: bool) -> Answer:
    room, n_forgotten = inklings.conversations.settle_silent(workspace_id, key, keeps=keeps)
    said = "all its memories are kept" if keeps else f"forgot {counted(n_forgotten, 'memory')}"
    return Answer(_closed(room, 0, n_forgotten), [f"{room.ref_code} rests; {said}."])


def archive_conversation(inklings: Inklings, options: ArchiveOptions) -> Answer:
    """Put a conversation away; it stays reachable with --archived."""
    workspace = required_workspace(inklings)
    with listening(inklings) as heard:
        conversation = inklings.conversations.archive(
            workspace.id, options.conversation, force=options.force
        )
    forgotten = len(heard.forgotten)
    said = f"Archived {conversation.ref_code}."
    if forgotten:
        said = f"{said} Forgot {counted(forgotten, 'memory')} of its tier."
    return Answer(_closed(conversation, 0, forgotten), [said])


def list_notes(inklings: Inklings, options: NotesOptions) -> Answer:
    """List the working notes of a conversation, the latest written first."""
    workspace = required_workspace(inklings)
    found = inklings.conversations.get(workspace.id, options.conversation)
    scope = conversation_place(workspace, found).scope
    notes = inklings.notes.list([scope])
    now = inklings.clock()
    rows = [[note.key, age(note.updated_at, now), one_line(note.value_json, 60)] for note in notes]
    lines = table(rows) or ["The agent has no notes open."]
    return Answer({"notes": [note_document(note) for note in notes]}, lines)


def read_note(inklings: Inklings, options: NoteOptions) -> Answer:
    """Show one working note."""
    keys = {one for one in (options.given, options.key) if one is not None}
    if len(keys) != 1:
        raise wrong_usage("Name one note with --key.")
    workspace = required_workspace(inklings)
    note = inklings.notes.read(workspace.id, options.conversation, keys.pop())
    return Answer({"note": note_document(note)}, [visible(note.value_json)])


def clear_notes(inklings: Inklings, options: NotesOptions) -> Answer:
    """Remove every working note of a conversation."""
    workspace = required_workspace(inklings)
    n_notes = inklings.notes.clear(workspace.id, options.conversation)
    return Answer({"cleared": n_notes}, [f"Cleared {counted(n_notes, 'working note')}."])


def _closed(conversation: Conversation, kept: int, forgotten: int) -> dict[str, object]:
    return {
        "conversation": conversation_document(conversation),
        "kept": kept,
        "forgotten": forgotten,
    }


def _channel_names(inklings: Inklings, workspace_id: str) -> Mapping[str, str]:
    channels = inklings.places.channels(workspace_id, include_archived=True)
    return {channel.id: channel.name for channel in channels}
