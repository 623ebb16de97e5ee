"""Joins the rail to what it leads to: pages, channels, conversations, other workspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE, MEMORY_PAGE, RailMark
from inklings_desktop.ui.kit.page.destinations import ToConversation
from inklings_desktop.ui.kit.words.places import Place, room_state, talk_name
from inklings_desktop.ui.rail.model import (
    RailChannel,
    RailConversation,
    RailPage,
    RailSection,
)
from inklings_desktop.ui.rail.wishes import WorkspaceRow

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.ui.kit.ops.page_spec import PageSpec
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.rail.model import RailTop
    from inklings_desktop.ui.rail.pane import RailPane

CHANNELS_SECTION = "section:channels"
N_RECENT_CONVERSATIONS = 5
MORE = "more:"
"""Begins the id of the row that unfolds the other conversations of a channel."""


class Rail(QObject):
    """Keeps the rail true and leads to what a person chooses in it."""

    def __init__(
        self,
        rail: RailPane,
        shell: ShellPresenter,
        *,
        pages: Sequence[PageSpec],
        go: Callable[[Destination | str], None],
        offers_sample: bool,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._rail = rail
        self._shell = shell
        self._pages = pages
        self._go = go
        self._offers_sample = offers_sample
        self._page_id = MEMORY_PAGE
        self._marks: dict[str, RailMark] = {}
        self._talk_id = ""
        self._unfolded: set[str] = set()
        for changed in (shell.workspace_switched, shell.surroundings_changed):
            changed.connect(self._show_workspaces)
        for changed in (shell.workspace_switched, shell.surroundings_changed, shell.place_changed):
            changed.connect(self._refresh)
        shell.counted.connect(self._show_counts)
        rail.row_chosen.connect(self.show_row)

    def show_page(self, page_id: str) -> None:
        """Mark the page on show."""
        self._page_id = page_id
        self._refresh()

    def show_talk(self, talk_id: str) -> None:
        """Mark the conversation that stands on the Conversation page."""
        if talk_id != self._talk_id:
            self._talk_id = talk_id
            self._refresh()

    def mark(self, page_id: str, mark: RailMark) -> None:
        """Say what a page's row tells beside its name."""
        self._marks[page_id] = mark
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        here = self._shell.surroundings
        if here is None:
            return
        place, current = self._shell.place, self._page_id
        if current == CONVERSATION_PAGE and here.conversation(self._talk_id) is not None:
            place, current = Place(Tier.CONVERSATION, self._talk_id), self._talk_id
        elif current == MEMORY_PAGE:
            current = current_rail_id(place, is_looking=here.is_looking)
        rows = rail_rows(self._pages, here, place, self._marks, self._unfolded)
        self._rail.show_rows(rows, current)

    @Slot(object)
    def _show_counts(self, here: Surroundings) -> None:
        marks = {MEMORY_PAGE: _memories_mark(here)}
        for channel in (*here.channels, *here.archived_channels):
            marks[channel.id] = _channel_mark(here, channel)
        self._rail.model.show_counts(marks)

    @Slot(object)
    def _show_workspaces(self, here: Surroundings) -> None:
        self._rail.card.show_workspaces(
            [WorkspaceRow(one.id, one.name) for one in here.workspaces],
            here.workspace.id,
            offers_sample=self._offers_sample,
        )

    @Slot(str)
    def show_row(self, row_id: str) -> None:
        """Look at a page, or at a room, archived ones included."""
        here = self._shell.surroundings
        if here is None:
            return
        if row_id.startswith(MORE):
            self._unfolded.add(row_id.removeprefix(MORE))
            self._refresh()
        elif here.channel(row_id) is not None:
            self._go(MEMORY_PAGE)
            self._shell.go(Place(Tier.CHANNEL, row_id))
        elif here.conversation(row_id) is not None:
            if not here.is_looking:  # marked at once: who walks on by key begins from here
                self._page_id, self._talk_id = CONVERSATION_PAGE, row_id
            self._shell.go(Place(Tier.CONVERSATION, row_id))
            # Through a client's eyes there is nothing but memories to be seen of it.
            self._go(MEMORY_PAGE if here.is_looking else ToConversation(row_id))
        else:
            is_again = row_id == self._page_id == MEMORY_PAGE
            self._go(row_id)
            if is_again and self._shell.place.room is not None:
                self._shell.go(Place(self._shell.place.tier))


def rail_rows(
    pages: Sequence[PageSpec],
    here: Surroundings,
    place: Place,
    marks: Mapping[str, RailMark],
    unfolded: Container[str] = (),
) -> tuple[RailTop, ...]:
    """The rail for a place: pages, channels with the open one's conversations, control plane.

    Args:
        pages: Every page of the window.
        here: What the workspace holds.
        place: Where the person is looking.
        marks: What the rows of pages tell, by their ids.
        unfolded: Ids of the channels that show all of their conversations.
    """
    shown = [one for one in pages if not (one.is_authors and here.is_looking)]
    rows = [_page_row(one, here, marks.get(one.id)) for one in shown if not one.is_below_rooms]
    below = [_page_row(one, here, marks.get(one.id)) for one in shown if one.is_below_rooms]
    open_channel = here.channel_of(place)
    channels = tuple(
        RailChannel(
            channel.id,
            channel.name,
            (mark := _channel_mark(here, channel)).count or 0,
            tuple(_recent(here, channel.id, place, marks, all_of=channel.id in unfolded))
            if channel.id == open_channel
            else (),
            accessible_description=mark.told,
            is_archived=channel.archived_at is not None,
            is_unread=channel.id != open_channel and here.has_unread(channel.id),
        )
        for channel in _shown_channels(here, open_channel)
    )
    rooms = RailSection(
        CHANNELS_SECTION, tr("Channels"), channels, has_archived=here.has_archived_rooms
    )
    is_empty_view = here.is_looking and not channels  # through a client's eyes
    return (*rows, *(() if is_empty_view else (rooms,)), *below)


def _page_row(page: PageSpec, here: Surroundings, mark: RailMark | None) -> RailPage:
    if page.id == MEMORY_PAGE:
        mark = _memories_mark(here)
    mark = mark or RailMark(hint=page.hint, told=page.told)
    return RailPage(
        page.id,
        page.title,
        page.icon,
        mark.count,
        key_hint=mark.hint,
        short_hint=mark.short_hint,
        accessible_description=mark.told,
        adds="" if here.is_looking else page.adds,
    )


def current_rail_id(place: Place, *, is_looking: bool = False) -> str:
    """Which rail row leads to the memories of a place; a conversation's leads to its talk."""
    leads = is_looking or place.tier is Tier.CHANNEL
    return place.room if place.room and leads else MEMORY_PAGE


def _shown_channels(here: Surroundings, open_channel: str | None) -> Iterator[Channel]:
    """The open channels, and an archived one while a person looks at it."""
    yield from here.channels
    yield from (one for one in here.archived_channels if one.id == open_channel)


def _memories_mark(here: Surroundings) -> RailMark:
    total = sum(map(here.count, map(Place, Tier)))
    return RailMark(total, told=counted(total, "1 memory", "{n} memories"))


def _channel_mark(here: Surroundings, channel: Channel) -> RailMark:
    n = here.count(Place(Tier.CHANNEL, channel.id))
    words = counted(n, "1 channel memory", "{n} channel memories")
    if channel.archived_at is not None:
        words = tr("archived, {words}").format(words=words)
    return RailMark(n, told=words)


def _recent(
    here: Surroundings,
    channel_id: str,
    place: Place,
    marks: Mapping[str, RailMark],
    *,
    all_of: bool,
) -> Iterator[RailConversation]:
    rooms = [one for one in here.open_conversations if one.channel_id == channel_id]
    shown = rooms if all_of else rooms[:N_RECENT_CONVERSATIONS]
    chosen = here.conversation(place.room) if place.room else None
    if chosen is not None and chosen.channel_id == channel_id and chosen not in shown:
        shown.append(chosen)
    for room in shown:
        activity = marks[room.id].state if room.id in marks else ""
        is_unread = room.id in here.unread and room.id != place.room
        told = tr("{state} conversation").format(state=room_state(room.state.value))
        words = {"working": tr("the agent is working"), "waiting": tr("waiting for your answer")}
        more = words.get(activity) or (tr("unread") if is_unread else "")
        yield RailConversation(
            room.id,
            talk_name(room),
            room.state.value,
            accessible_description=f"{told}, {more}" if more else told,
            is_unread=is_unread,
            activity=activity,
        )
    if n_more := len(set(rooms) - set(shown)):
        told = counted(n_more, "1 more conversation", "{n} more conversations")
        yield RailConversation(f"{MORE}{channel_id}", tr("More"), "more", told)
