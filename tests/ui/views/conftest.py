"""Views that several files look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.ui.events.view import EventLogView
from tests.ui.views.event_log_scene import some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.kit.look.theme import Theme


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> Iterator[EventLogView]:
    view = EventLogView(theme)
    qtbot.addWidget(view)
    view.resize(1212, 700)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.show_content(some())
    yield view
    view.hide()
