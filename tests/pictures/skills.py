"""A state of the tour on skills: one of those that are shipped, and a copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inklings_desktop.ui.kit.ops.page_spec import SKILLS_PAGE
from inklings_desktop.ui.skills.state import key_of
from inklings_desktop.ui.tour.tour import settle, until

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.skills.page import SkillsPage
    from inklings_desktop.ui.window.main_window import MainWindow

SHOWN = "continuity-check"


async def show_skills(_memory: MemoryPage, window: MainWindow) -> None:
    """What a skill is used for, what it is made of, and a dry run of it beside."""
    opened = window.opened
    assert opened is not None
    window.show_page(SKILLS_PAGE)
    await until(lambda: opened.pages.page(SKILLS_PAGE) is not None)
    page = cast("SkillsPage", opened.pages.page(SKILLS_PAGE))
    await until(lambda: page.content is not None and bool(page.content.skills))
    assert page.content is not None
    (skill,) = [one for one in page.content.skills if one.name == SHOWN]
    page.choose(key_of(skill))
    await until(lambda: page.current == key_of(skill))
    await settle()
