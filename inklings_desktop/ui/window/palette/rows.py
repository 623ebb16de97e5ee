"""What the command palette offers for what is typed, as Qt sees it; pure but for the model."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.window.palette.likeness import likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtCore import QObject

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.ui.kit.words.places import Surroundings


@dataclass(frozen=True, slots=True)
class PaletteHeading:
    """The name of a section."""

    text: str

    @property
    def key(self) -> str:
        """Tells it apart."""
        return f"heading:{self.text}"


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One thing to go to or to do; every text is final.

    Attributes:
        key: Kind and id, such as ``channel:0f3c``; unique in the list.
        text: What it is called, or the beginning of a memory.
        spans: Start and length of what matches in the text.
        icon: Name of its icon; a memory has the rings of its tier instead.
        rings: How many rings are inked; 0 shows the icon.
        role: Colour role of icon or rings.
        hint: What it is, at the right.
        keys: Keys at the right, in place of the hint.
        is_memory: Set in the reading face.
        also: Other words that it may be looked for by; they are not shown.
    """

    key: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    icon: str = ""
    rings: int = 0
    role: str = "inkSoft"
    hint: str = ""
    keys: str = ""
    is_memory: bool = False
    also: str = ""


PaletteRow = PaletteHeading | PaletteItem


class PaletteModel(RowListModel[PaletteRow]):
    """Sections and their rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("key"), parent, text=attrgetter("text"), description=_description
        )

    def is_heading(self, row: PaletteRow) -> bool:
        """Whether a row only names those below it."""
        return isinstance(row, PaletteHeading)


def _description(row: PaletteRow) -> str:
    return "" if isinstance(row, PaletteHeading) else row.hint or row.keys


COMMANDS_PREFIX, CHANNELS_PREFIX, ENTRIES_PREFIX = ">", "#", "@"
MOST_ROWS = 10
N_RECENT = 3
_MOST_MEMORIES = 3
_MOST_PLACES = 4
_NAMED_WELL = 2.0
"""From this likeness on something was meant by its name, and stands before what only says it."""
_NOT_SHOWN = 1.0
"""What is meant by words that are not its name stands below what is named by them."""
_NO_HIT = 0.25
"""What no search finds stands below any place of that name, and above what can be done."""


@dataclass(frozen=True, slots=True)
class PaletteKnown:
    """Everything that can be gone to or done, apart from memories.

    Attributes:
        commands: What can be done now.
        pages: Pages of the window.
        inside: What stands on pages: tabs and the like.
        recent: Keys of what was gone to or done last, the latest first.
        here: The open workspace; None while none is open.
        entries: Named entries.
        filters: Saved filters.
        tags: Tags of the tier on show, with how many memories have each.
    """

    commands: tuple[PaletteItem, ...] = ()
    pages: tuple[PaletteItem, ...] = ()
    inside: tuple[PaletteItem, ...] = ()
    recent: tuple[str, ...] = ()
    here: Surroundings | None = None
    entries: tuple[NamedEntry, ...] = ()
    filters: tuple[SavedFilter, ...] = ()
    tags: tuple[tuple[str, int], ...] = ()


def palette_rows(
    typed: str,
    known: PaletteKnown,
    memories: Sequence[PaletteItem] = (),
    set_aside: str = "",
) -> tuple[PaletteRow, ...]:
    """Sections for what is typed, at most ten rows besides their headings.

    Args:
        typed: As it stands in the field.
        known: What there is.
        memories: What the search found so far, best first.
        set_aside: A sentence about what matches and is no hit; empty for nothing.
    """
    text = typed.strip()
    prefix, rest = text[:1], text[1:].strip()
    if prefix == COMMANDS_PREFIX:
        return _section(tr("Run"), [one for _, one in _ranked(rest, known.commands)])
    if prefix == CHANNELS_PREFIX:
        return _section(tr("Channels"), [one for _, one in _ranked(rest, _channels(known))])
    if prefix == ENTRIES_PREFIX:
        return _section(tr("Named entries"), [one for _, one in _ranked(rest, _entries(known))])
    if not text:
        return _unasked(known)
    return _asked(text, known, memories, set_aside)


def _unasked(known: PaletteKnown) -> tuple[PaletteRow, ...]:
    """Pages, the one left last first, and the commands used last."""
    order = {key: place for place, key in enumerate(known.recent)}
    pages = sorted(known.pages, key=lambda one: order.get(one.key, len(order)))
    by_key = {one.key: one for one in known.commands}
    used = [by_key[key] for key in known.recent if key in by_key]
    heading = tr("Used last") if used else tr("Run")
    commands = used or list(known.commands)
    return (*_section(tr("Go to"), pages), *_section(heading, commands[:N_RECENT]))


def _asked(
    text: str, known: PaletteKnown, memories: Sequence[PaletteItem], set_aside: str
) -> tuple[PaletteRow, ...]:
    places = _ranked(text, _places(known))[:_MOST_PLACES]
    commands = _ranked(text, known.commands)
    found = list(memories[:_MOST_MEMORIES])
    how_well = 1.0 if found else _NO_HIT
    if set_aside:
        found.append(_set_aside(set_aside))
    with_text = _with_text(text, known)
    room = MOST_ROWS - len(found) - len(places) - len(with_text)
    sections = [
        (_best(places, 0.5), tr("Go to"), [one for _, one in places]),
        (_best(commands, 0.0), tr("Run"), [one for _, one in commands[: max(room, 1)]]),
        (how_well, tr("Memories"), found),
    ]
    rows: list[PaletteRow] = []
    for _, heading, items in sorted(sections, key=lambda one: -one[0]):
        rows += _section(heading, items)
    rows += _section(tr("With these words"), with_text)
    return tuple(rows)


def _best(ranked: Sequence[tuple[float, PaletteItem]], weak: float) -> float:
    """How far up a section belongs: above the memories only when it is meant by name."""
    if not ranked:
        return -1.0
    return ranked[0][0] if ranked[0][0] >= _NAMED_WELL else weak


def _ranked(text: str, items: Iterable[PaletteItem]) -> list[tuple[float, PaletteItem]]:
    """What the text names, the best first."""
    found = []
    for one in items:
        how = likeness(text, one.text)
        if how is not None:
            found.append((how.score, replace(one, spans=how.spans)))
        elif one.also and (how := likeness(text, f"{one.text} {one.also}")) is not None:
            found.append((how.score - _NOT_SHOWN, one))
    found.sort(key=lambda pair: -pair[0])
    return found


def _section(heading: str, items: Sequence[PaletteItem]) -> tuple[PaletteRow, ...]:
    return (PaletteHeading(heading), *items[:MOST_ROWS]) if items else ()


def _places(known: PaletteKnown) -> Iterator[PaletteItem]:
    yield from known.pages
    yield from known.inside
    yield from _channels(known)
    here = known.here
    if here is not None:
        for room in here.conversations:
            is_archived = room.state is ConversationState.ARCHIVED
            hint = tr("archived conversation") if is_archived else tr("conversation")
            name = room.title or room.ref_code
            yield PaletteItem(f"conversation:{room.id}", name, icon="chat-circle", hint=hint)
    yield from _entries(known)
    for saved in known.filters:
        yield PaletteItem(
            f"filter:{saved.id}",
            spelled_out(saved.name),
            icon="funnel",
            hint=tr("saved filter"),
        )
    if here is not None:
        for one in here.workspaces:
            if one.id != here.workspace.id:
                hint = tr("workspace")
                yield PaletteItem(f"workspace:{one.id}", one.name, icon="waves", hint=hint)
    for tag, count in known.tags:
        yield PaletteItem(
            f"tag:{tag}",
            tr("Everything tagged {tag}").format(tag=spelled_out(tag)),
            icon="tag-simple",
            hint=counted(count, "1 memory", "{n} memories"),
        )


def _channels(known: PaletteKnown) -> Iterator[PaletteItem]:
    if known.here is not None:
        for channel in known.here.channels:
            hint = tr("channel")
            yield PaletteItem(f"channel:{channel.id}", channel.name, icon="hash", hint=hint)


def _entries(known: PaletteKnown) -> Iterator[PaletteItem]:
    for entry in known.entries:
        rings, role = TIER_MARKS[entry.ref.tier]
        hint = tr("named entry")
        yield PaletteItem(f"entry:{entry.id}", entry.name, rings=rings, role=role, hint=hint)


def _set_aside(line: str) -> PaletteItem:
    return PaletteItem("do:aside", line, icon="eye-slash", hint=tr("Show them"))


def _new_memory(text: str) -> PaletteItem:
    return PaletteItem(
        "do:new", tr("New memory about \u201c{text}\u201d").format(text=text), icon="plus"
    )


def _with_text(text: str, known: PaletteKnown) -> list[PaletteItem]:
    """What can be done with the words themselves."""
    if known.here is None:
        return []
    text = spelled_out(text)
    return [
        PaletteItem(
            "do:filter",
            tr("Search memories for \u201c{text}\u201d").format(text=text),
            icon="magnifying-glass",
            keys="/",
        ),
        *([] if known.here.is_looking else [_new_memory(text)]),
        PaletteItem(
            "do:preview",
            tr("Preview the next turn with \u201c{text}\u201d").format(text=text),
            icon="eye",
        ),
    ]
