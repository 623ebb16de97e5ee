"""Clients in several states, and the Access tab over them in the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton, QDialog, QPlainTextEdit, QWidget

from inklings_desktop.ui.access.matrix import ClientTable
from inklings_desktop.ui.control.page import ACCESS_TAB
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from tests.support.four_clients import READERS_CHANNEL, add_four_clients
from tests.ui.page_views import access_of, control_view

if TYPE_CHECKING:
    from inklings_desktop.ui.access.page import AccessPage
    from inklings_desktop.ui.access.state import ClientRow
    from inklings_desktop.ui.access.view import AccessView
    from inklings_desktop.ui.control.page import ControlPage
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

LOOM = "Loom"


def four_clients(bench: Bench) -> None:
    """The author's agent, one with the usual rights, one with its own, one with none."""
    inklings, world = bench.inklings, bench.workspace
    inklings.channels.create(world.id, READERS_CHANNEL)
    add_four_clients(inklings, world.id, agent=LOOM)


def button(over: QWidget, name: str) -> QAbstractButton:
    """What can be pressed, by its name or its word."""
    shown = (one for one in over.findChildren(QAbstractButton) if not one.isHidden())
    return next(one for one in shown if name in {one.objectName(), one.text()})


def text_of(dialog: QDialog) -> str:
    """The configuration that can be copied from the help on connecting."""
    shown = dialog.findChild(QPlainTextEdit, "connectionText")
    return "" if shown is None else shown.toPlainText()


def table_of(view: AccessView) -> ClientTable:
    """The rows of the matrix."""
    found = view.findChild(ClientTable)
    assert found is not None
    return found


class AccessTab:
    """The tab in the window, while a test drives it."""

    def __init__(self, bench: WindowBench, control: ControlPage, view: AccessView) -> None:
        self.bench = bench
        self.control = control
        self.view = view

    @property
    def desk(self) -> AccessPage:
        """What joins it."""
        return access_of(self.control)

    @property
    def rows(self) -> dict[str, ClientRow]:
        """What the matrix says, by names of clients."""
        content = self.desk.content
        return {} if content is None else {one.name: one for one in content.rows}

    def badges(self, name: str) -> list[str]:
        """What the matrix says of a client, from the conversations outwards."""
        return [badge.text for badge in self.rows[name].badges]

    def choose(self, name: str) -> None:
        """Make a client current."""
        table_of(self.view).show_current(name)

    def press(self, name: str) -> None:
        """Press a button of the tab, by its name or its word."""
        button(self.view, name).click()

    def is_on(self, key: str) -> bool:
        """Whether a switch of the chosen client is on."""
        return button(self.view, f"right-{key}").isChecked()

    def switches(self) -> list[str]:
        """The keys of the switches on show."""
        names = (one.objectName() for one in self.view.findChildren(QAbstractButton))
        return [one.removeprefix("right-") for one in names if one.startswith("right-")]

    async def dialog(self, name: str) -> QDialog:
        """The dialog with this object name, once it is open."""
        found: list[QDialog] = []

        def is_open() -> bool:
            found[:] = [
                one
                for one in self.bench.window.findChildren(QDialog)
                if one.objectName() == name and one.isVisible()
            ]
            return bool(found)

        await self.bench.until(is_open)
        return found[0]


async def access_tab(bench: WindowBench) -> AccessTab:
    """Open the tab and wait until it shows its first answer."""
    bench.window.show_page(CONTROL_PAGE)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.control is not None)
    control, page = opened_root.control, control_view(bench.window)
    assert control is not None
    assert page is not None
    page.show_tab(ACCESS_TAB)
    await bench.until(lambda: access_of(control).content is not None)
    return AccessTab(bench, control, access_of(control).view)
