"""The keyboard map in the real window: what is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.dialogs.fact_dialog import FactDialog
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from tests.ui.keyboard_hands import MapRow, on, thirty

if TYPE_CHECKING:
    from tests.ui.keyboard_hands import Hands
    from tests.ui.presenter_bench import Bench


def two_facts(bench: Bench) -> None:
    """Thirty memories, and two facts of one domain."""
    thirty(bench)
    inklings, here = bench.inklings, bench.workspace.id
    inklings.domains.create(here, "Canon")
    for topic, text in (("Nerys", "Nerys is left-handed."), ("Pell", "Pell omits articles.")):
        inklings.facts.put(here, FactDraft("Canon", topic, text, 0.5))


async def the_tab(hands: Hands) -> Any:
    """The tab of facts, once it is read and has the keyboard."""
    hands.window.go(ToKnowledge())
    opened = hands.window.opened
    assert opened is not None
    await hands.until(lambda: opened.pages.page(KNOWLEDGE_PAGE) is not None)
    tab: Any = opened.pages.page(KNOWLEDGE_PAGE).facts  # type: ignore[union-attr]
    await hands.until(lambda: bool(tab.current) and tab.view.isVisible())
    tab.focus_list()
    return tab


def part(tab: Any, name: str) -> Any:
    """A part of the tab."""
    return tab.view.findChild(QWidget, name)


async def facts(hands: Hands) -> None:
    tab = await the_tab(hands)
    first = tab.current
    hands.press("J")
    assert tab.current != first
    hands.press("K")
    assert tab.current == first
    hands.press("Ctrl+Tab")
    hands.press("Ctrl+Shift+Tab")
    tab.focus_list()
    hands.press("Enter")
    assert hands.is_at(part(tab, "factContent"))
    tab.focus_list()
    hands.press("/")
    assert part(tab, "factFind").isAncestorOf(hands.focus)


async def changes(hands: Hands) -> None:
    tab = await the_tab(hands)
    hands.press("]")
    hands.press("]")
    hands.press("[")
    assert tab.typed[tab.current].confidence == 0.55
    hands.press("Ctrl+S")
    await hands.until(lambda: not tab.typed and not tab.is_deciding)
    tab.focus_list()
    hands.press("S")
    (await hands.shown(FactDialog)).reject()


async def grants(hands: Hands) -> None:
    tab = await the_tab(hands)
    hands.press("Ctrl+Tab")
    page = tab.context.window.opened.pages.page(KNOWLEDGE_PAGE)
    rules = page.grants
    await hands.until(lambda: rules.content is not None and rules.view.isVisible())
    rules.focus_list()

    def rule() -> Any:
        return rules.inklings.policies.list(rules.workspace_id)[0].policy

    hands.press("Space")
    await hands.until(lambda: not rule().is_active)
    rules.focus_detail()
    grid = part(rules, "grantGrid")
    hands.press("Right")  # there is one domain only
    given = {"N": "none", "R": "read", "W": "write"}
    for key, word in given.items():
        hands.press(key)
        await hands.until(lambda word=word: stored(rules, grid) == (word, True))  # type: ignore[misc]
    hands.press("Del")
    await hands.until(lambda: stored(rules, grid) == ("read", False))


def stored(tab: Any, grid: Any) -> tuple[str, bool]:
    """What is stored for the current cell, and whether somebody said so."""
    cell = tab.inklings.domains.matrix(tab.workspace_id).cells[grid.spot]
    return cell.permission.value, cell.is_own


def a_rule(bench: Bench) -> None:
    """Two facts and a house rule."""
    two_facts(bench)
    bench.inklings.policies.put(bench.workspace.id, PolicyDraft("Canon", "Be brief."))


KNOWLEDGE = Where.KNOWLEDGE
MAP = (
    MapRow(
        "J, K, Enter, /, Ctrl+Tab",
        "Knowledge",
        "facts, edit, search, next tab",
        facts,
        on(KNOWLEDGE, "J", "K", "Enter", "/", "Ctrl+Tab", "Ctrl+Shift+Tab"),
        prepare=two_facts,
    ),
    MapRow(
        "S, [, ], Ctrl+S",
        "Knowledge",
        "supersede, confidence, save",
        changes,
        on(KNOWLEDGE, "S", "[", "]", "Ctrl+S"),
        prepare=two_facts,
    ),
    MapRow(
        "N, R, W, Del, Space",
        "Knowledge",
        "grant cell; switch a rule",
        grants,
        on(KNOWLEDGE, "N", "R", "W", "Del", "Space"),
        prepare=a_rule,
    ),
)
