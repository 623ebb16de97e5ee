"""What surrounds the list: the open workspace, its rooms, and how much each holds."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    InklingsError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.kit.words.places import BEGINNING, Place, Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings


class ShellPresenter(QObject):
    """Knows which workspace is open and what it holds; knows no widgets.

    Attributes:
        surroundings: What is known of the open workspace; None until it has been opened.
        place: Where the person is looking; ``go`` changes it.
        damaged_at_first: Why an earlier workspace was passed over when the data was opened.

    Signals:
        surroundings_changed: ``Surroundings`` with another room, or another workspace beside it.
        counted: The same ``Surroundings`` but for how much each place holds.
        place_changed: The ``Place`` that is on show now.
        workspace_switched: The ``Surroundings`` of another workspace; nothing carries over.
        workspace_lost: The open ``Workspace``, which nobody here deleted, is not there any more;
            whoever hears it goes on with another one.
        message_raised: A ``Message`` when something failed.
    """

    surroundings_changed = Signal(object)
    counted = Signal(object)
    place_changed = Signal(object)
    workspace_switched = Signal(object)
    workspace_lost = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._refreshing = Latest(background)
        self.surroundings: Surroundings | None = None
        self.place = BEGINNING
        self._leaving: str | None = None
        self._must_look_around = False
        self.damaged_at_first: DatabaseCorruptError | None = None

    def go(self, place: Place) -> None:
        """Look somewhere else."""
        if place != self.place:
            self.place = place
            self.place_changed.emit(place)

    async def open_first(self, workspace_id: str | None, place: Place = BEGINNING) -> None:
        """Open this workspace or else the oldest that can be read; what cannot be is said.

        Damage is noted in ``damaged_at_first`` instead: a banner stands for as long as it lasts.

        Args:
            workspace_id: The one that is wanted; None or empty for any.
            place: Where in it to look, if it is opened and holds that.

        Raises:
            InklingsError: Not one of them can be read.
        """
        found, refused = await self._background.read(_first_look, self._inklings, workspace_id)
        is_wanted = found.workspace.id == workspace_id and found.holds(place)
        self._enter(found, place if is_wanted else BEGINNING)
        if isinstance(refused, DatabaseCorruptError):
            self.damaged_at_first = refused
        elif refused is not None:
            self.message_raised.emit(message_of(refused))

    async def open_workspace(self, workspace_id: str | None) -> None:
        """Open a workspace: this one, or else the oldest."""
        try:
            found = await self._background.read(_look_around, self._inklings, workspace_id)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self._enter(found)

    async def create_workspace(self, name: str) -> None:
        """Make a workspace and open it.

        Raises:
            InklingsError: None could be made under this name.
        """
        made: Workspace = await self._background.write(self._inklings.workspaces.create, name)
        await self.open_workspace(made.id)

    async def another_than(self, lost_id: str) -> Surroundings | None:
        """What surrounds a lost workspace, if it is there again, or else the oldest one.

        Returns:
            None if there is no workspace at all.

        Raises:
            InklingsError: Not one of them can be read.
        """
        try:
            return await self._background.read(_look_around, self._inklings, lost_id)
        except NotFoundError:
            return None

    def leave_for(self, found: Surroundings) -> None:
        """Go on with another workspace, as it was just found."""
        self._enter(found)

    @contextmanager
    def expecting_to_leave(self, workspace_id: str) -> Iterator[None]:
        """Within it nobody is told that this workspace went: the person is deleting it."""
        self._leaving = workspace_id
        try:
            yield
        finally:
            self._leaving = None

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Count again if the change touches the open workspace or the account."""
        here = self.surroundings
        if here is None or changes.workspace_id not in {here.workspace.id, None}:
            return
        if changes.surrounds or changes.workspace_id is None:
            self.refresh()
        elif changes.scopes:
            self._refreshing.run(self._refresh())

    def refresh(self) -> None:
        """Look around again."""
        self._must_look_around = True
        self._refreshing.run(self._refresh())

    async def refreshed(self) -> None:
        """Return once everything has been counted again."""
        self.refresh()
        await self._refreshing.settled()

    def _enter(self, found: Surroundings, place: Place = BEGINNING) -> None:
        self.surroundings, self.place = found, place
        self.workspace_switched.emit(found)

    async def _refresh(self) -> None:
        here = self.surroundings
        if here is None:
            return
        is_count = not self._must_look_around
        look = _counted_again if is_count else _looked_again
        try:
            found = await self._background.read(look, self._inklings, here)
        except NotFoundError:
            self._lose(here.workspace)
            return
        except DatabaseCorruptError:
            return  # a banner says so; nobody asked for this look
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        if self.surroundings is None or self.surroundings.workspace.id != here.workspace.id:
            return  # another workspace was opened meanwhile
        if found.workspace.id != here.workspace.id:
            self._lose(here.workspace)
            return
        self.surroundings = found
        if is_count:
            self.counted.emit(found)
            return
        self._must_look_around = False
        self.surroundings_changed.emit(found)
        if not found.holds(self.place):
            self.go(Place(self.place.tier))

    def _lose(self, lost: Workspace) -> None:
        if lost.id != self._leaving:  # else whoever deletes it opens another one
            self.workspace_lost.emit(lost)


def _first_look(
    inklings: Inklings, wanted: str | None
) -> tuple[Surroundings, InklingsError | None]:
    """What surrounds the first workspace that can be read, and why an earlier one cannot be."""
    refused: InklingsError | None = None
    workspaces = inklings.places.workspaces()
    for workspace in sorted(workspaces, key=lambda one: one.id != wanted):
        try:
            return _look_around(inklings, workspace.id), refused
        except InklingsError as error:
            refused = refused or error
    raise refused or NotFoundError("workspace", wanted or "")


def _look_around(inklings: Inklings, workspace_id: str | None) -> Surroundings:
    """Everything tabs, rail and pickers show; runs on a reader."""
    caller = inklings.caller
    workspaces = inklings.places.workspaces()
    if not workspaces:
        raise NotFoundError("workspace", workspace_id or "")
    workspace = next((one for one in workspaces if one.id == workspace_id), workspaces[0])
    channels = inklings.places.channels(workspace.id, include_archived=True)
    rooms = _conversations(inklings, workspace.id)
    return Surroundings(
        workspace,
        workspaces,
        tuple(one for one in channels if one.archived_at is None),
        rooms,
        inklings.listing.count(workspace.id),
        tuple(one for one in channels if one.archived_at is not None),
        closed=_closed(inklings, workspace.id, has_channels=bool(channels), has_rooms=bool(rooms)),
        is_looking=caller.is_agent,
        unread=_unread(inklings, workspace.id),
    )


def _looked_again(inklings: Inklings, here: Surroundings) -> Surroundings:
    return _look_around(inklings, here.workspace.id)


def _counted_again(inklings: Inklings, here: Surroundings) -> Surroundings:
    """The same rooms, with what the workspace holds now."""
    counts = inklings.listing.count(here.workspace.id, known=here.counts)
    return replace(here, counts=counts)


def _conversations(inklings: Inklings, workspace_id: str) -> tuple[Conversation, ...]:
    """The conversations, none where the whole tier is closed to whoever looks."""
    try:
        return inklings.places.conversations(workspace_id, include_archived=True)
    except ScopeDeniedError:
        return ()


def _unread(inklings: Inklings, workspace_id: str) -> frozenset[str]:
    """Conversations in which an agent wrote since the person opened them."""
    if inklings.caller.is_agent:
        return frozenset()
    heads = inklings.messages.heads(workspace_id).values()
    return frozenset(one.conversation_id for one in heads if one.n_unread)


def _closed(
    inklings: Inklings, workspace_id: str, *, has_channels: bool, has_rooms: bool
) -> frozenset[Tier]:
    """Tiers of which nothing may be shown; never any to a person."""
    caller = inklings.caller
    if not caller.is_agent:
        return frozenset()
    is_open = {
        Tier.CONVERSATION: has_rooms,
        Tier.CHANNEL: has_channels,
        Tier.WORKSPACE: caller.may(Action.READ, ScopeKey.workspace(workspace_id)),
        Tier.ACCOUNT: caller.may(Action.READ, ScopeKey.account()),
    }
    return frozenset(tier for tier in Tier if not is_open[tier])
