"""Draws every state of the window in both themes: over sample worlds made for it, and damaged ones.

The tour of the program draws what any data root can show. The rest stands here: dialogs over a
world that may be written to, no model, a disk that refuses, files that cannot be opened.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop.bootstrap import make_sample_world, open_inklings
from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.tour.tour import (
    FULL,
    Once,
    Stop,
    draw_both,
    go,
    select,
    settle,
    take_tour,
    until,
)
from inklings_desktop.ui.welcome.state import VoiceAnswers, WelcomeStep, agent_rows
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.problem_help import ProblemHelp
from inklings_desktop.ui.window.viewing import ViewAs
from inklings_desktop.ui.window.welcoming import WindowWelcome
from inklings_desktop.usecases.scrubbing.scrub import ExecuteScrub
from tests.cli.test_bad_input import PNG
from tests.end2end.state_day import DAY, day_stops, settle_fact, world_id
from tests.end2end.state_dialogs import SCRUB_STOPS, dialog_stops
from tests.end2end.state_memory import PAST_STATES, add_past, past_stops
from tests.end2end.state_worlds import add_clients, add_events, add_what_dialogs_list
from tests.end2end.test_window_bad_data import make_newer
from tests.oracle.clipping import cut_off
from tests.oracle.pose import POSE
from tests.oracle.spoken_tree import spoken_tree
from tests.pictures.clock import PosedClock
from tests.pictures.conversation import (
    NO_MODEL_START,
    add_talk,
    conversation_stops,
    show_conversation_start,
)
from tests.pictures.harbour import HARBOUR_STOPS, add_comparisons
from tests.pictures.runs import RUNS
from tests.pictures.schedule import SCHEDULE_STOPS, add_activities, add_missed_week
from tests.pictures.skills import add_skills, skill_stops
from tests.pictures.steps import as_it_is
from tests.pictures.stops import EVERY_STOP
from tests.support.asking import asked_by
from tests.support.builders import FixedClock
from tests.support.four_clients import STUDIO
from tests.support.stand_ins import stood_in
from tests.ui.talk_bench import without_agent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from contextlib import AbstractContextManager

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.usecases.bundle import Inklings

AUTHOR = Caller.person("Ottoline Marsh", Door.WINDOW)
CHANNEL = "beta-letters"
NO_MODEL, READ_ONLY = "07b-no-model", "07d-read-only"
NEWER, DAMAGED = "07c-newer-database", "problem-damaged"
TROUBLES = (NO_MODEL, NEWER, READ_ONLY, DAMAGED)
WELCOMES = ("18a-welcome-doors", "18b-welcome-voice", "18c-welcome-agent")
VIEW = "view-as-client"
FIRST = EVERY_STOP[:8]
"""A state looks as the way to it was; so some of them are the first."""
HOURS_MS = 10_000_000
SHOWN_DATA_DIR = Path("/", "home", "ottoline", ".local", "share", "Inklings")
"""Stands in pictures in place of the folder of whoever draws them."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A window over a data root, while its states are drawn."""

    window: MainWindow
    theme: Theme
    background: Background
    folder: Path
    inklings: Inklings | None

    async def draw(self, stops: tuple[Stop, ...]) -> None:
        """Go through states that a person can bring about."""
        heard = [
            replace(
                one,
                go=partial(self._reach_and_hear, one),
                size=POSE.get().size if one.size == FULL else one.size,
            )
            for one in stops
        ]
        await take_tour(self.window, self.theme, self.folder, heard)

    async def _reach_and_hear(self, stop: Stop, memory: MemoryPage, window: MainWindow) -> None:
        for toast in window.findChildren(Toast):
            toast._clock.setInterval(HOURS_MS)  # its seconds would depend on the machine
            if stop.go is not as_it_is:
                toast.close_note()
        await stop.go(memory, window)
        await self._hear(stop.name)

    async def _hear(self, name: str) -> None:
        await settle()
        told = spoken_tree().replace(str(SHOWN_DATA_DIR), "DATA_DIR")
        self.folder.joinpath(f"{name}.txt").write_text(told, encoding="utf-8")
        if cut := cut_off():
            self.folder.joinpath(f"{name}.cut").write_text(
                "".join(f"{one}\n" for one in cut), encoding="utf-8"
            )

    async def draw_problem(self, name: str) -> None:
        """Draw a window that shows no pages: it could not open its data, or has no world yet."""
        await self._hear(name)
        await draw_both(self.window, self.theme, self.folder / name)

    async def draw_view(self, name: str) -> None:
        """Draw the window as a client sees the world."""
        assert self.inklings is not None
        here = self.window.memory.shell.surroundings if self.window.memory is not None else None
        assert here is not None
        viewing = ViewAs(self.background, self.inklings, theme=self.theme, author=self.window)
        viewing.look_as(STUDIO, here.workspace.id)
        await until(lambda: viewing.window is not None and viewing.window.memory is not None)
        await viewing.settled()
        assert viewing.window is not None
        viewing.window.resize(*POSE.get().size)
        memory = viewing.window.memory
        assert memory is not None
        await select(memory, viewing.window, 0)
        await self._hear(name)
        await draw_both(viewing.window, self.theme, self.folder / name)
        await viewing.close()


def on_stage(
    root: Path,
    folder: Path,
    play: Callable[[Stage], Awaitable[None]],
    opened: Callable[[], AbstractContextManager[Inklings]],
    *,
    is_read_only: bool = False,
    is_first: bool = False,
) -> None:
    """Open a window on a data root, let the play draw, close everything.

    Args:
        root: The data root.
        folder: Gets the pictures.
        play: Brings the window into its states.
        opened: Opens the data root.
        is_read_only: Let the window believe that the disk refuses: a super-user's would not.
        is_first: Whether the data root holds no world yet: its welcome is what is drawn.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, text_scale=POSE.get().text_scale, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted() -> None:
        window, background, store = (
            MainWindow(theme, root, Appearance()),
            Background(bugs.append),
            ExitStack(),
        )
        try:
            window.resize(*POSE.get().size)
            window.show()
            await window.painted_once()
            window.furnish()
            inklings: Inklings | None = None
            welcome: asyncio.Task[bool] | None = None
            try:
                inklings = await background.write(partial(store.enter_context, opened()))
                inklings = stood_in(
                    replace(inklings, background=PosedClock(), is_read_only=is_read_only),
                    {
                        "clients.describe_connection": asked_by(
                            inklings.caller, root=SHOWN_DATA_DIR, program=_program
                        ).clients.describe_connection
                    },
                    use_cases={
                        "scrub.execute": ExecuteScrub(
                            inklings.scrub.manifests,
                            inklings.scrub.adapters.operator,
                            monotonic=float,
                        ),
                    },
                )
                if is_first:
                    welcome = background.spawn(window.welcome(background, inklings))
                    await until(lambda: bool(window.findChildren(WindowWelcome)))
                else:
                    await window.attach(background, inklings)
            except InklingsError as error:
                said = await ProblemHelp(background, window, root, opened).show(error)
                window.show_problem(replace(said, details=_as_shown(said.details, root)))
            await play(Stage(window, theme, background, folder, inklings))
            if welcome is not None:
                window.closing.closed.set()
                await welcome
        finally:
            window.detach()
            window.hide()
            await background.close()
            await asyncio.get_running_loop().run_in_executor(None, store.close)
            window.deleteLater()
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(acted())
    assert not bugs, bugs


def _as_shown(details: tuple[tuple[str, str], ...], root: Path) -> tuple[tuple[str, str], ...]:
    """The facts of a problem, as if the data root were the author's."""
    return tuple((name, text.replace(str(root), str(SHOWN_DATA_DIR))) for name, text in details)


@contextmanager
def seeded() -> Iterator[None]:
    """Draw the same ids, codes and keys in every run, in the same order of asking."""
    draw = random.Random(0).randbytes  # noqa: S311 - pictures guard nothing
    # What ``uuid`` and ``secrets`` take their bytes from.
    with mock.patch.object(os, "urandom", draw), mock.patch.object(random, "_urandom", draw):
        yield


def draw_all(scratch: Path, folder: Path, *, is_short: bool = False) -> None:
    """Draw every state there is, byte by byte as in every other run of the same code.

    Args:
        scratch: An empty folder for the worlds.
        folder: Gets ``<state>-light.png``, ``<state>-dark.png``, and what a screen reader finds
            there in ``<state>.txt``.
        is_short: Whether the first states, a scrub and the troubles are enough.
    """
    QApplication.setCursorFlashTime(0)  # a caret that blinks is there or not
    folder.mkdir(parents=True, exist_ok=True)
    sample = scratch / "data-sample"
    with seeded():
        make_sample_world(sample, FixedClock())
    some = (draw_scrub, draw_troubles, partial(draw_tour, stops=FIRST))
    every = (
        draw_dialogs,
        draw_schedule,
        draw_skills,
        draw_scrub,
        draw_past,
        draw_day,
        draw_talk,
        draw_comparisons,
        draw_troubles,
        draw_tour,
        draw_welcome,
    )
    for draw in some if is_short else every:
        with seeded():
            draw(sample, scratch, folder)


def states(folder: Path, *, is_short: bool = False) -> list[str]:
    """The name of every state that ``draw_all`` draws; the folder may be any."""
    if is_short:
        return [one.name for one in (*FIRST, *SCRUB_STOPS)] + [*TROUBLES]
    return [
        *(one.name for one in (*EVERY_STOP, *SCHEDULE_STOPS, *dialog_stops(folder), *SCRUB_STOPS)),
        *(one.name for one in skill_stops(folder)),
        *PAST_STATES,
        *DAY,
        *(one.name for one in (*conversation_stops(), RUNS, *HARBOUR_STOPS)),
        NO_MODEL_START,
        *TROUBLES,
        *WELCOMES,
        VIEW,
    ]


def draw_tour(
    sample: Path, scratch: Path, folder: Path, stops: tuple[Stop, ...] = EVERY_STOP
) -> None:
    """What the program itself draws where there is no display."""
    root = copied(sample, scratch / "toured")
    on_stage(root, folder, lambda stage: stage.draw(stops), partial(as_author, root))


def draw_dialogs(sample: Path, scratch: Path, folder: Path) -> None:
    """What lies over pages, in a copy of the sample world; and the world as a client sees it."""
    root = copied(sample, scratch / "dialogs")
    with as_author(root) as inklings:
        add_clients(inklings)
        add_what_dialogs_list(inklings, scratch)
        embed(inklings)

    async def play(stage: Stage) -> None:
        await stage.draw_view(VIEW)
        await stage.draw(dialog_stops(scratch))

    on_stage(root, folder, play, partial(as_author, root))


def draw_skills(sample: Path, scratch: Path, folder: Path) -> None:
    """A skill that an agent made better, in a copy of the sample world."""
    root = copied(sample, scratch / "skilled")
    with as_author(root) as inklings:
        add_skills(inklings, world_id(inklings), scratch)
        embed(inklings)
    stops = skill_stops(scratch)
    on_stage(root, folder, lambda stage: stage.draw(stops), partial(as_author, root))


def draw_schedule(sample: Path, scratch: Path, folder: Path) -> None:
    """Activities and their runs in a copy of the sample world, one caught up after a week."""
    root = copied(sample, scratch / "schedule")
    with as_author(root) as inklings:
        add_activities(inklings, world_id(inklings))
        add_missed_week(inklings, world_id(inklings))
        embed(inklings)
    on_stage(root, folder, lambda stage: stage.draw(SCHEDULE_STOPS), partial(as_author, root))


def draw_scrub(sample: Path, scratch: Path, folder: Path) -> None:
    """A scrub carried out in a copy of the sample world in which something happened before."""
    root = copied(sample, scratch / "scrubbed")
    with as_author(root) as inklings:
        add_events(inklings, scratch)
        embed(inklings)

    on_stage(root, folder, lambda stage: stage.draw(SCRUB_STOPS), partial(as_author, root))


def draw_past(sample: Path, scratch: Path, folder: Path) -> None:
    """A memory with a past, in a copy of the sample world."""
    root = copied(sample, scratch / "past")
    with as_author(root) as inklings:
        add_past(inklings)
        embed(inklings)

    async def play(stage: Stage) -> None:
        assert stage.inklings is not None
        await stage.draw(past_stops(stage.inklings))

    on_stage(root, folder, play, partial(as_author, root))


def draw_day(sample: Path, scratch: Path, folder: Path) -> None:
    """A day of a fact, in a copy of the sample world with one more folder of pages."""
    root, pages = copied(sample, scratch / "day"), scratch / "new-chapters"
    with as_author(root) as inklings:
        settle_fact(inklings, pages)
        embed(inklings)

    async def play(stage: Stage) -> None:
        assert stage.inklings is not None
        await stage.draw(day_stops(stage.inklings, pages))

    on_stage(root, folder, play, partial(as_author, root))


def draw_talk(sample: Path, scratch: Path, folder: Path) -> None:
    """A conversation with the World Agent, which says what a script says; and one not begun."""
    root, without = copied(sample, scratch / "talked"), copied(sample, scratch / "silent")
    with as_author(root) as inklings:
        add_talk(inklings)
        embed(inklings)
    with without_agent():
        on_stage(
            root,
            folder,
            lambda stage: stage.draw((*conversation_stops(), RUNS)),
            partial(as_author, root),
        )
        start = Stop(NO_MODEL_START, show_conversation_start)
        on_stage(without, folder, lambda stage: stage.draw((start,)), partial(as_author, without))


def draw_comparisons(sample: Path, scratch: Path, folder: Path) -> None:
    """Two answers of the World Agent, in a copy of the sample world with one more page."""
    root = copied(sample, scratch / "compared")
    clock = FixedClock()
    with as_author(root, clock=clock) as inklings:
        add_comparisons(inklings, clock, world_id(inklings), scratch / "isles")
        embed(inklings)
    with without_agent():
        on_stage(root, folder, lambda stage: stage.draw(HARBOUR_STOPS), partial(as_author, root))


def draw_troubles(sample: Path, scratch: Path, folder: Path) -> None:
    """No model, a disk that refuses, files that cannot be opened."""
    folder.mkdir(parents=True, exist_ok=True)
    without = copied(sample, scratch / "without")
    no_model = Stop(NO_MODEL, show_keyword_search)
    on_stage(
        without,
        folder,
        lambda stage: stage.draw((no_model,)),
        partial(as_author, without, NullEmbedder("none", "missing")),
    )
    read_only = Stop(READ_ONLY, show_letters)
    on_stage(
        without,
        folder,
        lambda stage: stage.draw((read_only,)),
        partial(as_author, without),
        is_read_only=True,
    )
    newer = copied(sample, scratch / "newer")
    make_newer(newer / "agents.db")
    damaged = copied(sample, scratch / "damaged")
    (damaged / "agents.db").write_bytes(PNG)
    for name, root in ((NEWER, newer), (DAMAGED, damaged)):
        draw_problem = partial(Stage.draw_problem, name=name)
        on_stage(root, folder, draw_problem, partial(as_author, root))


def draw_welcome(_sample: Path, scratch: Path, folder: Path) -> None:
    """The first start, step by step; what is on this machine is not looked for."""
    answers = VoiceAnswers("close", "past", "one", "magic; they say \u201cthe old agreement\u201d")
    found = frozenset({ClientProgram.CLAUDE_CODE, ClientProgram.CURSOR})

    async def play(stage: Stage) -> None:
        (guide,) = stage.window.findChildren(WindowWelcome)
        named = replace(guide.state, name="The Long Ledger", answers=answers, newest="avoid")
        for name, state in zip(
            WELCOMES,
            (
                guide.state,
                replace(named, step=WelcomeStep.VOICE),
                replace(named, step=WelcomeStep.AGENT, world_id="ledger", agents=agent_rows(found)),
            ),
            strict=True,
        ):
            guide.show(state)
            await settle()
            await stage.draw_problem(name)

    root = scratch / "first"
    on_stage(root, folder, play, partial(as_author, root), is_first=True)


async def show_letters(memory: MemoryPage, window: MainWindow) -> None:
    """One channel, its most relevant memory open."""
    here = memory.shell.surroundings
    assert here is not None
    room = next(one.id for one in here.channels if one.name == CHANNEL)
    await go(memory, Place(Tier.CHANNEL, room))
    window.page.header.sort_chosen.emit(MemorySort.RELEVANCE)
    await memory.list.settled()
    await settle()
    await select(memory, window, 0)


async def show_keyword_search(memory: MemoryPage, window: MainWindow) -> None:
    """A search by words alone."""
    await show_letters(memory, window)
    answer = Once(memory.list.content_changed)
    window.page.header.search.set_text("letter")
    await answer
    await select(memory, window, 0)


def _program() -> tuple[str, tuple[str, ...]]:
    return "inklings", ()


def as_author(
    root: Path, embedder: NullEmbedder | None = None, clock: FixedClock | None = None
) -> AbstractContextManager[Inklings]:
    """A data root opened as the window opens it, but that nothing is embedded meanwhile."""
    clock = clock or FixedClock()
    return open_inklings(root, caller=AUTHOR, clock=clock, embedder=embedder, embed_writes=False)


def embed(inklings: Inklings) -> None:
    """Give every memory its vector, as the backfill does."""
    for place in (None, *(one.id for one in inklings.places.workspaces())):
        while inklings.tasks.embed(place):
            pass


def copied(sample: Path, root: Path) -> Path:
    """A copy of a data root."""
    return shutil.copytree(sample, root)
