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
from inklings_desktop.ui.kit.words.places import talk_name

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
    commands = _ranked(text, known.commands)
    found = list(memories[:_MOST_MEMORIES])
    how_well = 1.0 if found else _NO_HIT
    if set_aside:
        found.append(_set_aside(set_aside))
    with_text = _with_text(text, known)
    room = MOST_ROWS - len(found) - len(with_text)
    places = _ranked(text, _places(known))[: min(_MOST_PLACES, room - bool(commands))]
    room -= len(places)
    sections = [
        (_best(places, 0.5), tr("Go to"), [one for _, one in places]),
        (_best(commands, 0.0), tr("Run"), [one for _, one in commands[:room]]),
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
            name = talk_name(room)
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


_LONGEST = 40
_LETTER, _NEXT, _WORD, _FIRST = 1.0, 1.0, 2.0, 1.0
_GAP = 1.5
_LENGTH = 0.01
_TURNED = 0.5
"""What words in another order than that of the name count less."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a text matches what was typed.

    Attributes:
        score: More is better; comparable between texts for one typed word.
        spans: Start and length of the letters that were found, from the left.
    """

    score: float
    spans: tuple[tuple[int, int], ...] = ()


def likeness(typed: str, text: str) -> Likeness | None:
    """How well the typed letters name a text; None when they do not.

    The letters must come in order, or those of each word: ``dark theme`` names ``Theme: Dark`` as
    well, if not as well as ``theme dark``. Those that begin a word or follow the letter before
    count most, and letters scattered inside words count so little that they are no match in the
    end.

    Args:
        typed: Anything; blanks and case do not matter.
        text: A name.
    """
    whole = _in_order(typed, text)
    words = typed.split()
    if whole is not None or len(words) == 1:
        return whole
    each = [found for word in words if (found := _in_order(word, text)) is not None]
    if len(each) < len(words):
        return None
    spans = tuple(sorted({span for found in each for span in found.spans}))
    return Likeness(sum(found.score for found in each) / len(each) - _TURNED, spans)


def _in_order(typed: str, text: str) -> Likeness | None:
    wanted = [one for one in typed.casefold()[:_LONGEST] if not one.isspace()]
    if not wanted:
        return Likeness(0.0)
    letters = [one.casefold()[:1] for one in text]
    starts = [place for place, one in enumerate(letters) if one == wanted[0]]
    tries = (found for start in starts if (found := _from(wanted, letters, start)) is not None)
    best = max(tries, key=lambda found: found[0], default=None)
    if best is None or best[0] < len(wanted) * _LETTER:
        return None
    score, places = best
    return Likeness(score / len(wanted) - len(text) * _LENGTH, _spans(places))


def _from(wanted: list[str], letters: list[str], start: int) -> tuple[float, list[int]] | None:
    """Score and places when the first letter stands here."""
    places = [start]
    score = _LETTER + (_WORD if _begins_word(letters, start) else 0.0)
    score += _FIRST if start == 0 else 0.0
    if not _begins_word(letters, start):
        # In the middle of a word only letters that stand together are meant.
        is_whole = letters[start : start + len(wanted)] == wanted
        end = start + len(wanted)
        return (score + 2 * _LETTER * (len(wanted) - 1), [*range(start, end)]) if is_whole else None
    n_scattered, is_further = 0, False
    for number, letter in enumerate(wanted[1:], start=1):
        here = places[-1] + 1
        if here < len(letters) and letters[here] == letter:
            places.append(here)
            score += _LETTER + _NEXT
            continue
        later = [at for at in range(here, len(letters)) if letters[at] == letter]
        at = next((one for one in later if _begins_word(letters, one)), None)
        if at is None or not _holds(wanted[number + 1 :], letters, at + 1):
            at = later[0] if later else None
        if at is None:
            return None
        n_scattered += not _begins_word(letters, at)
        is_further = is_further or _begins_word(letters, at)
        if n_scattered > 1 and is_further:
            return None  # letters here and there in several words name anything
        places.append(at)
        score += _LETTER + (_WORD - _NEXT if _begins_word(letters, at) else -_GAP)
    return score, places


def _holds(wanted: list[str], letters: list[str], start: int) -> bool:
    """Whether the letters follow in order."""
    rest = iter(letters[start:])
    return all(letter in rest for letter in wanted)


def _begins_word(letters: list[str], at: int) -> bool:
    return at == 0 or not letters[at - 1].isalnum()


def _spans(places: list[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for place in places:
        if spans and spans[-1][0] + spans[-1][1] == place:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((place, 1))
    return tuple(spans)
