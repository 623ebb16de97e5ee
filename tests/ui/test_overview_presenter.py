"""The figures stay true while somebody looks, and cost nothing while nobody does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.attention import AttentionKind
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.ui.control import overview_presenter
from inklings_desktop.ui.control.overview_facts import LookKind
from inklings_desktop.ui.control.overview_presenter import OverviewPresenter
from inklings_desktop.ui.kit.ops import keep_up
from tests.support.stopwatch import SCENE_SECONDS, until
from tests.ui.presenter_bench import Heard, a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from inklings_desktop.ui.control.overview_presenter import OverviewContent
    from inklings_desktop.ui.kit.ops.background import Background
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def play(root: Path, scene: Callable[[Bench, OverviewPresenter, Heard], Awaitable[None]]) -> None:
    """A presenter over a store with one memory, until the scene ends."""
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from inklings_desktop.ui.kit.ops.background import Background

    bugs: list[BaseException] = []

    async def played(bench: Bench) -> None:
        background: Background = Background(bugs.append)
        presenter = OverviewPresenter(background, bench.inklings)
        heard = Heard().to(presenter.content_changed)
        try:
            await asyncio.wait_for(scene(bench, presenter, heard), SCENE_SECONDS)
        finally:
            presenter.set_watched(watched=False)
            await background.close()
            presenter.deleteLater()

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with a_bench(root) as bench:
        bench.put("Gulls keep accounts.")
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(played(bench))
    assert bugs == []


def touched(bench: Bench) -> MemoryChanges:
    return MemoryChanges(bench.workspace.id, frozenset({bench.scope}))


def figures(content: OverviewContent) -> list[str]:
    return [card.figure for card in content.cards]


def test_opening_counts_every_tier_and_names_what_happened(tmp_path: Path) -> None:
    async def look(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        bench.inklings.start_conversation(bench.inklings.caller, bench.workspace.id, title="Tides")
        await presenter.open(bench.workspace.id)
        content: OverviewContent = heard.last
        assert figures(content) == ["0", "0", "1", "0"]
        assert [one.kind for one in content.looks] == [
            AttentionKind.WAITING_FOR_EMBEDDING,
            AttentionKind.NEVER_READ,
        ]
        assert content.events[0].kind == "conversation.started"
        assert content.events[0].what == "Tides"

    play(tmp_path, look)


def test_many_commits_in_a_row_are_counted_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep_up, "COALESCE_MS", 30)

    async def write(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        await presenter.open(bench.workspace.id)
        presenter.set_watched(watched=True)
        for number in range(20):
            bench.put(f"Tide {number}.")
            presenter.on_changes(touched(bench))
        assert len(heard.payloads) == 1
        await until(lambda: len(heard.payloads) > 1)
        assert figures(heard.last) == ["0", "0", "21", "0"]
        assert len(heard.payloads) == 2

    play(tmp_path, write)


def test_nothing_is_counted_while_nobody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep_up, "COALESCE_MS", 5)

    async def write(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        await presenter.open(bench.workspace.id)
        bench.put("Another.")
        presenter.on_changes(touched(bench))
        await asyncio.sleep(0.05)
        assert len(heard.payloads) == 1
        presenter.set_watched(watched=True)
        await until(lambda: len(heard.payloads) == 2)
        assert figures(heard.last) == ["0", "0", "2", "0"]
        presenter.set_watched(watched=False)
        presenter.set_watched(watched=True)
        await asyncio.sleep(0.05)
        assert len(heard.payloads) == 2

    play(tmp_path, write)


def test_another_workspace_does_not_matter_but_the_account_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep_up, "COALESCE_MS", 5)

    async def change(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        await presenter.open(bench.workspace.id)
        presenter.set_watched(watched=True)
        presenter.on_changes(MemoryChanges("elsewhere"))
        await asyncio.sleep(0.05)
        assert len(heard.payloads) == 1
        bench.put("Metres are never used.", scope=ScopeKey.account())
        presenter.on_changes(MemoryChanges(None, frozenset({ScopeKey.account()})))
        await until(lambda: len(heard.payloads) == 2)
        assert figures(heard.last) == ["0", "0", "1", "1"]

    play(tmp_path, change)


def test_a_question_that_broke_leads_what_is_worth_a_look(tmp_path: Path) -> None:
    async def ask(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        inklings, scope = bench.inklings, ScopeKey.workspace(bench.workspace.id)
        gull = bench.put("A grey gull keeps the accounts.")
        inklings.save_golden_question(
            inklings.caller, scope, "Who keeps the accounts?", must=[gull.id]
        )
        inklings.watch_golden_questions(inklings.caller, bench.workspace.id)
        await presenter.open(bench.workspace.id)
        kinds = [one.kind for one in heard.last.looks]
        assert LookKind.BROKEN_QUESTIONS not in kinds
        inklings.forget_memories(inklings.caller, [MemoryRef(scope, gull.id)])
        inklings.watch_golden_questions(inklings.caller, bench.workspace.id)
        await presenter.open(bench.workspace.id)
        look = heard.last.looks[0]
        assert (look.kind, look.sentence, look.is_one_list) == (
            LookKind.BROKEN_QUESTIONS, "1 golden question is not answered", True,
        )  # fmt: skip
        assert look.note == "Who keeps the accounts? was not answered when you asked"

    play(tmp_path, ask)


def test_a_refresh_says_when_it_is_done(tmp_path: Path) -> None:
    async def refresh(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        done: list[bool] = []
        presenter.refreshed.connect(lambda: done.append(True))
        await presenter.open(bench.workspace.id)
        assert done == []
        presenter.refresh()
        await presenter.settled()
        assert done == [True]
        assert len(heard.payloads) == 2

    play(tmp_path, refresh)


def test_what_cannot_be_read_is_said_and_tried_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(bench: Bench, presenter: OverviewPresenter, heard: Heard) -> None:
        messages = Heard().to(presenter.message_raised)
        real = overview_presenter.counted_content

        def busy(*_: object) -> OverviewContent:
            raise DatabaseBusyError(tmp_path, "test")

        monkeypatch.setattr(overview_presenter, "counted_content", busy)
        await presenter.open(bench.workspace.id)
        assert (len(messages.payloads), len(heard.payloads)) == (1, 0)
        monkeypatch.setattr(overview_presenter, "counted_content", real)
        presenter.set_watched(watched=True)
        await until(lambda: len(heard.payloads) == 1)

    play(tmp_path, fail)
