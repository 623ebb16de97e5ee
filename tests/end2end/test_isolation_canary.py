"""What is written in one workspace is never told, found or stored in another."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.program import Program
from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.storage.log.log_heads import HEADS_FILE
from inklings_desktop.usecases.bundle import Inklings
from tests.cli.console import Console
from tests.cli.test_bad_input import snapshot
from tests.end2end.byte_scan import ByteScanner, a_byte_scanner
from tests.end2end.foreign_ids import Ids, answers
from tests.end2end.readings import found_by, readings
from tests.end2end.wanderer import Wanderer, a_wanderer
from tests.end2end.worlds import (
    ACCOUNT_MARK,
    NOTE_KEY,
    SHARED_WORDS,
    World,
    a_reader,
    an_account_agent,
    settle,
    settle_account,
)
from tests.support.fake_embedder import FakeEmbedder

pytestmark = pytest.mark.end2end

N_WORLDS = 5
STEPS = 150
WALKS, WALKS_ENDURANCE = 1, 67
SCAN_EVERY = 25
GRANTED: dict[str, Callable[[World], Caller]] = {
    "whole workspace": lambda world: world.agent(),
    "whole workspace, reading only": a_reader,
    "conversation tier": lambda world: world.agent([Tier.CONVERSATION]),
    "channel tier": lambda world: world.agent([Tier.CHANNEL]),
    "workspace tier": lambda world: world.agent([Tier.WORKSPACE]),
    "one conversation": lambda world: world.agent(
        [Tier.CONVERSATION], frozenset({world.conversations[0].id})
    ),
    "one channel": lambda world: world.agent([Tier.CHANNEL], frozenset({world.channels[1].id})),
    "account tier": lambda _world: an_account_agent(),
    "no key at all": lambda world: world.agent([Tier.CHANNEL], frozenset()),
}


@dataclass(frozen=True, slots=True)
class Archipelago:
    """A data root with five worlds and a memory of the account, all embedded.

    Attributes:
        root: The data root.
        worlds: What it holds.
    """

    root: Path
    worlds: tuple[World, ...]

    @property
    def home(self) -> World:
        """The workspace in which somebody is."""
        return self.worlds[0]

    @property
    def others(self) -> tuple[World, ...]:
        """The workspaces of which nothing may be known there."""
        return self.worlds[1:]

    def opened(self) -> AbstractContextManager[Inklings]:
        """Its use cases; nothing is embedded behind a test's back."""
        return open_inklings(self.root, embedder=FakeEmbedder(), embed_writes=False)


def settled(root: Path) -> Archipelago:
    """Fill a fresh data root."""
    with open_inklings(root, embedder=FakeEmbedder(), embed_writes=False) as inklings:
        worlds = tuple(settle(inklings, number) for number in range(N_WORLDS))
        settle_account(inklings)
        for file in (None, *(world.id for world in worlds)):
            inklings.tasks.embed(file)
    return Archipelago(root, worlds)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Archipelago:
    return settled(tmp_path_factory.mktemp("isolation") / "root")


@pytest.fixture
def archipelago(original: Archipelago, tmp_path: Path) -> Archipelago:
    return replace(original, root=shutil.copytree(original.root, tmp_path / "root"))


def marks_beside(world: World, worlds: Sequence[World]) -> str:
    return " ".join(other.mark for other in worlds if other is not world)


def traces_beside(world: World, worlds: Sequence[World]) -> list[str]:
    return [trace for other in worlds if other is not world for trace in other.traces()]


def leaks(told: Sequence[tuple[str, str]], traces: Sequence[str]) -> list[str]:
    """Verbs whose answer holds a trace of what must stay unknown."""
    return [f"{verb}: {trace}" for verb, text in told for trace in traces if trace in text]


@pytest.mark.requirement("workspace-no-leak")
def test_a_person_in_one_workspace_is_told_nothing_of_the_others(
    archipelago: Archipelago,
) -> None:
    worlds = archipelago.worlds
    with archipelago.opened() as inklings:
        for world in worlds:
            foreign = marks_beside(world, worlds)
            told = list(readings(inklings, inklings.caller, world, foreign))

            assert leaks(told, traces_beside(world, worlds)) == []
            everything = " ".join(text for _, text in told)
            assert all(world.place_mark(scope) in everything for scope in world.own_scopes)
            assert all(entry.id in everything for entry in world.memories)


@pytest.mark.requirement("account-across-workspaces")
def test_the_account_is_the_same_from_every_workspace(archipelago: Archipelago) -> None:
    root = archipelago.root
    for world in archipelago.worlds:
        with open_inklings(root, workspace=world.id, embedder=FakeEmbedder()) as inklings:
            for caller in (inklings.caller, an_account_agent()):
                found = found_by(inklings, caller, [ScopeKey.account()], SHARED_WORDS)
                assert [ACCOUNT_MARK in content for content in found.values()] == [True]


@pytest.mark.requirement("workspace-no-leak")
@pytest.mark.parametrize("granted", GRANTED)
def test_an_agent_is_told_what_it_was_granted_and_nothing_else(
    granted: str, archipelago: Archipelago
) -> None:
    home, worlds = archipelago.home, archipelago.worlds
    with archipelago.opened() as inklings:
        agent = GRANTED[granted](home)
        every = (*home.own_scopes, ScopeKey.account())
        opened = {
            scope for scope in every if any(one.allows(Action.READ, scope) for one in agent.grants)
        }
        closed = [home.place_mark(scope) for scope in every if scope not in opened]
        foreign = traces_beside(home, worlds)

        told = list(readings(inklings, agent, home, marks_beside(home, worlds)))

        assert leaks(told, [*closed, *foreign]) == []
        everything = " ".join(text for _, text in told)
        # What resting conversations held is forgotten: an agent finds nothing there any more.
        at_rest = {ScopeKey.conversation(home.id, room.id) for room in home.conversations[1:]}
        met = {scope for scope in every if home.place_mark(scope) in everything}
        assert met == opened - at_rest

        for other in archipelago.others:
            told = list(readings(inklings, agent, other, home.mark))
            assert leaks(told, [*home.traces(), *foreign]) == []
            answered = {verb.split()[1] for verb, text in told if "ScopeDenied" not in text}
            assert answered == ({"account"} if granted == "account tier" else set())


@pytest.mark.requirement("workspace-no-leak")
@pytest.mark.parametrize("who", ["person", "agent"])
def test_a_foreign_id_is_answered_like_an_unknown_one_and_changes_nothing(
    who: str, archipelago: Archipelago
) -> None:
    home, other = archipelago.home, archipelago.others[0]
    before = snapshot(archipelago.root)
    with archipelago.opened() as inklings:
        caller = inklings.caller if who == "person" else home.agent()
        foreign = list(answers(inklings, caller, home, Ids.of(other)))
        unknown = list(answers(inklings, caller, home, Ids.unknown()))

    assert foreign == unknown
    assert leaks(foreign, traces_beside(home, archipelago.worlds)) == []
    after = snapshot(archipelago.root)
    if who == "agent":  # what an agent was refused is told in the account's log, and only there
        with archipelago.opened() as inklings, inklings.parts.store.read(None) as view:
            latest = view.events.latest(100)
        assert {event.kind for event in latest} == {EventKind.DENIED}
        for name in ("agents.db", HEADS_FILE, "witness/account"):
            del before[name], after[name]
    assert after == before


@contextmanager
def open_with_fake_model(
    data_dir: Path | None, *, workspace: str | None, require_account: bool = True
) -> Iterator[Inklings]:
    with open_inklings(data_dir, workspace=workspace, embedder=FakeEmbedder()) as inklings:
        yield inklings


@pytest.fixture
def console(
    archipelago: Archipelago, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Console:
    """A terminal in which meaning is compared as well."""
    program = Program(open_with_fake_model, run_window, make_sample_world, serve_agent)
    return Console(program, archipelago.root, capsys, monkeypatch)


def command_lines(world: World, foreign_words: str) -> Iterator[tuple[str, ...]]:
    """Every command that reads."""
    for tier in Tier:
        has_rooms = tier in {Tier.CONVERSATION, Tier.CHANNEL}
        place = ("--tier", tier.value, *(["--archived"] if has_rooms else []))
        for sort in MemorySort:
            yield ("memory", "list", *place, "--sort", sort.value)
        yield ("memory", "list", *place, "--forgotten")
        for mode in SearchMode:
            for text in (SHARED_WORDS, foreign_words):
                yield ("memory", "search", text, *place, "--mode", mode.value, "--explain")
    for entry in world.memories[-3:]:
        yield ("memory", "show", entry.id)
    yield ("channel", "list", "--archived")
    yield ("conversation", "list", "--archived")
    for room in world.conversations:
        yield ("conversation", "show", room.ref_code)
        yield ("note", "list", "--conversation", room.id)
        yield ("note", "read", NOTE_KEY, "--conversation", room.id)


@pytest.mark.requirement("workspace-no-leak")
def test_the_command_line_in_one_workspace_says_nothing_of_the_others(
    archipelago: Archipelago, console: Console
) -> None:
    worlds = archipelago.worlds
    for world in worlds[:2]:
        foreign = marks_beside(world, worlds)
        told = []
        for arguments in command_lines(world, foreign):
            answer = console(*arguments, "--workspace", world.id, "--json")
            # The answer repeats the question, which the person knows.
            told.append((" ".join(arguments), repr(answer).replace(foreign, "")))

        assert leaks(told, traces_beside(world, worlds)) == []
        everything = " ".join(text for _, text in told)
        assert all(world.place_mark(scope) in everything for scope in world.own_scopes)
        assert ACCOUNT_MARK in everything


@pytest.mark.requirement("workspace-no-leak")
def test_the_command_line_answers_a_foreign_id_like_an_unknown_one(
    archipelago: Archipelago, console: Console
) -> None:
    home, ids = archipelago.home, Ids.of(archipelago.others[0])
    for command, foreign, unknown in (
        (("memory", "show"), ids.memory, str(uuid.uuid4())),
        (("memory", "forget"), ids.memory, str(uuid.uuid4())),
        (("memory", "edit", "--content", "Mine."), ids.memory, str(uuid.uuid4())),
        (("conversation", "show"), ids.conversation, str(uuid.uuid4())),
        (("conversation", "show"), ids.ref_code, "zzzzzzzzzzz"),
        (("conversation", "archive", "--force"), ids.ref_code, "zzzzzzzzzzz"),
        (("note", "list", "--conversation"), ids.conversation, str(uuid.uuid4())),
        (("channel", "archive"), ids.channel, str(uuid.uuid4())),
        (("memory", "list", "--tier", "channel", "--channel"), ids.channel, str(uuid.uuid4())),
    ):
        said = [
            console(*command, key, "--workspace", home.id, "--json") for key in (foreign, unknown)
        ]
        assert [one.status for one in said] == [1, 1]
        assert repr(said[0]).replace(foreign, "ID") == repr(said[1]).replace(unknown, "ID")


def test_the_bytes_of_a_workspace_lie_in_its_own_folder_alone(tmp_path: Path) -> None:
    with a_byte_scanner() as scanner:

        def places(worlds: Sequence[World]) -> list[set[str]]:
            return [scanner.files_with(tmp_path, world.mark) for world in worlds]

        with open_inklings(tmp_path, embedder=FakeEmbedder()) as inklings:
            worlds = tuple(settle(inklings, number) for number in range(N_WORLDS))
            settle_account(inklings)
            for world in worlds:
                found_by(inklings, world.agent(), world.scopes(Tier.CHANNEL), world.mark)
            in_use, account_in_use = places(worlds), scanner.files_with(tmp_path, ACCOUNT_MARK)
        closed, account_closed = places(worlds), scanner.files_with(tmp_path, ACCOUNT_MARK)

    for world, files in zip(worlds, in_use, strict=True):
        assert f"{world.folder}agents.db-wal" in files
        assert all(file.startswith(world.folder) for file in files)
    assert closed == [{f"{world.folder}agents.db"} for world in worlds]
    assert "agents.db-wal" in account_in_use
    assert account_in_use <= {"agents.db", "agents.db-wal"}
    assert account_closed == {"agents.db"}


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_no_walk_through_the_verbs_carries_anything_over(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    left_out = []
    with a_byte_scanner() as scanner:
        for seed in range(reduced_or_full(WALKS, WALKS_ENDURANCE)):
            root = tmp_path / str(seed)
            with a_wanderer(root, seed=seed, n_workspaces=N_WORLDS) as walk:
                for number in range(STEPS):
                    for place in (walk.step(), walk.any_place()):
                        told = walk.told_in(place)
                        foreign = [one.mark for one in walk.places if one is not place]
                        assert [mark for mark in foreign if mark in told] == [], walk.trail
                        active = {entry.id for entry in place.memories(forgotten=False)}
                        assert walk.listed(place) == active, walk.trail
                    if number % SCAN_EVERY == 0:
                        _assert_that_bytes_are_at_home(scanner, walk)
                _assert_that_bytes_are_at_home(scanner, walk)
                left_out.append(walk.never_done())
    assert set.intersection(*left_out) == set()


def _assert_that_bytes_are_at_home(scanner: ByteScanner, walk: Wanderer) -> None:
    for place in walk.places:
        files = scanner.files_with(walk.root, place.mark)
        assert all(file.startswith(place.folder) for file in files), walk.trail
