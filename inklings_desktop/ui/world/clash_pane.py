"""The detail of two texts that do not agree: each beside what the other says, and the answers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToMemory
from inklings_desktop.ui.kit.page.parts import (
    across,
    hairline,
    link,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.words.memory_facts import (
    age_label,
    curator_label,
    importance_figure,
    lifetime_label,
    reads_label,
    tier_title,
)
from inklings_desktop.ui.world.changed_state import difference_words
from inklings_desktop.usecases.world.contradictions import BOTH, FIRST, LATER, SECOND

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.words.word_marks import Spans
    from inklings_desktop.ui.world.changed_state import Clash
    from inklings_desktop.ui.world.deciding_tab import DecidingTab

RIGHT, OTHER_RIGHT, HOLDS, WAITS, OPEN = "1", "2", "B", "L", "O"
SIDE, FOOT = 28, 60


def remembered(
    text: Part, memory: MemoryEntry, now: datetime, tab: DecidingTab[Any], *ends: Inside
) -> Part:
    """A memory as reading matter, its facts, and what stands at the end of them."""
    inked, role = TIER_MARKS[memory.scope.tier]
    facts = (
        curator_label(memory.curator),
        lifetime_label(memory.lifetime),
        age_label(memory.created_at, now),
        reads_label(memory.access_count),
        tr("importance {n}").format(n=importance_figure(memory.importance)),
    )
    opens = partial(tab.context.go, ToMemory(memory))
    return plate(
        text,
        across(
            part(TierMark, LOOK, how={"inked": inked, "role": role, "edge": 16}),
            link(tier_title(memory.scope.tier), opens),
            *(words(one, "caption", way="plain") for one in facts),
            STRETCH,
            *ends,
            spacing=12,
        ),
        box=vbox,
        kind="card",
        margins=(16, 12, 16, 12),
        spacing=8,
    )


def clash_parts(
    clash: Clash,
    now: datetime,
    tab: DecidingTab[Any],
    *,
    answer: Callable[[str], Callable[[], None]],
    open_page: Callable[[], None],
) -> tuple[Part, ...]:
    """Both texts, what they say otherwise marked, and what can be answered.

    Args:
        clash: The two.
        now: Ages are counted up to here.
        tab: Makes the buttons.
        answer: What a button does that decides so.
        open_page: Shows the page, where one of them is of a page.
    """
    pair, can_answer = clash.pair, not tab.is_deciding
    is_right = partial(tab.hinted, tr("This is right"), stores=True, enabled=can_answer)
    mine, theirs = clash.spans
    other: tuple[Part, ...]
    if pair.second is not None:
        other = (
            words(tr("Another memory"), "label", way="plain"),
            remembered(
                _text("secondText", pair.second.content, theirs),
                *(pair.second, now, tab),
                is_right(OTHER_RIGHT, answer(SECOND)),
            ),
        )
        told = tr("If one is right, the other one is forgotten. You can restore it.")
    else:
        other = (
            across(
                words(tr("What the page says"), "label", way="plain"),
                STRETCH,
                words(clash.other, "metaInk", way="elided", name="clashPage"),
            ),
            plate(
                _text("secondText", pair.other_text, theirs),
                across(STRETCH, is_right(OTHER_RIGHT, answer(SECOND))),
                box=vbox,
                kind="card",
                margins=(16, 12, 16, 12),
                spacing=8,
            ),
        )
        told = tr(
            "If the page is right, the memory is forgotten. If the memory is right, change the "
            "page."
        )
    first = () if pair.second is None else (is_right(RIGHT, answer(FIRST)),)
    return (
        scrolling(
            across(link(tr("All changes"), tab.focus_list, visible=tab.is_narrow), STRETCH),
            across(
                words(tr("What is remembered"), "label", way="plain"),
                STRETCH,
                words(difference_words(pair.difference), "caption", name="clashDifference"),
            ),
            remembered(_text("firstText", pair.first.content, mine), pair.first, now, tab, *first),
            8,
            *other,
            8,
            words(told, "metaInk"),
            words(
                tr(
                    "Found by comparing words. What contradicts itself in other words is not found."
                ),
                "caption",
            ),
            STRETCH,
            margins=(SIDE, 20, SIDE, 20),
            spacing=8,
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
            place=(1,),
            key="clash",
        ),
        hairline(),
        plate(
            tab.hinted(
                *(tr("Later"), WAITS, answer(LATER)),
                kind="quiet",
                glyph="clock",
                stores=True,
                enabled=can_answer,
            ),
            STRETCH,
            tab.hinted(
                *(tr("Open page"), OPEN, open_page),
                glyph="arrow-square-out",
                visible=pair.page is not None,
            ),
            tab.hinted(
                *(tr("Both hold"), HOLDS, answer(BOTH)),
                stores=True,
                enabled=can_answer,
            ),
            margins=(SIDE, 0, SIDE, 0),
            spacing=8,
            dress=sized(fixedHeight=FOOT),
            key="clashFoot",
        ),
    )


class _Compared(MarkedText):
    def show_said(self, said: tuple[str, Spans]) -> None:
        """Show a text, some of its words marked."""
        self.show_text(*said, n_beside=2)


def _text(name: str, text: str, spans: Spans) -> Part:
    return part(_Compared, LOOK, name=name, said=(text, spans))
