from __future__ import annotations

import runpy

from tests.architecture.contract_report import REPOSITORY

DRAWING = runpy.run_path(str(REPOSITORY / "packaging" / "draw_house.py"))


def test_the_drawing_of_the_house_is_of_this_house() -> None:
    page = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert DRAWING["drawn"](page) == page
    assert "  ui.window --> ui.memory\n" in page


def test_what_follows_from_two_arrows_is_not_drawn() -> None:
    imports = {"door": {"verb", "word"}, "verb": {"word"}, "word": set[str]()}
    assert DRAWING["nearest"]("door", imports) == {"verb"}
    assert DRAWING["package_of"](("ui", "memory", "list", "rows")) == "ui.memory"
    assert DRAWING["package_of"](("ui", "__init__")) == ""
