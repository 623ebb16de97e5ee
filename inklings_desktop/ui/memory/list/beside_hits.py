"""What says the searched words and is no hit: in archived rooms, paused, forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.lists.memory_rows import HeadingRow
from inklings_desktop.ui.kit.words.entry_facts import counted, grouped
from inklings_desktop.ui.kit.words.memory_lines import memory_rows
from inklings_desktop.ui.memory.list.content import Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.ui.kit.lists.memory_rows import Row
    from inklings_desktop.ui.kit.words.memory_lines import RowStyle
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.retrieval import SearchRequest


def beside_of(
    inklings: Inklings, lists: Sequence[tuple[ScopeKey, ...]], asked: SearchRequest
) -> Beside:
    """What stands beside the hits of a search; runs on a reader.

    Args:
        inklings: The opened data root; whoever looks through an agent's eyes is told of nothing.
        lists: The scope keys of each list that the search made.
        asked: What was looked for.
    """
    found = Beside()
    if inklings.caller.is_agent:
        return found
    for scopes in lists:
        archived = _archived_rooms(inklings, scopes)
        aside = inklings.search_set_aside(inklings.caller, (*scopes, *archived), asked)
        # By words alone: what is beside the hits need not be ranked against them.
        by_words = replace(asked, mode=SearchMode.KEYWORD)
        hits = inklings.search_memories(inklings.caller, archived, by_words).hits
        found = Beside(
            found.archived + tuple(hit.entry for hit in hits),
            found.paused + aside.paused,
            found.forgotten + aside.forgotten,
            found.is_complete and aside.is_complete,
        )
    return found


def beside_line(found: Beside) -> str:
    """``2 paused memories match too``; empty if there is nothing to tell."""
    parts = []
    if n := len(found.paused):
        one, many = _tr("1 paused memory"), _tr("{n} paused memories")
        parts.append(counted(n, one, many))
    if n := len(found.forgotten):
        one, many = _tr("1 forgotten memory"), _tr("{n} forgotten memories")
        if parts:
            one, many = _tr("1 forgotten"), _tr("{n} forgotten")
        parts.append(counted(n, one, many))
    if n := len(found.archived):
        one, many = _tr("1 memory in an archived room"), _tr("{n} memories in archived rooms")
        if parts:
            one, many = _tr("1 in an archived room"), _tr("{n} in archived rooms")
        parts.append(counted(n, one, many))
    if not parts:
        return ""
    *first, last = parts
    listed = _tr("{first} and {last}").format(first=", ".join(first), last=last) if first else last
    is_one = len(found.entries) == 1
    line = (_tr("{what} matches too") if is_one else _tr("{what} match too")).format(what=listed)
    return line if found.is_complete else _tr("{line}, among the latest").format(line=line)


def beside_rows(found: Beside, style: RowStyle) -> tuple[Row, ...]:
    """Each kind under a heading of its own, to stand below what was found."""
    parts = (
        ("archived", _tr("In archived rooms"), found.archived),
        ("paused", _tr("Paused: never retrieved until resumed"), found.paused),
        ("forgotten", _tr("Forgotten: never retrieved"), found.forgotten),
    )
    rows: tuple[Row, ...] = ()
    for key, title, entries in parts:
        if entries:
            rows += (HeadingRow(f"heading:{key}", title, grouped(len(entries))),)
            rows += memory_rows(entries, style)[0]
    return rows


def _archived_rooms(inklings: Inklings, scopes: Sequence[ScopeKey]) -> tuple[ScopeKey, ...]:
    """The archived rooms of a tier of which every open room is searched; none else."""
    workspace_id = scopes[0].workspace_id if scopes else None
    if workspace_id is None or scopes[0].tier is Tier.WORKSPACE:
        return ()
    caller, searched = inklings.caller, {scope.key for scope in scopes}
    place: Callable[[str, str], ScopeKey]
    if scopes[0].tier is Tier.CHANNEL:
        channels = inklings.list_channels(caller, workspace_id, include_archived=True)
        rooms = {one.id: one.archived_at is not None for one in channels}
        place = ScopeKey.channel
    else:
        talks = inklings.list_conversations(caller, workspace_id, include_archived=True)
        rooms = {one.id: one.state is ConversationState.ARCHIVED for one in talks}
        place = ScopeKey.conversation
    if not searched.issuperset(one for one, is_archived in rooms.items() if not is_archived):
        return ()  # one room alone is searched
    return tuple(
        place(workspace_id, one)
        for one, is_archived in rooms.items()
        if is_archived and one not in searched
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("beside_hits", text)
