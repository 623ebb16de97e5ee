"""The cards of the Memory group: rates as a table, and what other rates would change."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMargins, Qt

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.settings import SETTINGS
from inklings_desktop.ui.kit.controls.number_field import NumberField
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    choice,
    grid,
    hairline,
    link,
    mark,
    plate,
    slider,
    switch,
    wide,
    words,
)
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.ui.settings.memory.state import (
    FADING_CONVERSATION,
    HIGHEST,
    LOWEST,
    N_STEPS,
    WEEK_HOURS,
    LineFacts,
    band_words,
    golden_lines,
    golden_words,
    half_life_words,
    left_after,
    move_line,
    rate_of,
    rate_words,
    share_words,
    step_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from PySide6.QtWidgets import QGridLayout

    from inklings_desktop.domain.background.golden import GoldenComparison
    from inklings_desktop.domain.rooms.rehearsal import Rehearsal, TierShift
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.settings.memory.state import Rates

_HEAD, _ROW = 30, 38
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WEEK_COLUMN = 4
_FIGURES = {3: 148, 4: 108, 5: 104}


class RateField(NumberField):
    """Shows a rate with as many decimals as it needs."""

    px = 68

    def figure(self, number: float) -> str:
        return rate_words(number)

    def rule(self) -> str:
        return tr("A rate is above 0 and at most 1.")


def rates_card(
    rates: Rates,
    shifts: Mapping[Tier, TierShift],
    wanted: Callable[[Tier, float], object],
    *,
    narrow: bool,
) -> Part:
    """One line for each tier.

    Args:
        rates: What is tried beside what holds.
        shifts: How many memories have all but faded, and would have.
        wanted: Tries a rate for a tier.
        narrow: Whether what explains is left out, for want of room.
    """
    cells = [*_head(narrow=narrow)]
    for number, tier in enumerate(Tier):
        cells += _tier_line(2 * number + 1, tier, rates, shifts.get(tier), wanted, narrow=narrow)
    measured = partial(_measure, narrow)
    return plate(
        grid(*cells, stretch=1, gap=16, side=18, dress=measured), box=vbox, kind="card", spacing=0
    )


def _head(*, narrow: bool) -> Iterator[Part]:
    names = (
        tr("Tier"),
        tr("Kept each hour"),
        tr("Rate"),
        tr("Half gone in"),
        tr("After 7 days"),
        tr("Below 0.01"),
    )
    for column, name in enumerate(names):
        side = Qt.AlignmentFlag.AlignVCenter if column < 2 else _RIGHT  # noqa: PLR2004 - names
        is_shown = not (narrow and column == _WEEK_COLUMN)
        yield words(name, "label", way="plain", visible=is_shown, place=(0, column, side))


def _tier_line(
    number: int,
    tier: Tier,
    rates: Rates,
    shift: TierShift | None,
    wanted: Callable[[Tier, float], object],
    *,
    narrow: bool,
) -> Iterator[Part]:
    now, was = rates.wanted.rate(tier), rates.saved.rate(tier)
    is_talk, fades = tier is Tier.CONVERSATION, now < 1.0
    title, told = tier_title(tier), _told(now, was)
    inked, role = TIER_MARKS[tier]
    tier_mark = part(TierMark, LOOK, how={"inked": inked, "role": role})
    yield hairline(place=(number, 0, 1, 6))
    yield across(
        tier_mark,
        words(title, "bodyStrong", way="plain"),
        STRETCH,
        spacing=9,
        place=(number + 1, 0),
    )
    if is_talk:
        still = words(
            tr("No decay; cleared or summed up at close"),
            way="elided",
            visible=not (fades or narrow),
            place=(100,),
        )
        control = switch(
            tr("Conversation memories fade"),
            name="rateConversation",
            on=fades,
            wanted=lambda on: wanted(tier, FADING_CONVERSATION if on else 1.0),
        )
        yield across(control, still, STRETCH, spacing=10, place=(number + 1, 1))
    else:
        low, high = (
            words(decimal(end, 3), "caption", way="plain", visible=not narrow)
            for end in (LOWEST, HIGHEST)
        )
        control = slider(
            (0, N_STEPS),
            role=role,
            now=step_of(now),
            name=f"rate{tier.capitalize()}",
            spoken=tr("{tier}, kept each hour").format(tier=title),
            accessibleDescription=told,
            moved=lambda step, _is_held: wanted(tier, rate_of(step)),
            place=(1,),
        )
        yield across(low, control, high, spacing=8, place=(number + 1, 1))
    yield part(
        RateField,
        LOOK,
        tr("{tier}, rate").format(tier=title),
        SETTINGS[f"decay.{tier}"],
        name=f"field{tier.capitalize()}",
        toolTip=tr("Above 0, up to 1; 1 never fades"),
        told=told,
        number=now,
        visible=fades or not is_talk,
        number_typed=lambda rate: wanted(tier, rate),
        place=(number + 1, 2, _RIGHT),
    )
    yield _figure(half_life_words(now), half_life_words(was), place=(number + 1, 3))
    now_left, was_left = (share_words(left_after(rate, WEEK_HOURS)) for rate in (now, was))
    yield _figure(now_left, was_left, visible=not narrow, place=(number + 1, _WEEK_COLUMN))
    gone = ("", "", "")
    if shift is not None:
        of_all = tr("{n} of {total}")
        then, today = (
            of_all.format(n=n, total=shift.n_active) for n in (shift.n_gone_then, shift.n_gone)
        )
        gone = then, today, str(shift.n_gone)
    yield _figure(*gone, place=(number + 1, 5))
    if is_talk:
        yield words(
            tr("off"), "metaInk", way="plain", visible=not fades, place=(number + 1, 2, _RIGHT)
        )


def _figure(now: str, was: str, short: str = "", **said: Any) -> Part:
    """A figure; while it reads other than what holds, it is bold and says what it was."""
    is_other = now != was
    before = tr(", was {figure}").format(figure=short or was) if is_other else ""
    return plate(
        STRETCH,
        words(now, way="plain", visible=not is_other),
        words(now, "metaStrong", way="plain", visible=is_other),
        words(before, way="plain", visible=is_other),
        spacing=0,
        **said,
    )


def _told(now: float, was: float) -> str:
    told = tr("{rate}, half gone in {half}").format(rate=rate_words(now), half=half_life_words(now))
    if now == was:
        return told
    return tr("{told}, was {was}").format(told=told, was=rate_words(was))


def _measure(narrow: bool, made: QGridLayout, theme: Theme) -> None:  # noqa: FBT001 - bound
    for number in range(0, made.rowCount(), 2):
        made.setRowMinimumHeight(number, theme.scaled(_ROW if number else _HEAD))
    for column, width in _FIGURES.items():  # so that no figure moves what stands beside it
        is_out = narrow and column == _WEEK_COLUMN
        made.setColumnMinimumWidth(column, 0 if is_out else theme.scaled(width))


_FIRST = 3
_MOST = 60
_BADGE = 86
_SIDE = 18


class Shown(StrEnum):
    """What the card lists."""

    ORIENTATION = "orientation"
    GOLDEN = "golden"


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What is known of other rates.

    Attributes:
        is_changed: Whether other rates than those that hold are tried.
        found: What would enter and leave; None until it is found out.
        golden: How golden questions would fare; None until they were asked.
        shown: What is listed.
        shows_all: Whether all of it is.
    """

    is_changed: bool = False
    found: Rehearsal | None = None
    golden: GoldenComparison | None = None
    shown: Shown = Shown.ORIENTATION
    shows_all: bool = False

    @property
    def lines(self) -> list[LineFacts]:
        """What can be listed."""
        if self.shown is Shown.GOLDEN:
            return golden_lines(self.golden) if self.golden is not None else []
        return [move_line(one) for one in self.found.moves] if self.found is not None else []

    @property
    def lacks_golden(self) -> bool:
        """Whether golden questions are listed, and there are none."""
        golden = self.golden
        return self.shown is Shown.GOLDEN and golden is not None and not golden.after


def rehearsal_card(
    now: Rehearsed, listed: Callable[[str], object], more_wanted: Callable[[], object], **said: Any
) -> Part:
    """Rows of what enters and leaves; a foot that says how much changes, and the light."""
    lines = now.lines
    rows = (
        one
        for line in lines[: _MOST if now.shows_all else _FIRST]
        for one in (_line(line), hairline())
    )
    state = _state_words(now, has_lines=bool(lines))
    more = tr("Show fewer") if now.shows_all else tr("See all {n}")
    more = tr("Golden questions\u2026") if now.lacks_golden else more
    bands = tr("Nothing is saved by a rehearsal.")
    if now.found is not None:
        bands = tr("Nothing is saved yet. {bands}").format(bands=band_words(now.found))
    light = golden_words(now.golden) if now.golden is not None else ("", "inkSoft", "")
    is_inked, has_light = light[1] != "inkSoft", now.golden is not None
    return plate(
        across(
            words(tr("Rehearsal"), "tab", way="plain"),
            STRETCH,
            choice(
                tr("What is rehearsed"),
                Segment(Shown.ORIENTATION, tr("Orientation")),
                Segment(Shown.GOLDEN, tr("Golden questions")),
                name="rehearsed",
                now=now.shown,
                wanted=listed,
            ),
            margins=(_SIDE, 12, _SIDE, 10),
        ),
        hairline(),
        words(state, visible=bool(state), contentsMargins=QMargins(_SIDE, 14, _SIDE, 14)),
        below(*rows, spacing=0),
        STRETCH,
        hairline(),
        across(
            below(
                words(bands, "metaInk", way="plain"),
                mark(*light, inked=is_inked, wraps=True, name="light", visible=has_light),
                spacing=4,
                place=(1,),
            ),
            link(
                more.format(n=len(lines)),
                more_wanted,
                name="more",
                visible=len(lines) > _FIRST or now.lacks_golden,
            ),
            margins=(_SIDE, 10, _SIDE, 12),
        ),
        box=vbox,
        kind="card",
        spacing=0,
        name="rehearsal",
        spoken=tr("Rehearsal"),
        **said,
    )


def _state_words(now: Rehearsed, *, has_lines: bool) -> str:
    if not now.is_changed:
        return tr("Move a rate to see what an agent would gain or lose.")
    if now.shown is Shown.ORIENTATION:
        if now.found is None:
            return tr("Rehearsing\u2026")
        return "" if has_lines else tr("Nothing enters or leaves.")
    if now.golden is None:
        return tr("Asking the golden questions\u2026")
    return "" if has_lines else tr("No golden questions yet. Keep one, and it is asked here.")


def _line(line: LineFacts) -> Part:
    """A badge at the left; a text, and what follows from it below."""
    told = words(line.text, "begins", way="elided"), words(line.told, way="elided")
    return plate(
        mark(line.icon, line.role, line.badge, dress=wide(_BADGE)),
        below(*told, spacing=2, place=(1,)),
        margins=(_SIDE, 8, _SIDE, 8),
        spacing=8,
        spoken=f"{line.badge}: {line.text}, {line.told}",
    )
