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
    from inklings_desktop.ui.kit.page.deciding import DecidingTab
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.words.word_marks import Spans
    from inklings_desktop.ui.world.changed_state import Clash

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
    return _card(
        text,
        part(TierMark, LOOK, how={"inked": inked, "role": role, "edge": 16}),
        link(tier_title(memory.scope.tier), partial(tab.context.go, ToMemory(memory))),
        *(words(one, "caption", way="plain") for one in facts),
        STRETCH,
        *ends,
    )


def _card(text: Part, *below: Inside) -> Part:
    line = across(*below, spacing=12)
    return plate(text, line, box=vbox, kind="card", margins=(16, 12, 16, 12), spacing=8)


def clash_parts(
    clash: Clash,
    now: datetime,
    tab: DecidingTab[Any],
    *,
    answer: Callable[[str], Callable[[], None]],
    open_page: Callable[[], None],
) -> tuple[Part, ...]:
    """Both texts, what they say otherwise marked; the buttons of ``tab`` act by ``answer``."""
    pair, acts = clash.pair, partial(tab.hinted, stores=True, enabled=not tab.is_deciding)
    mine, theirs = (
        part(_Compared, LOOK, name=name, said=said)
        for name, said in (
            ("firstText", (pair.first.content, clash.spans[0])),
            ("secondText", (pair.other_text, clash.spans[1])),
        )
    )
    right = acts(tr("This is right"), OTHER_RIGHT, answer(SECOND))
    ends: tuple[Part, ...] = ()
    if pair.second is not None:
        label, ends = tr("Another memory"), (acts(tr("This is right"), RIGHT, answer(FIRST)),)
        other = remembered(theirs, pair.second, now, tab, right)
        told = tr("If one is right, the other one is forgotten. You can restore it.")
    else:
        label, other = tr("What the page says"), _card(theirs, STRETCH, right)
        told = tr("If the page is right, the memory is forgotten. If not, change the page.")
    return (
        scrolling(
            across(link(tr("All changes"), tab.focus_list, visible=tab.is_narrow), STRETCH),
            _head(tr("What is remembered"), difference_words(pair.difference), "clashDifference"),
            remembered(mine, pair.first, now, tab, *ends),
            8,
            _head(label, "" if pair.page is None else pair.page.title, "clashPage"),
            other,
            8,
            words(told, "metaInk"),
            words(tr("Found by comparing words: only what is plain is found."), "caption"),
            STRETCH,
            margins=(SIDE, 20, SIDE, 20),
            spacing=8,
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
            place=(1,),
            key="clash",
        ),
        hairline(),
        plate(
            acts(tr("Later"), WAITS, answer(LATER), kind="quiet", glyph="clock"),
            STRETCH,
            tab.hinted(
                *(tr("Open page"), OPEN, open_page),
                glyph="arrow-square-out",
                visible=pair.page is not None,
            ),
            acts(tr("Both are right"), HOLDS, answer(BOTH)),
            margins=(SIDE, 0, SIDE, 0),
            spacing=8,
            dress=sized(fixedHeight=FOOT),
            key="clashFoot",
        ),
    )


def _head(label: str, told: str, name: str) -> Part:
    told_of = words(told, "caption", way="plain", name=name)
    return across(words(label, "label", way="plain"), STRETCH, told_of)


class _Compared(MarkedText):
    def show_said(self, said: tuple[str, Spans]) -> None:
        """Show a text, some of its words marked."""
        self.show_text(*said, n_beside=2)
