"""What the dialog over a folder of skills shows; knows no widgets."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.skill_words import skill_rule
from inklings_desktop.ui.skills.words import files_words
from inklings_desktop.usecases.skills.folders import NEW, OWN, REFUSED, SAME, UPDATE

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.skills.folders import Preview

CAN_COME = frozenset({NEW, UPDATE})
"""States in which a skill can be brought in."""


@dataclass(frozen=True, slots=True)
class CatalogueState:
    """What is on show.

    Attributes:
        found: Every skill that was found; None while the folder is read.
        chosen: Places of those that are to be brought in.
        current: Place of the row that the keyboard is at.
        n_done: How many of those chosen have come in; None while none is under way.
        is_slow: Whether it goes on for so long that one wants to see how far it is.
    """

    place: Path
    found: tuple[Preview, ...] | None = None
    chosen: frozenset[str] = field(default_factory=frozenset)
    current: str = ""
    n_done: int | None = None
    is_slow: bool = False

    @property
    def wanted(self) -> tuple[Preview, ...]:
        """Those that are to be brought in, in order."""
        return tuple(one for one in self.found or () if str(one.place) in self.chosen)


def found_words(state: CatalogueState) -> str:
    """How many there are of each state, as a headline."""
    if state.found is None:
        return tr("Reading the folder\u2026")
    if not state.found:
        return tr("There is no skill in this folder.")
    n = {one: sum(each.state == one for each in state.found) for one in _badges()}
    said = [
        counted(n[NEW], "1 new", "{n} new"),
        counted(n[UPDATE], "1 changed", "{n} changed"),
        counted(n[SAME], "1 the same", "{n} the same"),
        counted(n[OWN], "1 yours", "{n} yours"),
        counted(n[REFUSED], "1 that cannot come in", "{n} that cannot come in"),
    ]
    return ", ".join(one for one, n_of in zip(said, n.values(), strict=True) if n_of)


def catalogue_rows(state: CatalogueState) -> tuple[BadgeRow, ...]:
    """Every skill with what it is beside what is here."""
    return tuple(_row(one, state) for one in state.found or ())


def _badges() -> dict[str, tuple[str, str]]:
    return {
        NEW: (tr("new"), "accent"),
        UPDATE: (tr("changed"), "ochre"),
        SAME: (tr("same"), "graphite"),
        OWN: (tr("yours"), "graphite"),
        REFUSED: (tr("refused"), "madder"),
    }


def _row(one: Preview, state: CatalogueState) -> BadgeRow:
    word, role = _badges()[one.state]
    meta = files_words(one)
    if one.refusal is not None:
        meta = skill_rule(one.refusal) or tr("It cannot be read.")
    elif one.state == OWN:
        meta = tr("You have a skill of this name. It is not changed.")
    key, title = str(one.place), "" if one.contents is None else one.contents.title
    return BadgeRow(
        key,
        title or one.name,
        f"{one.name}   {meta}" if title else meta,
        badge=word,
        role=role,
        is_remembered=False,
        description=one.contents.description if one.contents is not None else "",
        is_checked=key in state.chosen if one.state in CAN_COME else None,
    )


def bring_words(n: int) -> str:
    """What the button says that brings them in."""
    return counted(n, "Bring in 1 skill", "Bring in {n} skills") if n else tr("Bring in")
