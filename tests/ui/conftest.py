"""A theme for everything that paints; offscreen, in the light scheme."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


# What these assert shows both sides when it fails, as in the tests that call them.
pytest.register_assert_rewrite(
    "tests.ui.keyboard_memory", "tests.ui.keyboard_pages", "tests.ui.keyboard_window"
)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(SchemeChoice.LIGHT, reduced_motion=False)
