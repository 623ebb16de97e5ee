"""``inklings workspace``: list, create, rename, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.documents import workspace_document
from inklings_desktop.cli.keeping.keeping_documents import deletion_document
from inklings_desktop.cli.keeping.keeping_options import DeleteWorkspaceOptions
from inklings_desktop.cli.options import CommonOptions, NameOptions, RenameOptions
from inklings_desktop.cli.output import counted, local_time, one_line, table
from inklings_desktop.cli.program import Answer

if TYPE_CHECKING:
    import typer

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
