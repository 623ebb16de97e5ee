"""Search and replace with every change on show, and copies into other tiers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import delete

from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.ui.kit.dialogs.copy_dialog import CopyDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
from inklings_desktop.ui.memory.acts.replacing import ReplacePresenter, TypedReplacement
from inklings_desktop.ui.memory.acts.table import MemoryAct
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench, Heard, a_context_of, on_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def two_of_three(bench: Bench) -> None:
    bench.put("Orla keeps the tollhouse. Orla is old.")
    bench.put("The bell rings for orla.")
    bench.put("Gulls keep accounts.")


def stored(bench: WindowBench, *scopes: ScopeKey) -> list[MemoryEntry]:
    inklings = bench.bench.inklings
    page = inklings.listing.browse(scopes or [bench.bench.scope])
    return sorted(page.entries, key=lambda entry: entry.content)


async def asked(bench: WindowBench, kind: type[QWidget]) -> QWidget:
    def found() -> QWidget | None:
        tops = QApplication.topLevelWidgets()
        return next((one for one in tops if isinstance(one, kind) and one.isVisible()), None)

    await bench.until(lambda: found() is not None)
    dialog = found()
    assert dialog is not None
    return dialog


@scene(on_bench)
async def test_a_plan_says_what_would_become_of_each_memory(
    bench: Bench, background: Background, /
) -> None:
    entries = [bench.put("Orla is old. Orla waits."), bench.put("orla"), bench.put("Gulls.")]
    refs = [one.ref for one in entries]
    planning = ReplacePresenter(a_context_of(background, bench.inklings), refs)
    heard, compared = (
        Heard().to(planning.preview_changed),
        Heard().to(planning.difference_found),
    )
    planning.wish(TypedReplacement("Orla"))
    await planning.settled()
    preview = heard.last
    assert preview.summary == "2 places in 1 of 3 memories."
    assert [(line.detail, line.is_refused) for line in preview.lines] == [
        ("2 places", False),
        ("stays: nothing would be left of it", True),
    ]
    planning.look_at(entries[0].id)
    await planning.settled()
    assert compared.last.has_changes
    assert [one.ref for one in planning.chosen([entries[0].id, entries[1].id])] == [entries[0].ref]
    planning.wish(TypedReplacement("o.la", "x"))  # never a pattern
    await planning.settled()
    assert heard.last.summary == "Nothing here says that."
    planning.wish(TypedReplacement("x" * 1001))
    assert heard.last.problem
    planning.wish(TypedReplacement("", "y"))
    assert heard.last.lines == ()


@scene(on_bench)
async def test_a_line_begins_with_a_whole_word(bench: Bench, background: Background, /) -> None:
    long = "On the first visit the reader should have the smell of tar and cold glass."
    entry = bench.put(long)
    planning = ReplacePresenter(a_context_of(background, bench.inklings), [entry.ref])
    heard = Heard().to(planning.preview_changed)
    planning.wish(TypedReplacement("glass", "mirror"))
    await planning.settled()
    (line,) = heard.last.lines
    assert line.text == "\u2026have the smell of tar and cold mirror."


@scene(on_bench)
async def test_a_line_shows_the_place_where_the_end_of_a_text_goes(
    bench: Bench, background: Background, /
) -> None:
    entry = bench.put("On the first visit the reader should have the smell of cold glass (draft)")
    planning = ReplacePresenter(a_context_of(background, bench.inklings), [entry.ref])
    heard = Heard().to(planning.preview_changed)
    planning.wish(TypedReplacement(" (draft)"))
    await planning.settled()
    (line,) = heard.last.lines
    assert line.text == "\u2026have the smell of cold glass"


@scene(drive, two_of_three)
async def test_what_is_left_out_stays_and_the_rest_is_one_step(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    window = bench.window
    window.page.focus_list()
    QTest.keyClick(window.page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    await bench.until(lambda: len(bench.memory.acts.selection) == 3)
    bench.memory.acts.act(MemoryAct.REPLACE)
    dialog = await asked(bench, ReplaceDialog)
    assert isinstance(dialog, ReplaceDialog)
    assert not dialog.apply.isEnabled()
    QTest.keyClicks(dialog.findChild(object, "replaceSought"), "orla")  # type: ignore[arg-type]
    QTest.keyClicks(dialog.findChild(object, "replacePut"), "Nerys")  # type: ignore[arg-type]
    await bench.until(lambda: dialog.apply.text() == "Replace in 2")
    await bench.until(dialog.apply.isEnabled)
    assert dialog.summary.text() == "3 places in 2 of 3 memories."
    item = next(dialog.list.item(row) for row in range(2) if "bell" in dialog.list.item(row).text())
    item.setCheckState(Qt.CheckState.Unchecked)
    assert dialog.apply.text() == "Replace in 1"
    dialog.apply.click()
    await bench.until(
        lambda: (
            [one.content for one in stored(bench)]
            == [
                "Gulls keep accounts.",
                "Nerys keeps the tollhouse. Nerys is old.",
                "The bell rings for orla.",
            ]
        )
    )
    undo = window.menus["undo"]
    await bench.until(lambda: "Replaced" in undo.text())
    undo.trigger()
    await bench.until(lambda: not undo.isEnabled())
    assert "Orla keeps the tollhouse. Orla is old." in [one.content for one in stored(bench)]


@scene(drive, two_of_three)
async def test_without_a_checked_row_everything_listed_is_replaced_in(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.focus_list()
    bench.memory.acts.act(MemoryAct.REPLACE)
    dialog = await asked(bench, ReplaceDialog)
    assert isinstance(dialog, ReplaceDialog)
    QTest.keyClicks(field(dialog, "replaceSought"), "orla")
    QTest.keyClicks(field(dialog, "replacePut"), "Nerys")
    await bench.until(lambda: dialog.apply.text() == "Replace in 2")
    assert dialog.summary.text() == "3 places in 2 of 3 memories."
    dialog.reject()


def field(dialog: QWidget, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    assert isinstance(found, QLineEdit)
    return found


@scene(drive, two_of_three)
async def test_a_dialog_that_goes_with_its_page_is_missed_by_nobody(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.focus_list()
    bench.memory.acts.act(MemoryAct.REPLACE)
    dialog = await asked(bench, ReplaceDialog)
    assert isinstance(dialog, ReplaceDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText("Orla")
    dialog.wish_changed.emit()
    await asyncio.sleep(0)  # it is being looked for
    delete(dialog)
    await asyncio.sleep(0.2)  # whatever nobody caught fails the test at its end
    assert len(stored(bench)) == 3


@scene(drive, two_of_three)
async def test_what_was_typed_in_vain_stands_there_again(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    window, acts = bench.window, bench.memory.acts
    window.page.focus_list()
    QTest.keyClick(window.page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    await bench.until(lambda: len(acts.selection) == 3)
    acts.act(MemoryAct.REPLACE)
    first = await asked(bench, ReplaceDialog)
    QTest.keyClicks(field(first, "replaceSought"), "orla")
    QTest.keyClicks(field(first, "replacePut"), "Nerys")
    QTest.keyClick(first, Qt.Key.Key_Escape)
    await bench.until(lambda: not first.isVisible())
    acts.act(MemoryAct.REPLACE)
    again = await asked(bench, ReplaceDialog)
    assert isinstance(again, ReplaceDialog)
    assert again.typed == TypedReplacement("orla", "Nerys")
    await bench.until(again.apply.isEnabled)
    again.apply.click()
    await bench.until(lambda: "Replaced" in window.menus["undo"].text())
    acts.act(MemoryAct.FORGET_BECAUSE)
    reason = await asked(bench, TextDialog)
    QTest.keyClicks(field(reason, "reasonField"), "twice said")
    QTest.keyClick(reason, Qt.Key.Key_Escape)
    await bench.until(lambda: not reason.isVisible())
    acts.act(MemoryAct.FORGET_BECAUSE)
    reason = await asked(bench, TextDialog)
    assert field(reason, "reasonField").text() == "twice said"
    QTest.keyClick(reason, Qt.Key.Key_Escape)
    await bench.until(lambda: not reason.isVisible())
    await asyncio.sleep(0.05)  # the answer has to be heard before a scrub is
    bench.memory.drop_undo()
    acts.act(MemoryAct.REPLACE)
    after_success = await asked(bench, ReplaceDialog)
    assert field(after_success, "replaceSought").text() == ""
    QTest.keyClick(after_success, Qt.Key.Key_Escape)
    await bench.until(lambda: not after_success.isVisible())
    acts.act(MemoryAct.FORGET_BECAUSE)
    after_scrub = await asked(bench, TextDialog)
    assert field(after_scrub, "reasonField").text() == ""
    QTest.keyClick(after_scrub, Qt.Key.Key_Escape)
    await bench.until(lambda: not after_scrub.isVisible())


def test_a_copy_into_a_channel_is_linked_and_one_into_the_account_is_not(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        two_of_three(bench)
        bench.inklings.channels.create(bench.workspace.id, "map-room")

    async def copy(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        page = bench.window.page
        page.focus_list()
        await bench.until(lambda: bench.memory.subject.current_entry is not None)
        shown = bench.memory.subject.current_entry
        assert shown is not None
        bench.memory.acts.act(MemoryAct.COPY_TO)
        dialog = await asked(bench, CopyDialog)
        assert isinstance(dialog, CopyDialog)
        dialog.tiers.choose(Tier.CHANNEL.value)
        names = [dialog.rooms.item(row).text() for row in range(dialog.rooms.count())]
        dialog.rooms.setCurrentRow(names.index("#map-room"))
        assert "links back to this one" in dialog.words.text()
        channel = dialog.target
        assert channel is not None
        dialog.confirm.click()
        await bench.until(lambda: len(stored(bench, channel)) == 1)
        (made,) = stored(bench, channel)
        assert [one.target for one in made.derived_from] == [shown.id]
        undo = bench.window.menus["undo"]
        await bench.until(lambda: undo.text() == "Undo: Copied 1 memory to Channel")
        undo.trigger()
        await bench.until(lambda: stored(bench, channel) == [])

        bench.memory.acts.act(MemoryAct.COPY_TO)
        dialog = await asked(bench, CopyDialog)
        assert isinstance(dialog, CopyDialog)
        dialog.tiers.choose(Tier.ACCOUNT.value)
        assert dialog.words.text().startswith("The account is shared by all your workspaces")
        assert not dialog.rooms.isVisible()
        dialog.confirm.click()
        await bench.until(lambda: len(stored(bench, ScopeKey.account())) == 1)
        assert stored(bench, ScopeKey.account())[0].derived_from == ()
        assert [one.content for one in stored(bench)].count(shown.content) == 1

    drive(tmp_path, prepare, copy)
