"""The adapters that use cases are made of, over the databases of one data root.

Doors that use cases play themselves, as the rehearsal of a connection does, are handed in by
``bootstrap``.
"""

from __future__ import annotations

import getpass
import os
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.embeddings.models import SettingsChoice
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.store import SqliteStore
    from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
    from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser
    from inklings_desktop.usecases.parts import Adapters, Parts
    from inklings_desktop.usecases.ports.connections import Drill, Rehearsal

T = TypeVar("T")


def once(make: Callable[[], T]) -> Callable[[], T]:
    """Makes a thing when it is first asked for; every thread gets the same."""
    lock, made = threading.Lock(), list[T]()

    def get() -> T:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get


def adapters(
    databases: Databases,
    parts: Parts,
    directory: SqliteWorkspaceDirectory,
    choice: SettingsChoice,
    rehearsal: Rehearsal,
    drill: Drill,
) -> Adapters:
    """What the first page of a list does without; some forty modules.

    Args:
        databases: The files.
        parts: What is there already.
        directory: Of the workspaces.
        choice: The selected model.
        rehearsal: Plays a client against the server.
        drill: Asks everything as a client.
    """
    from inklings_desktop import __version__
    from inklings_desktop.agent_client.headless import HeadlessAgent, Others
    from inklings_desktop.agent_client.launching import world_agent_command
    from inklings_desktop.agent_client.wording import AgentWording
    from inklings_desktop.embeddings.catalogue import FolderCatalogue
    from inklings_desktop.spelling.hunspell_speller import HunspellSpeller
    from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
    from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
    from inklings_desktop.storage.outside.client_files import LocalClientFiles
    from inklings_desktop.storage.outside.client_tokens import FolderClientTokens
    from inklings_desktop.storage.outside.export_files import LocalExportFiles
    from inklings_desktop.storage.outside.own_words import WordsFile
    from inklings_desktop.storage.salvage.inspection import SqliteInspector
    from inklings_desktop.storage.salvage.salvage import SqliteSalvager
    from inklings_desktop.storage.scrubbing.erasure import SqliteEraser
    from inklings_desktop.storage.store import SqliteStore
    from inklings_desktop.storage.workspaces.own_files import FolderDiskProbe
    from inklings_desktop.storage.world.page_writer import LocalPageWriter
    from inklings_desktop.usecases.parts import Adapters
    from inklings_desktop.worldfiles.local_files import LocalWorldFiles
    from inklings_desktop.worldfiles.skill_folders import LocalSkillFolders

    feed, clock = parts.feed, parts.clock
    root, inspector = databases.root, SqliteInspector(databases, feed)
    store = SqliteStore(databases, feed)
    return Adapters(
        eraser=SqliteEraser(databases),
        key=databases.key,
        audit=SqliteLogAudit(databases),
        keeper=SqliteBackupKeeper(databases, feed, clock),
        inspector=inspector,
        file_watch=inspector,
        workspace_eraser=workspace_eraser(databases, store, directory),
        salvager=SqliteSalvager(databases, clock),
        catalogue=FolderCatalogue(root, choice),
        rehearsal=rehearsal,
        drill=drill,
        disk=FolderDiskProbe(root),
        export_files=LocalExportFiles(root),
        client_files=LocalClientFiles.of_this_user(),
        client_tokens=FolderClientTokens(root),
        speller=HunspellSpeller(),
        own_words=WordsFile(root),
        program=_program_for_clients,
        page_writer=LocalPageWriter(),
        wording=AgentWording(partial(world_agent_command, root)),
        activities=HeadlessAgent(
            partial(world_agent_command, root),
            Others(lambda: parts.settings().agent.presets, root, _program_for_clients),
        ),
        operator=_system_user,
        version=__version__,
        world_files=LocalWorldFiles(root),
        skill_folders=LocalSkillFolders(),
        world_indexes=databases.worlds,
    )


def workspace_eraser(
    databases: Databases, store: SqliteStore, directory: SqliteWorkspaceDirectory
) -> SqliteWorkspaceEraser:
    """Removes workspaces for good; imported where one is to be removed."""
    from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser

    return SqliteWorkspaceEraser(databases, store, directory)


def server_program() -> tuple[str, tuple[str, ...]]:
    """This program by absolute path, and what comes before its own arguments."""
    here = Path(sys.executable)
    for name in ("inklings", "inklings.exe"):
        # Beside the interpreter, or beside the window of the frozen program.
        if here.with_name(name).exists():
            return str(here.with_name(name)), ()
    if getattr(sys, "frozen", False):
        return sys.executable, ()
    return sys.executable, ("-m", "inklings_desktop.cli")


def _program_for_clients() -> tuple[str, tuple[str, ...]]:
    """The same for who starts it from outside: the paths of a Flatpak hold only inside it."""
    if flatpak := os.environ.get("FLATPAK_ID"):
        return "flatpak", ("run", "--command=inklings", flatpak)
    return server_program()


def _system_user() -> str:
    """Who runs the program, as the system knows them; empty where it does not."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def new_id() -> str:
    """A random UUID."""
    import uuid

    return str(uuid.uuid4())
