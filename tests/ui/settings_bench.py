"""The Settings page over a real store, without the window around it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QMenu, QWidget
from qasync import QEventLoop

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.settings.page import SettingsPage
from tests.support.stopwatch import until
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.ui.page_bench import SaidToWindow
    from tests.ui.presenter_bench import Bench

SCENE_SECONDS = 30.0


@dataclass
class Settled:
    """The page on show, and what it says to its window."""

    page: SettingsPage
    said: SaidToWindow
    bench: Bench
    window: QMainWindow

    async def group(self, group_id: str, control: str = "") -> Any:
        """What leads a group, once it is on show."""
        self.page.arrive(ToSettings(group_id, control))
        await until(lambda: (made := self.page.group(group_id)) is not None and shown(made))
        return self.page.group(group_id)


def found(group: Any, name: str) -> Any:
    """A control of a group by its name."""
    control = group.view.findChild(QWidget, name)
    assert control is not None, name
    return control


def chosen(group: Any, name: str, offer: str = "") -> list[str]:
    """What the menu of a button offers; one of it is chosen, if it is named."""
    button = found(group, name)
    button.click()
    menu = button.findChildren(QMenu)[-1]
    offers = {one.text(): one for one in menu.actions()}
    if offer:
        offers[offer].trigger()
    menu.close()
    return list(offers)


def read(group: Any) -> list[str]:
    """What can be read on a group, label by label."""
    return [one.text() for one in group.view.findChildren(QLabel) if one.isVisible()]


def shown(group: Any) -> bool:
    """Whether a group is on show with an answer."""
    return bool(group.view.isVisible())


def settings_page(
    root: Path,
    scene: Callable[[Settled], Awaitable[None]],
    made: Callable[[Path], AbstractContextManager[Bench]] = a_bench,
    prepare: Callable[[Bench], None] = lambda _bench: None,
) -> None:
    """Show the page over an opened store until the scene ends."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    bugs: list[BaseException] = []

    async def played() -> None:
        background = Background(bugs.append)
        window = QMainWindow()
        theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
        theme.apply(app)
        context, said, unsubscribe = a_context(background, bench.inklings, theme, window)
        page = SettingsPage(context, window)
        window.setCentralWidget(page.view)
        window.resize(1220, 840)
        window.show()
        window.activateWindow()
        try:
            await page.open(bench.workspace.id)
            await asyncio.wait_for(scene(Settled(page, said, bench, window)), SCENE_SECONDS)
        finally:
            unsubscribe()
            await background.close()
            window.hide()
            window.deleteLater()

    with made(root) as bench:
        prepare(bench)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(played())
    assert bugs == []
