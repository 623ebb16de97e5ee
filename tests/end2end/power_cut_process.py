"""A program that does what a memory is for, one act after the other, and says what is done.

Argument: a folder, in which every act has one of its own; its data root is ``data`` in there. Runs
with ``file_journal.c`` preloaded, and tells it ``begin ACT``, then ``WORD WHAT`` for everything
that was acknowledged, then ``end ACT``.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, MemoryPatch, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.storage.backups.backups import UNFINISHED_PREFIX, backup_folder, backups_of
from inklings_desktop.storage.engine.connecting import make_folder, sync_folder, write_private
from inklings_desktop.storage.places import DATABASE_NAME, WORKSPACES_FOLDER
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.storage.later_schema import later, path_of
from tests.support.builders import a_memory, a_person
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Upgrade

DATA, EXPORT, SETTLED = "data", "export.json", "settled"
NAME, NEW_NAME = "Saltglass", "Wend Gate"
WORD_TO_SCRUB = "zugvogelkantate"
VOICE = "# VOICE\n\nSpeaks in low tides.\n"
N_WRITES, N_OLD, N_GROUPS, N_ALIKE = 8, 6, 4, 3
ADA = a_person()


def say(text: str) -> None:
    """Tell the journal."""
    ctypes.CDLL(None).file_journal_mark(text.encode())


@contextmanager
def opened(folder: Path) -> Iterator[Inklings]:
    """The data root of an act."""
    embedder = FakeEmbedder(dimension=512)
    with open_inklings(folder / DATA, caller=ADA, embedder=embedder, embed_writes=False) as one:
        yield one


def settle(folder: Path, texts: Sequence[str]) -> None:
    """A data root whose workspace holds these memories, closed."""
    with opened(folder) as inklings:
        workspace = inklings.as_caller(ADA).workspaces.create(NAME)
        for text in texts:
            put(inklings, workspace, text)
        inklings.as_caller(ADA).tasks.backfill(workspace.id)


@contextmanager
def settled(folder: Path) -> Iterator[tuple[Inklings, Workspace]]:
    """An opened copy of the data root that was settled for all acts."""
    copy(folder.with_name(SETTLED) / DATA, folder / DATA)
    with opened(folder) as inklings:
        yield inklings, inklings.as_caller(ADA).workspaces.find(NAME)


def copy(old: Path, new: Path) -> None:
    """A folder again, on the disk when this returns."""
    make_folder(new)
    for one in sorted(old.iterdir()):
        if one.is_dir():
            copy(one, new / one.name)
        else:
            write_private(new / one.name, one.read_bytes())
    sync_folder(new)


def entries_of(inklings: Inklings, workspace: Workspace) -> Sequence[MemoryEntry]:
    """The memories of a workspace."""
    return inklings.as_caller(ADA).listing.browse([ScopeKey.workspace(workspace.id)]).entries


def put(inklings: Inklings, workspace: Workspace, text: str) -> MemoryEntry:
    """Write one memory."""
    scope = ScopeKey.workspace(workspace.id)
    return inklings.as_caller(ADA).memories.put(
        MemoryDraft(scope, text, 0.5, lifetime=Lifetime.LONG_TERM)
    )


def old_texts() -> list[str]:
    """What is there before an act begins."""
    return [
        f"the old tide {number} hums the {WORD_TO_SCRUB} at low water" for number in range(N_OLD)
    ]


def new_texts() -> list[str]:
    """What an act adds."""
    return [f"the new lamp {number} burns in the tower of salt" for number in range(N_WRITES)]


def alike_texts() -> list[str]:
    """Groups of memories that say the same."""
    words = ("keeper", "counts", "seven", "storms", "before", "glass", "harbour", "opens", "gate")
    return [
        f"{' '.join(f'{word}{group}x' for word in words)}{ending}"
        for group in range(N_GROUPS)
        for ending in (".", "!", " \u2026")
    ]


def create(folder: Path) -> None:
    """A new data root with a workspace."""
    say("begin create")
    with opened(folder) as inklings:
        workspace = inklings.as_caller(ADA).workspaces.create(NAME)
        say(f"made {workspace.name}")


def write(folder: Path) -> None:
    """New memories, vectors between them, in two sittings."""
    with settled(folder):
        pass
    say("begin put")
    for texts in (new_texts()[::2], new_texts()[1::2]):
        with opened(folder) as inklings:
            workspace = inklings.as_caller(ADA).workspaces.find(NAME)
            for number, text in enumerate(texts):
                put(inklings, workspace, text)
                say(f"put {text}")
                if number % 2:
                    inklings.as_caller(ADA).tasks.embed(workspace.id)


def edit(folder: Path) -> None:
    """Every memory and VOICE edited."""
    with settled(folder) as (inklings, workspace):
        entries = entries_of(inklings, workspace)
        say("begin edit")
        for entry in entries:
            text = f"{entry.content}, and by its number"
            patch = MemoryPatch(content=text)
            inklings.as_caller(ADA).memories.update(
                entry.ref, patch, expected_version=entry.version
            )
            say(f"edit {text}")
        voice = inklings.as_caller(ADA).entries.find(workspace.id, "VOICE")
        inklings.as_caller(ADA).entries.save(voice.ref, VOICE, expected_version=voice.version)
        say("voice")


def forget(folder: Path) -> None:
    """Memories forgotten one by one."""
    with settled(folder) as (inklings, workspace):
        entries = entries_of(inklings, workspace)
        say("begin forget")
        for entry in entries:
            inklings.as_caller(ADA).memories.forget([entry.ref], reason="no longer true")
            say(f"forget {entry.content}")


def consolidate(folder: Path) -> None:
    """Groups merged that an agent wrote."""
    with settled(folder) as (_, workspace):
        pass
    scope = ScopeKey.workspace(workspace.id)
    # Put one by one they would be one memory each from the beginning.
    with (
        sqlite_world(folder / DATA, workspace_ids=()) as world,
        world.store.write(workspace.id, initiator="Ada") as unit,
    ):
        texts = enumerate(alike_texts())
        unit.memories.add([a_memory(one, scope=scope, memory_id=f"m{n}") for n, one in texts])
        unit.commit()
    with opened(folder) as inklings:
        inklings.as_caller(ADA).tasks.backfill(workspace.id)
        say("begin consolidate")
        inklings.as_caller(ADA).consolidation.run(scope, allow_large=True)
        say("consolidated")


def scrub(folder: Path) -> None:
    """Everything of a workspace removed, from a backup and from a half-made one too."""
    with settled(folder) as (inklings, workspace):
        inklings.as_caller(ADA).keeping.create_backup(workspace.id)
        backups = backup_folder(folder / DATA, workspace.id)
        write_private(backups / f"{UNFINISHED_PREFIX}1-left", WORD_TO_SCRUB.encode())
        sync_folder(backups)
        put(inklings, workspace, f"the last tide hums the {WORD_TO_SCRUB} no more")
        scope = ScopeKey.workspace(workspace.id)
        manifest = inklings.as_caller(ADA).scrub.preview(scope, ScrubMode.FULL)
        say("begin scrub")
        outcome = inklings.as_caller(ADA).scrub.execute(
            scope, ScrubMode.FULL, token=manifest.token, phrase=manifest.phrase
        )
        assert outcome.pending is None
        say("scrubbed")


def backup(folder: Path) -> None:
    """Backups beside writes."""
    with settled(folder) as (inklings, workspace):
        say("begin backup")
        for text in new_texts()[:3]:
            say(f"backup {inklings.as_caller(ADA).keeping.create_backup(workspace.id).name}")
            put(inklings, workspace, text)
            say(f"put {text}")


def restore(folder: Path) -> None:
    """The rows of a backup brought back."""
    with settled(folder) as (inklings, workspace):
        made = inklings.as_caller(ADA).keeping.create_backup(workspace.id)
        for text in new_texts():
            put(inklings, workspace, text)
        say("begin restore")
        safety = inklings.as_caller(ADA).keeping.restore_backup(made.name).safety
        assert safety is not None
        say(f"backup {safety.name}")
        say("restored")


def replace(folder: Path) -> None:
    """A backup in the place of a damaged file."""
    with settled(folder) as (inklings, workspace):
        made = inklings.as_caller(ADA).keeping.create_backup(workspace.id)
        for text in new_texts()[1:]:
            put(inklings, workspace, text)
    path = folder / DATA / WORKSPACES_FOLDER / workspace.id / DATABASE_NAME
    content = path.read_bytes()
    handle = os.open(path, os.O_WRONLY)
    os.pwrite(handle, b"\xaa" * (len(content) // 2), 0)
    os.fsync(handle)
    os.close(handle)
    with opened(folder) as inklings:
        say("begin replace")
        inklings.as_caller(ADA).keeping.restore_backup(made.name)
        say("replaced")
        put(inklings, workspace, new_texts()[0])
        say(f"put {new_texts()[0]}")


def transfer(folder: Path) -> None:
    """An export over an older one."""
    with settled(folder) as (inklings, workspace):
        request = ExportRequest(workspaces=(workspace.id,))
        inklings.as_caller(ADA).transfer.export(request, folder / EXPORT)
        for text in new_texts():
            put(inklings, workspace, text)
        say("begin export")
        inklings.as_caller(ADA).transfer.export(request, folder / EXPORT)
        say("exported")


def bring_in(folder: Path) -> None:
    """An import into a data root that has the workspace already."""
    other = folder / "other"
    make_folder(other)
    settle(other, new_texts())
    with opened(other) as inklings:
        workspace = inklings.as_caller(ADA).workspaces.find(NAME)
        inklings.as_caller(ADA).transfer.export(
            ExportRequest(workspaces=(workspace.id,)), folder / EXPORT
        )
    with settled(folder) as (inklings, workspace):
        preview = inklings.as_caller(ADA).transfer.preview_import(
            folder / EXPORT, into=workspace.id
        )
        say("begin import")
        inklings.as_caller(ADA).transfer.apply_import(preview, {})
        say("imported")


def migrate(folder: Path) -> None:
    """Account and workspace brought two versions up, as a program that is ahead opens them."""
    with settled(folder) as (inklings, workspace):
        for text in new_texts():
            put(inklings, workspace, text)
    say("begin migrate")
    root, scopes = folder / DATA, {None: None, workspace.name: workspace.id}

    def tell(upgrade: Upgrade | None) -> None:
        if upgrade is not None and upgrade.step == 1:
            (kept,) = backups_of(root, scopes[upgrade.name])
            say(f"backup {kept.name}")

    with later(root, upgrading=tell) as databases:
        for one in scopes.values():
            databases.file(one)
            say(f"migrated {path_of(folder, one).relative_to(folder)}")


def rename(folder: Path) -> None:
    """A workspace under another name."""
    with settled(folder) as (inklings, workspace):
        say("begin rename")
        inklings.as_caller(ADA).workspaces.rename(workspace.id, NEW_NAME)
        say("renamed")


def delete(folder: Path) -> None:
    """A workspace with its backup removed."""
    with settled(folder) as (inklings, workspace):
        inklings.as_caller(ADA).keeping.create_backup(workspace.id)
        phrase = inklings.as_caller(ADA).workspaces.preview_deletion(workspace.id).phrase
        say("begin delete")
        inklings.as_caller(ADA).workspaces.delete(workspace.id, confirm=phrase)
        say("deleted")


ACTS: dict[str, Callable[[Path], None]] = {
    "create": create,
    "put": write,
    "edit": edit,
    "forget": forget,
    "consolidate": consolidate,
    "scrub": scrub,
    "backup": backup,
    "restore": restore,
    "replace": replace,
    "export": transfer,
    "import": bring_in,
    "migrate": migrate,
    "rename": rename,
    "delete": delete,
}


def main(root: str) -> None:
    """All acts."""
    settling = Path(root) / SETTLED
    settling.mkdir()
    settle(settling, old_texts())
    for name, act in ACTS.items():
        folder = Path(root) / name
        folder.mkdir()
        sync_folder(Path(root))
        act(folder)
        say(f"end {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
