"""House rules in the real window: what is stored after a key, a dialog, an answer, and its undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.entries.proposals import UNDECIDED
from inklings_desktop.domain.errors import HeldForReviewError
from inklings_desktop.domain.knowledge.domains import OTHER_ROLE
from inklings_desktop.domain.knowledge.facts import Policy, PolicyDetails
from inklings_desktop.domain.memory import MemoryKind, Tier
from inklings_desktop.ui.knowledge.grant_dialogs import RuleDialog
from inklings_desktop.ui.knowledge.grants_state import rule_row
from inklings_desktop.ui.knowledge.rule_list import RuleList
from inklings_desktop.usecases.knowledge.policies import Policies
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft, PolicyView
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.knowledge.test_grants_tab import press, shown, the_tab, undone
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
RULE, OTHER = "Ages are counted from the flood.", "Never show magic without its price."
ASKED = "Name the players only by their characters."


def prepare(bench: Bench) -> None:
    """Two domains, facts, two rules of which one rests on a fact that was replaced."""
    inklings, here = bench.inklings, bench.workspace.id
    for name in ("Canon", "Craft"):
        inklings.domains.create(here, name)
    inklings.domains.create_role(here, "editor")
    old = inklings.facts.put(here, FactDraft("Canon", "flood", "Nine years after the flood."))
    inklings.facts.put(here, FactDraft("Canon", "bell", "The bell rings at dusk."))
    sources = (old.fact.memory.id,)
    inklings.policies.put(here, PolicyDraft("Canon", RULE, sources))
    inklings.policies.put(here, PolicyDraft("Craft", OTHER))
    memory = old.fact.memory
    text, version = "Eleven years after the flood.", memory.version
    inklings.facts.supersede(memory.ref, text, reason="chapter 9", expected_version=version)


def ask(bench: Bench) -> None:
    """The same, and an agent that asks for a rule."""
    prepare(bench)
    here, parts = bench.workspace.id, bench.inklings.parts
    with parts.store.read(here) as view:
        gate = view.knowledge.gates([OTHER_ROLE])[OTHER_ROLE]
    grants = (Grant(Tier.WORKSPACE, here, frozenset({Action.READ, Action.PROPOSE})),)
    agent = Policies(parts, Caller(CallerKind.AGENT, "bot", Door.MCP, grants, gate=gate))
    draft = PolicyDraft("Craft", ASKED, reason="The players asked for it.", required_role="editor")
    with pytest.raises(HeldForReviewError):
        agent.put(here, draft)


def stored(bench: WindowBench) -> Sequence[PolicyView]:
    """The rules that there are."""
    return bench.bench.inklings.policies.list(bench.bench.workspace.id)


def says(bench: WindowBench, *texts: str) -> bool:
    """Whether the rules say this, in order."""
    return [one.policy.memory.content for one in stored(bench)] == list(texts)


async def the_list(bench: WindowBench) -> tuple[RuleList, Any]:
    """The list of rules with the keyboard on the first, and the tab."""
    tab = await the_tab(bench)
    tab.focus_list()
    found = tab.view.findChild(RuleList)
    assert isinstance(found, RuleList)
    return found, tab


@scene(drive, prepare)
async def test_space_or_a_click_switches_a_rule_which_stays_listed(bench: WindowBench, /) -> None:
    rules, tab = await the_list(bench)

    def is_on(place: int, *, wanted: bool) -> bool:
        return stored(bench)[place].policy.is_active is wanted

    QTest.keyClick(rules, Qt.Key.Key_Space)
    await until(partial(is_on, 0, wanted=False))
    await until(lambda: rules.rows[0].told == "switched off")
    assert len(rules.rows) == 2
    await undone(bench, tab, partial(is_on, 0, wanted=True))
    rect = rules.visualRect(rules.model().index(1, 0))
    at = QPoint(30, rect.center().y())
    QTest.mouseClick(rules.viewport(), Qt.MouseButton.LeftButton, pos=at)
    await until(partial(is_on, 1, wanted=False))
    QTest.mouseClick(rules.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    await undone(bench, tab, partial(is_on, 1, wanted=True))


@scene(drive, prepare)
async def test_enter_edits_rule_facts_role_and_always_in_one_step(bench: WindowBench, /) -> None:
    rules, tab = await the_list(bench)
    before = stored(bench)[0].policy
    QTest.keyClick(rules, Qt.Key.Key_Return)
    dialog = await shown(bench, RuleDialog)
    assert not dialog.domain.isEnabled()
    texts = [dialog.facts.item(place).text() for place in range(dialog.facts.count())]
    assert texts[0] == "replaced by a later fact: Nine years after the flood."
    assert len(texts) == 3
    dialog.sought.setText("eleven")
    hidden = [dialog.facts.item(place).isHidden() for place in range(3)]
    [eleven] = [place for place in range(3) if not hidden[place]]
    dialog.facts.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.facts.item(eleven).setCheckState(Qt.CheckState.Checked)
    dialog.text.setPlainText("Count ages from the flood.")
    dialog.role.setCurrentIndex(dialog.role.findData("editor"))
    dialog.always.setChecked(True)
    dialog.confirm.click()
    await until(lambda: says(bench, "Count ages from the flood.", OTHER))
    after = stored(bench)[0]
    assert after.policy.details == PolicyDetails("editor", always=True)
    assert [one.memory.content for one in after.observations if one.memory] == [
        "Eleven years after the flood."
    ]
    assert not after.rests_on_superseded
    assert after.policy.memory.version == before.memory.version + 1

    def is_back() -> bool:
        [now, _] = [one.policy for one in stored(bench)]
        return (now.memory.content, now.details, now.memory.derived_from) == (
            RULE,
            before.details,
            before.memory.derived_from,
        )

    await undone(bench, tab, is_back)


@scene(drive, prepare)
async def test_nothing_changed_keeps_the_version(bench: WindowBench, /) -> None:
    rules, _ = await the_list(bench)
    QTest.keyClick(rules, Qt.Key.Key_Return)
    dialog = await shown(bench, RuleDialog)
    dialog.confirm.click()
    await until(lambda: not bench.window.findChildren(RuleDialog))
    assert stored(bench)[0].policy.memory.version == 1
    assert not bench.memory.undo.stack.canUndo()


@scene(drive, prepare)
async def test_a_rule_is_added_once_and_another_forgotten(bench: WindowBench, /) -> None:
    rules, tab = await the_list(bench)
    press(bench.window, "newRule")
    dialog = await shown(bench, RuleDialog)
    assert not dialog.confirm.isEnabled()
    dialog.domain.setCurrentText("craft")
    dialog.text.setPlainText(OTHER)  # is there already
    dialog.confirm.click()
    await until(lambda: not bench.window.findChildren(RuleDialog) or not dialog.isVisible())
    dialog = await shown(bench, RuleDialog)
    assert dialog.text.toPlainText() == OTHER
    dialog.text.setPlainText("Be brief.")
    dialog.confirm.click()
    await until(lambda: says(bench, RULE, OTHER, "Be brief."))
    await undone(bench, tab, lambda: says(bench, RULE, OTHER))
    await until(lambda: len(rules.rows) == 2)
    tab.focus_list()
    QTest.keyClick(rules, Qt.Key.Key_Delete)
    await until(lambda: says(bench, OTHER))
    await undone(bench, tab, lambda: len(stored(bench)) == 2)
    await until(lambda: len(rules.rows) == 2)
    QTest.keyClick(rules, Qt.Key.Key_Return)
    press(await shown(bench, RuleDialog), "ruleDrop")
    await until(lambda: len(stored(bench)) == 1)


@scene(drive, ask)
async def test_what_an_agent_asks_for_is_read_whole_then_accepted(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    inklings, here = bench.bench.inklings, bench.bench.workspace.id

    def waiting() -> int:
        return len(inklings.proposals.list(here, states=UNDECIDED))

    read = {one.text() for one in tab.view.findChildren(QLabel)}
    assert {ASKED, "While it is on, only editor may write in Craft."} <= read
    assert "bot asks for this in Craft: The players asked for it." in read
    [asked] = tab.content.asked
    press(tab.view, f"accept:{asked.proposal.id}")
    await until(lambda: says(bench, RULE, OTHER, ASKED))
    await until(lambda: not tab.content.asked)
    assert stored(bench)[2].policy.is_active
    assert stored(bench)[2].policy.details.required_role == "editor"
    await undone(bench, tab, lambda: says(bench, RULE, OTHER) and waiting() == 1)
    await until(lambda: len(tab.content.asked) == 1)
    [asked] = tab.content.asked  # what waits once more is a proposal of its own
    press(tab.view, f"refuse:{asked.proposal.id}")
    await until(lambda: waiting() == 0)
    assert says(bench, RULE, OTHER)
    await undone(bench, tab, lambda: waiting() == 1)


def test_a_row_says_how_often_it_was_told_and_what_it_stops() -> None:
    memory = replace(a_memory("Be\nbrief."), kind=MemoryKind.POLICY, domain_id="craft")
    told = [replace(memory, access_count=n) for n in (0, 1, 14)]
    details = PolicyDetails("editor", always=True)
    rows = [rule_row(PolicyView(Policy(one, details, "craft"))) for one in told]
    assert [one.told for one in rows] == ["not yet", "once", "14 times"]
    assert rows[0].text == "Be brief."
    assert rows[0].more == "at every turn, only editor writes there"
    off = PolicyView(Policy(replace(memory, paused=True), details, "craft"), (), True)
    assert (rule_row(off).told, rule_row(off).check) == ("switched off", "check facts")
    assert "off, craft" in rule_row(off).spoken
