"""The grid of roles by domains: keys, what stays in sight, and what its cells say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
from inklings_desktop.ui.kit.look.rights import RightTone
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.knowledge.grant_grid import GrantGrid
from inklings_desktop.ui.knowledge.grants_state import cell_at, grid_of
from inklings_desktop.usecases.knowledge.values import GrantCell, GrantMatrix
from tests.support.builders import NOON

TEN = tuple(f"domain {number}" for number in range(10))
ROLES = ("world-agent", "external", "editor")


def a_matrix(
    names: tuple[str, ...] = TEN,
    cells: dict[tuple[str, str], GrantCell] | None = None,
    required: dict[str, frozenset[str]] | None = None,
    archived: str = "",
) -> GrantMatrix:
    """Roles by domains in which everybody reads, but for these cells."""
    domains = tuple(
        Domain(one, one, "", False, "Ada", "person", NOON, NOON if one == archived else None)
        for one in names
    )
    given = {
        (role, one): GrantCell(Permission.READ, is_own=False, is_barred=False)
        for role in ROLES
        for one in names
    }
    clients = {"editor": ("bot", "mate")}
    return GrantMatrix(
        tuple(map(Role, ROLES)), domains, clients, given | (cells or {}), required or {}
    )


@pytest.fixture
def grid(theme: Theme) -> Iterator[GrantGrid]:
    """Ten domains in a view that has room for four."""
    window = QWidget()
    made = GrantGrid(theme, window)
    made.show_grid(grid_of(a_matrix()))
    made.resize(640, made.height())
    window.resize(700, 400)
    window.show()
    window.activateWindow()
    made.setFocus()
    yield made
    window.hide()


def test_arrows_go_from_cell_to_cell_and_letters_set_it(grid: GrantGrid) -> None:
    given: list[tuple[str, str, str]] = []
    grid.given.connect(lambda *what: given.append(what))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_W):
        QTest.keyClick(grid, key)
    assert grid.spot == ("external", "domain 2")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_N, Qt.Key.Key_R, Qt.Key.Key_Delete):
        QTest.keyClick(grid, key)
    there, beside = ("external", "domain 2"), ("external", "domain 1")
    assert given == [(*there, "write"), (*beside, "none"), (*beside, "read"), (*beside, "")]


def test_enter_opens_a_cell_and_tab_leaves_the_grid(grid: GrantGrid) -> None:
    opened: list[tuple[str, str]] = []
    grid.opened.connect(lambda *what: opened.append(what))
    QTest.keyClick(grid, Qt.Key.Key_Return)
    QTest.keyClick(grid, Qt.Key.Key_Tab)
    assert opened == [("world-agent", "domain 0")]
    assert grid.spot == ("world-agent", "domain 0")


def test_the_roles_stay_where_they_are_while_ten_domains_scroll(grid: GrantGrid) -> None:
    roles, bar = grid.verticalHeader(), grid.horizontalScrollBar()
    assert bar.maximum() > 0
    assert grid.verticalScrollBar().maximum() == 0
    before = roles.geometry()
    QTest.keyClick(grid, Qt.Key.Key_End)
    assert grid.spot == ("world-agent", "domain 9")
    assert bar.value() == bar.maximum()
    assert roles.geometry() == before
    assert grid.visualRect(grid.currentIndex()).right() < grid.viewport().width()


def test_where_every_domain_has_room_the_columns_fill_the_width(theme: Theme) -> None:
    made = GrantGrid(theme, None)  # type: ignore[arg-type]
    made.show_grid(grid_of(a_matrix(("canon", "secrets"))))
    made.resize(640, made.height())
    made.show()
    made.fit()
    assert made.horizontalScrollBar().maximum() == 0
    assert made.horizontalHeader().length() + made.verticalHeader().width() == made.width()


def test_the_current_cell_stays_current_when_a_domain_comes(grid: GrantGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Down)
    QTest.keyClick(grid, Qt.Key.Key_Right)
    grid.show_grid(grid_of(a_matrix(("a new one", *TEN))))
    assert grid.spot == ("external", "domain 1")
    grid.show_grid(grid_of(a_matrix(("another",))))
    assert grid.spot == ("external", "another")


def test_a_cell_says_what_holds_and_why() -> None:
    own = {
        ("editor", "canon"): GrantCell(Permission.WRITE, is_own=True, is_barred=False),
        ("external", "canon"): GrantCell(Permission.WRITE, is_own=True, is_barred=True),
        ("editor", "old"): GrantCell(Permission.WRITE, is_own=True, is_barred=False),
    }
    required = {"canon": frozenset({"editor", "bard"})}
    grid = grid_of(a_matrix(("old", "canon"), own, required, archived="old"))
    assert [one.name for one in grid.columns] == ["canon", "old"]  # what is archived comes last
    assert [one.under for one in grid.columns] == ["only bard or editor", "archived"]
    assert [one.clients for one in grid.rows] == ["no program yet", "no program yet", "bot, mate"]

    def said(role: str, domain: str) -> tuple[str, RightTone, str]:
        cell = cell_at(grid, role, domain)
        assert cell is not None
        return cell.badge.text, cell.badge.tone, cell.effect

    assert said("editor", "canon") == ("read, write", RightTone.WRITE, "")
    assert said("world-agent", "canon") == ("read", RightTone.GIVEN_READ, "")
    reads = "Reads only: a house rule lets only bard or editor write here."
    assert said("external", "canon") == ("read", RightTone.BARRED, reads)
    assert said("editor", "old")[2] == "Reads only: the domain is archived."
    refused = GrantCell(Permission.READ, is_own=True, is_barred=False, n_refused=2)
    [row, *_] = grid_of(a_matrix(("canon",), {("world-agent", "canon"): refused})).rows
    assert row.cells[0].told.endswith("read. 2 writes refused in the last 30 days")
    default = cell_at(grid, "world-agent", "canon")
    assert default is not None
    assert default.told == "world-agent, canon: read (the default)"
