"""The composition root: settings, adapters, use cases, doors, and their orderly close.

Alone in knowing two adapters at once. Everything heavy is imported when it is needed: the
window paints before SQL, arrays or models are loaded.
"""

from __future__ import annotations

import gc
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop import sample_root
from inklings_desktop.data_root import default_data_dir, sample_data_dir
from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    InvalidValueError,
    MigrationFailedError,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.logs import file_log
from inklings_desktop.resource_files import template_of
from inklings_desktop.settings import load_settings
from inklings_desktop.settings_file import LiveSettings
from inklings_desktop.usecases.ports.progress import upgrade_unheard
from inklings_desktop.wiring import adapters, new_id, once, workspace_eraser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.scrub.manifest import ResumedScrub
    from inklings_desktop.embeddings.models import SettingsChoice
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
    from inklings_desktop.ui.app.application import WindowStatus
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.parts import Adapters, Parts
    from inklings_desktop.usecases.ports.progress import OpeningReport, Progress, UpgradeReport
    from inklings_desktop.usecases.ports.store import Clock, Embedder
    from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded

# One thread for scans: a second one only spins while other programs work. Read when numpy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_UNUSABLE = (
    DatabaseCorruptError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    MigrationFailedError,
)
FIRST_WORKSPACE = "My world"
QUERIES_AT_ONCE = 2
SCRIPT_DRAIN_SECONDS = 20.0
WINDOW_DRAIN_SECONDS = 0.5
HANDOVER_SECONDS = 5.0
"""How long a new host waits for the one before it to be gone."""
TOUR_FOLDER = "inklings-tour"
EXIT_ENVIRONMENT = 3


@contextmanager
def open_inklings(  # noqa: PLR0913 - whatever opens a data root has its say here
    data_dir: Path | None = None,
    *,
    workspace: str | None = None,
    caller: Caller | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    embed_writes: bool = True,
    drain_seconds: float = SCRIPT_DRAIN_SECONDS,
    require_account: bool = True,
    may_only_read: bool = False,
    upgrading: UpgradeReport = upgrade_unheard,
) -> Iterator[Inklings]:
    """Open a data root and hand out its use cases, ready to call from any thread.

    Args:
        data_dir: The data root; None means this user's usual one.
        workspace: Name or id of the workspace to work in; None takes the only one there is.
        caller: Who asks; None means the person at the command line.
        clock: Tells the time, in UTC; None means the system's.
        embedder: Turns texts into vectors; None means the installed model.
        embed_writes: Whether what is written here is embedded right after, in the background.
        drain_seconds: Longest wait at the end for memories that are still to be embedded.
        require_account: Whether a damaged account file is refused; a check or the restore of a
            backup goes on without it.
        may_only_read: Whether a data root on a disk that cannot be written to is opened for
            reading; every write is refused then, and ``is_read_only`` says so.
        upgrading: Hears how far a file of an earlier version has come that is opened.

    Raises:
        NotFoundError: There is no such workspace.
        StorageError: The account's file cannot be opened, or must not be.
    """
    from inklings_desktop.embeddings.following_embedder import FollowingEmbedder
    from inklings_desktop.embeddings.models import SettingsChoice
    from inklings_desktop.scheduler.finish_scrubs import FinishScrubs
    from inklings_desktop.scheduler.hosting import writes_embedded
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.engine.connecting import is_writable
    from inklings_desktop.storage.places import deletion_notes
    from inklings_desktop.storage.store import SqliteStore
    from inklings_desktop.storage.workspaces.foreign_changes import ForeignChanges
    from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.steps.change_feed import ChangeFeed
    from inklings_desktop.usecases.steps.query_vectors import QueryVectors
    from inklings_desktop.usecases.steps.recording import CountReads

    root = data_dir or default_data_dir()
    settings = LiveSettings(root)
    choice = SettingsChoice(root)
    now: Clock = clock or _utc_now
    feed = ChangeFeed()
    is_sealed = may_only_read and root.is_dir() and not is_writable(root)
    was_open = _is_open_to_others(root)
    databases = Databases(
        root, now, template_of=template_of, is_sealed=is_sealed, upgrading=upgrading
    )
    with ExitStack() as closing:
        closing.callback(databases.close)
        # The account's file is checked before anything else happens.
        with suppress(*(() if require_account else _UNUSABLE)):
            databases.file(None)
        closing.enter_context(file_log(root))
        directory = SqliteWorkspaceDirectory(databases)
        store = SqliteStore(databases, feed)
        if deletion_notes(root) and not is_sealed:
            workspace_eraser(databases, store, directory).finish_all()
        model = embedder or FollowingEmbedder(
            choice, root / "models", lambda: settings().word_by_word
        )
        searching = ThreadPoolExecutor(QUERIES_AT_ONCE, thread_name_prefix="query")
        closing.callback(searching.shutdown)
        parts: Parts = Parts(
            root=root,
            settings=settings,
            clock=now,
            feed=feed,
            embedder=model,
            store=store,
            directory=directory,
            new_id=new_id,
            query_vectors=QueryVectors(
                model,
                searching,
                former=model if isinstance(model, FollowingEmbedder) else None,
            ),
            count_reads=CountReads(store),
            adapters=once(lambda: _adapters(databases, parts, directory, choice)),
            is_sealed=is_sealed,
        )
        inklings = Inklings(
            parts=parts,
            caller=caller or Caller.person(settings().system_name, Door.CLI),
            workspace=_chosen(directory, workspace),
            is_read_only=is_sealed,
            was_open=was_open,
        )
        if is_sealed:  # nothing is made, and nobody else can change anything
            yield inklings
            return
        if embed_writes:
            closing.enter_context(writes_embedded(inklings, drain_seconds))
        finishing = FinishScrubs(_ResumeScrubs(inklings))
        closing.callback(finishing.close, drain_seconds=drain_seconds)
        closing.callback(feed.subscribe(finishing.on_changes))
        finishing.start()
        watching = ForeignChanges(databases, feed)
        watching.start()
        closing.callback(watching.stop)
        yield inklings


def _is_open_to_others(root: Path) -> bool:
    from inklings_desktop.storage.places import DATABASE_NAME
    from inklings_desktop.storage.settling import is_open_to_others

    return (root / DATABASE_NAME).exists() and is_open_to_others(root)


@dataclass(frozen=True, slots=True)
class _ResumeScrubs:
    """Finishes scrubs; what that takes is made only where one is open."""

    inklings: Inklings

    def has_work(self) -> bool:
        from inklings_desktop.storage.places import files_to_resume

        return bool(files_to_resume(self.inklings.data_dir))

    def __call__(self, caller: Caller, progress: Progress) -> Sequence[ResumedScrub]:
        return self.inklings.as_caller(caller).scrub.resume(progress)


def _adapters(
    databases: Databases, parts: Parts, directory: SqliteWorkspaceDirectory, choice: SettingsChoice
) -> Adapters:
    from inklings_desktop.door_trials import drilled, rehearsed

    rehearsal = partial(rehearsed, open_inklings)
    drill = partial(drilled, open_inklings, parts.embedder)
    return adapters(databases, parts, directory, choice, rehearsal, drill)


def make_sample_world(data_dir: Path, clock: Clock | None = None) -> SampleWorldLoaded:
    """Write the sample world into a data root that holds no workspace yet.

    Args:
        data_dir: The data root.
        clock: Tells the time that the ages of the sample are counted from; None means the
            system's.

    Raises:
        ConflictError: The data root already holds workspaces.
        StorageError: It cannot be written to.
    """
    return sample_root.make(data_dir, clock or _utc_now, open_inklings)


def run_window(
    data_dir: Path | None = None,
    *,
    demo: bool = False,
    tour: Path | None = None,
    smoke_test: bool = False,
    link: str = "",
) -> int:
    """Show the window until it is closed; the exit status of the process.

    Without a display every page is drawn into PNG files instead, and that is said.

    Args:
        data_dir: The data root; with ``demo`` the one of the sample world.
        demo: Open the sample world, made on first use.
        tour: Draw every page into this folder and leave.
        smoke_test: Try everything once in a temporary folder and leave.
        link: What to go to; a window that is open on the data root already goes there.
    """
    from inklings_desktop.ui.app.display import APT_LINE, DNF_LINE, has_display, missing_libraries

    if smoke_test:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    elif tour is None and not has_display():
        tour = Path.cwd() / TOUR_FOLDER
        _say(
            f"There is no display here, so every page is drawn into {tour} instead; that takes a "
            "minute."
        )
    if tour is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if missing := missing_libraries():
        _say(
            f"The window needs system libraries that are not installed: {', '.join(missing)}.\n"
            f"On Debian or Ubuntu: {APT_LINE}\nOn Fedora: {DNF_LINE}"
        )
        return EXIT_ENVIRONMENT
    if smoke_test:
        from inklings_desktop.smoke import try_everything

        draw = partial(_window, demo=False, ours=False)
        return try_everything(open_inklings, draw, _say)
    root = data_dir or default_data_dir()
    is_ours = demo and data_dir is None
    if is_ours:
        root = sample_data_dir(root)
    return _window(root, demo=demo, ours=is_ours, tour=tour, link=link)


def serve_agent(
    data_dir: Path | None,
    workspace: str | None,
    client: str | None,
    *,
    port: int | None,
    say: Callable[[str, str | None], None],
    failing: Callable[[InklingsError], str],
    linger: float | None,
) -> None:
    """Serve one client of the agent's door until it leaves, or over HTTP every one.

    Args:
        data_dir: The data root; None means this user's usual one.
        workspace: Name or id of the workspace it is bound to; None takes the only one there is,
            or the only one that the client may enter.
        client: Name of the client; None serves every one that has a token, over HTTP alone.
        port: TCP port on the loopback, 0 for a free one; None serves over stdio.
        say: Hears the address of the loopback server, and the bearer token of its only client.
        failing: What to tell a client of an error, over HTTP.
        linger: How long a host that is started now stays after its last client, in seconds; None
            serves without a host.
    """
    if port is not None:
        with _uncollected():
            from inklings_desktop.mcp_server.hosting.serving import serve_http

        serve_http(
            partial(_opened_for_agents, data_dir),
            client=client,
            workspace=workspace,
            port=port,
            say=say,
            failing=failing,
        )
        return
    if client is None:
        raise InvalidValueError("client", "missing")
    if linger is not None:
        from inklings_desktop.relay.command import leave, relay, say_alone
        from inklings_desktop.relay.link import Hello, HostUnavailableError

        root = str(data_dir or default_data_dir())
        try:
            leave(relay(Hello(root, client, workspace, linger)))
        except HostUnavailableError as error:
            say_alone(error)
    with _uncollected():
        from inklings_desktop.mcp_server.hosting.serving import serve_stdio

    serve_stdio(client, partial(_opened_for_client, data_dir, workspace, client))


@contextmanager
def _opened_for_client(root: Path | None, workspace: str | None, client: str) -> Iterator[Inklings]:
    from inklings_desktop.mcp_server.session import served_workspace

    with open_inklings(root, drain_seconds=WINDOW_DRAIN_SECONDS) as inklings:
        yield replace(inklings, workspace=served_workspace(inklings, client, workspace))


def run_host(
    root: Path, linger_seconds: float, failing: Callable[[InklingsError], tuple[str, int]]
) -> None:
    """Be the host of the agent's door for a data root, unless another process is.

    Args:
        root: The data root.
        linger_seconds: How long it stays after its last client.
        failing: What to tell a client of an error: the sentence, and the exit status.
    """
    from inklings_desktop.relay.meeting_point import MeetingPoint

    place = MeetingPoint(str(root))
    with place.locked("host", HANDOVER_SECONDS) as is_mine:
        if is_mine:
            with _uncollected():
                from inklings_desktop.mcp_server.hosting.host import Host

            Host(place, root, partial(_opened_for_agents, root), failing, linger_seconds).run()


@contextmanager
def _opened_for_agents(root: Path | None, embedder: Embedder | None = None) -> Iterator[Inklings]:
    from inklings_desktop.scheduler.hosting import clock_beside

    with (
        open_inklings(
            root, embedder=embedder, embed_writes=False, drain_seconds=WINDOW_DRAIN_SECONDS
        ) as inklings,
        clock_beside(inklings, WINDOW_DRAIN_SECONDS),
    ):
        yield inklings


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collections while what stays for good is imported and made.

    There is next to nothing to be found, and a seventh of the time is spent looking for it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_uncollected()
def _window(root: Path, *, demo: bool, ours: bool, tour: Path | None, link: str = "") -> int:
    """Show the window on one data root after the other.

    Args:
        root: The first one.
        demo: Whether it gets the sample world when it is new.
        ours: Whether it is the place where this program keeps the sample world.
        tour: Draw every page into this folder and leave.
        link: What to go to in the first one; empty for where the person was.
    """
    from inklings_desktop.relay.one_window import one_window

    while True:
        with ExitStack() as stack:
            others = None if tour else stack.enter_context(one_window(str(root)))
            if others is not None and not others.is_first and others.call(link):
                return 0  # the window that is open already has come forward
            hear = others.hear if others is not None else None
            status = _shown(root, demo=demo, ours=ours, tour=tour, link=link, hear=hear)
        link = ""
        if status.open_sample:
            root, demo, ours = sample_data_dir(root), True, True
            continue
        if status.folder is not None:
            root, demo, ours = status.folder, False, False
            continue
        if status.reopen:
            continue
        return status.code


def _shown(
    root: Path,
    *,
    demo: bool,
    ours: bool,
    tour: Path | None,
    link: str,
    hear: Callable[[Callable[[str], bool]], None] | None,
) -> WindowStatus:
    """How the window on one data root ended; the arguments are those of ``_window``."""
    from inklings_desktop.ui.app.plain_imports import import_plainly

    import_plainly()  # before the window and all it needs are imported
    from inklings_desktop.ui.app.application import WindowOptions, run

    settings = load_settings(root)
    damaged = partial(
        open_inklings,
        root,
        caller=Caller.person(settings.system_name, Door.WINDOW),
        embed_writes=False,
        drain_seconds=WINDOW_DRAIN_SECONDS,
        require_account=False,
    )
    opener = _opener(root, demo=demo, ours=ours, run_clock=tour is None)
    return run(WindowOptions(root, settings, opener, tour, damaged, link, hear))


def _opener(
    root: Path, *, demo: bool, ours: bool, run_clock: bool
) -> Callable[[OpeningReport], AbstractContextManager[Inklings]]:
    """Opens the data root for the window; in a fresh one, that asks what its first world is."""

    @contextmanager
    def opened(upgrading: OpeningReport) -> Iterator[Inklings]:
        from inklings_desktop.scheduler.hosting import clock_running  # off the UI thread

        settings = load_settings(root)
        if demo and not _has_workspaces(root):
            _make_sample_told(root, upgrading)
        elif demo and ours:
            sample_root.renew(root, _utc_now, open_inklings)
        person = Caller.person(settings.system_name, Door.WINDOW)
        opening = partial(
            open_inklings,
            root,
            caller=person,
            embed_writes=not run_clock,
            drain_seconds=WINDOW_DRAIN_SECONDS,
            may_only_read=True,
            upgrading=upgrading,
        )
        with ExitStack() as stack:
            try:
                inklings = stack.enter_context(opening())
            except DatabaseCorruptError:
                if not (demo and ours):
                    raise
                _set_aside(root)
                _make_sample_told(root, upgrading)
                inklings = stack.enter_context(opening())
            if inklings.is_read_only:
                yield inklings
                return
            if not run_clock:  # nobody is there to answer a welcome
                if not inklings.places.workspaces():
                    inklings.workspaces.create(FIRST_WORKSPACE)
                yield inklings
                return
            with clock_running(inklings, WINDOW_DRAIN_SECONDS, waits_to_begin=True) as running:
                yield running

    return opened


def _set_aside(root: Path) -> None:
    """Make room for a new sample world; what cannot be read may hold something, and is kept."""
    kept = root.with_name(f"{root.name}-kept-{_utc_now():%Y%m%d-%H%M%S}")
    root.rename(kept)
    _say(f"The sample world could not be read. It is kept in {kept}, and a new one was made.")


def _has_workspaces(root: Path) -> bool:
    folder = root / "workspaces"
    return folder.is_dir() and any(folder.iterdir())


def _chosen(directory: SqliteWorkspaceDirectory, workspace: str | None) -> Workspace | None:
    if workspace is not None:
        return directory.get(workspace)
    every = directory.workspaces()
    return every[0] if len(every) == 1 else None


def _make_sample_told(root: Path, telling: OpeningReport) -> None:
    """Write the sample world, and say so in the window and before it: it takes some seconds."""
    from inklings_desktop.usecases.ports.progress import MakingSample

    _say(f"Making the sample world in {root}: some seconds, once.")
    telling(MakingSample(root))
    try:
        make_sample_world(root)
    finally:
        telling(None)


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the program's own words, before or without a window


def _utc_now() -> datetime:
    return datetime.now(UTC)
