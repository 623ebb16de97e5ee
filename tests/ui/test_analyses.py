"""Run analysis in the real window: choose, fill in, run, stop, read, copy, and follow a finding."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.analyses import shipped
from inklings_desktop.domain.memory import MemoryDraft
from inklings_desktop.ui.analyses.process import AnalysisProcess
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.page.destinations import ToAnalysis
from tests.support.played_script import WAIT, command, ran
from tests.support.scenes import scene
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.ui.analyses.dialog import AnalysisDialog
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def a_memory(bench: Bench) -> None:
    bench.inklings.memories.put(MemoryDraft(bench.scope, "The gulls cry at noon."))


@contextmanager
def playing(*lines: dict[str, Any] | str) -> Iterator[None]:
    """The agent's process says these lines; none is installed where there are none."""
    before = AnalysisProcess.launch
    started = command(*lines) if lines else None
    AnalysisProcess.launch = staticmethod(lambda _root, _workspace: started)
    try:
        yield
    finally:
        AnalysisProcess.launch = before


async def opened(bench: WindowBench) -> tuple[AnalysisProcess, AnalysisDialog]:
    root = bench.window.opened
    assert root is not None
    root.context.go(ToAnalysis())
    await bench.until(lambda: root.analyses.dialog is not None)
    assert root.analyses.dialog is not None
    return root.analyses, root.analyses.dialog


def press(dialog: AnalysisDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name)
    assert found is not None
    found.click()


def verdict(dialog: AnalysisDialog) -> str:
    labels = [one.text() for one in dialog.findChildren(QLabel) if one.isVisibleTo(dialog)]
    return "\n".join(labels)


@scene(drive, a_memory)
async def test_what_it_found_is_shown_and_leads_there(bench: WindowBench, /) -> None:
    process, dialog = await opened(bench)
    entry = next(
        one
        for one in bench.bench.inklings.listing.browse([bench.bench.scope]).entries
        if one.content == "The gulls cry at noon."
    )
    finding = {"says": "The gulls cry at noon.", "memories": [entry.id]}
    step = {"progress": {"text": "Reading", "share": 0.5}}
    field = dialog.findChild(QLineEdit, "input:query")
    assert field is not None
    QTest.keyClicks(field, "gull")
    with playing(step, ran({"summary": "Found: 1.", "findings": [finding]}, printed="so")):
        press(dialog, "runAnalysis")
        await process.settled()
    report = process.state.report
    assert report is not None
    assert (report.summary, process.state.step is not None) == ("Found: 1.", True)
    assert process.state.inputs == {"query": "gull"}
    await bench.until(lambda: "so" in verdict(dialog).splitlines())
    assert "Found: 1." in verdict(dialog)
    (link,) = [one for one in dialog.findChildren(LinkButton) if one.text() == "Memory"]
    link.click()
    await bench.until(lambda: process.dialog is None)
    await bench.until(
        lambda: (one := bench.memory.subject.current_entry) is not None and one.id == entry.id
    )
    _, again = await opened(bench)
    await bench.until(lambda: "Found: 1." in verdict(again))


@scene(drive, a_memory)
async def test_enter_runs_it_with_what_was_typed(bench: WindowBench, /) -> None:
    process, dialog = await opened(bench)
    field = dialog.findChild(QLineEdit, "input:query")
    assert field is not None
    QTest.keyClicks(field, "Osk")
    with playing(ran("ASKED")):
        QTest.keyClick(field, Qt.Key.Key_Return)
        await process.settled()
    assert process.state.report is not None
    assert process.state.report.document["result"] == {"query": "Osk"}


@pytest.mark.parametrize("closes", [False, True])
@scene(drive, a_memory)
async def test_one_that_takes_too_long_is_stopped(bench: WindowBench, /, *, closes: bool) -> None:
    process, dialog = await opened(bench)
    with playing({"progress": {"text": "Reading", "share": None}}, WAIT):
        press(dialog, "runAnalysis")
        await bench.until(lambda: process.state.step is not None)
        if closes:
            process.leave()
        else:
            press(dialog, "runAnalysis")
            await bench.until(lambda: "Stopped." in verdict(dialog))
        await process.settled()
    assert (process.state.is_running, process.state.report) == (False, None)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ((), "Install it with"),
        (({"problem": {"word": wire.NOT_GRANTED, "message": ""}},), "Let it in"),
        (({"problem": {"word": wire.SCRIPTS_NOT_INSTALLED, "message": ""}},), "Install it with"),
        ((ran(outcome="time_limit"),), "it took too long"),
        ((ran(outcome="script_error", said="Line 3: NameError"),), "no result. Line 3: NameError"),
        (({"compiling": True},), "stopped unexpectedly"),
    ],
)
@scene(drive, a_memory)
async def test_each_other_end_is_said(
    bench: WindowBench, /, *, lines: tuple[Any, ...], says: str
) -> None:
    process, dialog = await opened(bench)
    with playing(*lines):
        press(dialog, "runAnalysis")
        await process.settled()
    await bench.until(lambda: says in verdict(dialog))


@scene(drive, a_memory)
async def test_the_script_is_read_and_another_chosen(bench: WindowBench, /) -> None:
    process, dialog = await opened(bench)
    press(dialog, "readScript")
    await bench.until(lambda: shipped("references").text in verdict(dialog))
    press(dialog, "readScript")
    offers = dict(process.choices())
    assert len(offers) == 5
    offers["Consistency"]()
    assert process.state.analysis.name == "consistency"
    assert dialog.findChild(QLineEdit, "input:folder") is not None
    await bench.until(lambda: dialog.findChild(QLineEdit, "input:query") is None)


async def answered_with(bench: WindowBench, dialog: AnalysisDialog, path: Path) -> None:
    await bench.until(lambda: bool(dialog.findChildren(QFileDialog)))
    (asked,) = dialog.findChildren(QFileDialog)
    asked.selectFile(str(path))
    asked.done(QFileDialog.DialogCode.Accepted.value)


@scene(drive, a_memory)
async def test_a_copy_is_changed_and_run_as_ones_own(
    bench: WindowBench, /, *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, dialog = await opened(bench)
    path = tmp_path / "mine.py"
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: [str(path)])
    press(dialog, "copyScript")
    await answered_with(bench, dialog, path)
    await bench.until(lambda: process.state.analysis.name == "mine")
    assert path.read_text(encoding="utf-8") == shipped("references").text
    path.write_text("# /// inklings\n# title = 'Mine'\n# ///\n", encoding="utf-8")
    process.ask_file()
    await answered_with(bench, dialog, path)
    await bench.until(lambda: process.state.analysis.title == "Mine")
    with playing(ran("SCRIPT")):
        press(dialog, "runAnalysis")
        await process.settled()
    assert process.state.report is not None
    assert process.state.report.document["result"] == path.read_text(encoding="utf-8")


@scene(drive, a_memory)
async def test_a_file_that_is_there_stays_as_it_is(
    bench: WindowBench, /, *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, dialog = await opened(bench)
    path = tmp_path / "kept.py"
    path.write_text("kept", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: [str(path)])
    press(dialog, "copyScript")
    await answered_with(bench, dialog, path)
    await bench.until(lambda: bool(process.state.notice))
    assert path.read_text(encoding="utf-8") == "kept"
    assert process.state.analysis.name == "references"
