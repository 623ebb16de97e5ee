"""Carries out what the rail asks for channels and conversations, and says what came of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inklings_desktop.domain.errors import ConflictError, InklingsError, InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import Channel, Conversation, ConversationState
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, ask_name, begin_asking
from inklings_desktop.ui.kit.look.translation import counted, quoted, tr
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, archived_choices, rail_choices
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.kit.words.places import Place, Surroundings, copy_code, talk_name
from inklings_desktop.ui.rail.wishes import RoomAction, RoomOffer, offer_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.rail.pane import RailPane


T = TypeVar("T")

_NOT_ASKED_ABOUT = frozenset({RoomAction.ARCHIVE, RoomAction.UNARCHIVE})
"""What is done to a channel without a dialog: the next key is about the page."""


class Rooms(QObject):
    """Menus of rooms, the lists of them, and every change a person makes to one."""

    def __init__(
        self,
        context: Context,
        *,
        rail: RailPane,
        shell: ShellPresenter,
        look_at: Callable[[str], None],
        parent: QObject,
    ) -> None:
        """Hear what the rail asks for.

        Args:
            context: What every page is given.
            rail: Shows the rooms.
            shell: Knows them.
            look_at: Leads to a room by its id, archived ones included.
            parent: Owner.
        """
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._rail, self._shell, self._look_at = rail, shell, look_at
        self._beginning = asyncio.Lock()
        rail.menu_requested.connect(self._on_menu_requested)
        rail.asked.connect(self._on_asked)

    def menu(self, row_id: str) -> RoomMenu | None:
        """The menu of a rail row, made anew; None until a workspace is open."""
        here = self._shell.surroundings
        if here is None:
            return None
        return RoomMenu(offer_for(here, row_id), self.act, self._rail)

    def act(self, wish: RoomAction, room_id: str) -> None:
        """Do what was chosen for a room."""
        here = self._shell.surroundings
        if here is None:
            return
        if wish is RoomAction.ARCHIVED:
            self._show_archived(here, self._rail.tree)
            return
        if wish is RoomAction.NEW_CHANNEL:
            begin_asking(self._background, self._create_channel(here), self._rail)
            return
        channel, talk = here.channel(room_id), here.conversation(room_id)
        if talk is not None and wish is RoomAction.COPY_CODE:
            self._context.tell(copy_code(talk))
            return
        of_channels = {
            RoomAction.START: self._start,
            RoomAction.RENAME: self._rename_channel,
            RoomAction.ARCHIVE: self._archive_channel,
            RoomAction.UNARCHIVE: self._unarchive_channel,
        }
        of_conversations = {
            RoomAction.RENAME: self._rename_conversation,
            RoomAction.END: self._end,
            RoomAction.ARCHIVE: self._archive_conversation,
        }
        if channel is not None and wish in _NOT_ASKED_ABOUT:
            self._background.spawn(of_channels[wish](here, channel))
        elif channel is not None and wish in of_channels:
            begin_asking(self._background, of_channels[wish](here, channel), self._rail)
        elif talk is not None and wish in of_conversations:
            begin_asking(self._background, of_conversations[wish](here, talk), self._rail)

    # -- channels -------------------------------------------------------------------------

    async def _create_channel(self, here: Surroundings) -> None:
        made = await self._named(
            here,
            (
                tr("New channel"),
                tr("Conversations in a channel share what they learn."),
                tr("Create"),
            ),
            partial(self._inklings.channels.create, here.workspace.id),
        )
        if made is not None:
            await self._shell.refreshed()
            self._look_at(made.id)

    async def _rename_channel(self, here: Surroundings, channel: Channel) -> None:
        await self._named(
            here,
            (
                tr("Rename #{name}").format(name=channel.name),
                tr("Everything in it stays."),
                tr("Rename"),
            ),
            partial(self._inklings.channels.rename, here.workspace.id, channel.id),
            before=channel.name,
        )

    async def _archive_channel(self, here: Surroundings, channel: Channel) -> None:
        await self._background.write(self._inklings.channels.archive, here.workspace.id, channel.id)
        self._context.tell(
            tr("Archived #{name}. Everything in it stays.").format(name=channel.name)
        )

    async def _unarchive_channel(self, here: Surroundings, channel: Channel) -> None:
        await self._background.write(
            self._inklings.channels.unarchive, here.workspace.id, channel.id
        )
        self._context.tell(tr("#{name} is open again").format(name=channel.name))

    # -- conversations --------------------------------------------------------------------

    def begin_conversation(self) -> None:
        """Talk in an empty conversation of the channel on show, or else the first; named later."""
        self._background.spawn(self._begin())

    async def _begin(self) -> None:
        async with self._beginning:  # the second of two quick presses finds what the first began
            if (here := self._shell.surroundings) is None or not here.channels:
                return
            shown = here.channel(here.channel_of(self._shell.place) or "") or here.channels[0]
            channel = shown if shown in here.channels else here.channels[0]
            talks = here.open_conversations
            empty = (
                one.id for one in talks if one.channel_id == channel.id and _is_empty(here, one)
            )
            if (talk_id := next(empty, None)) is None:
                start = self._inklings.conversations.start
                made = await self._background.write(start, here.workspace.id, channel=channel.id)
                await self._shell.refreshed()
                talk_id = made.id
        self._look_at(talk_id)

    async def _start(self, here: Surroundings, channel: Channel) -> None:
        def start(title: str) -> Conversation:
            return self._inklings.conversations.start(
                here.workspace.id, channel=channel.id, title=title
            )

        made = await self._named(
            here,
            (
                tr("New conversation in #{name}").format(name=channel.name),
                tr("Give its code to another agent, and that agent can join in."),
                tr("Start"),
            ),
            start,
        )
        if made is not None:
            await self._shell.refreshed()
            self._look_at(made.id)

    async def _rename_conversation(self, here: Surroundings, talk: Conversation) -> None:
        await self._named(
            here,
            (
                tr("Rename this conversation"),
                tr("Its code stays {code}.").format(code=talk.ref_code),
                tr("Rename"),
            ),
            partial(self._inklings.conversations.rename, here.workspace.id, talk.id),
            before=talk.title,
        )

    async def _end(self, here: Surroundings, talk: Conversation) -> None:
        from inklings_desktop.ui.rail.workspaces import EndConversationDialog

        end, world = self._inklings.conversations, here.workspace.id
        channel = here.channel(talk.channel_id)
        room, refusal = channel.name if channel is not None else "", ""
        lines = await self._background.read(end.proposed_summary, world, talk.id)
        summary = "\n".join(lines)
        while True:
            dialog = EndConversationDialog(
                talk_name(talk),
                room,
                n_memories=here.count(Place(Tier.CONVERSATION, talk.id)),
                parent=self._rail.window(),
                summary=summary,
            )
            if refusal:
                dialog.refuse(refusal)
            if not await answered(dialog):
                return
            summary, begun_at = dialog.typed, self._inklings.clock()
            try:
                done = await self._background.write(end.end, world, talk.id, summary=summary)
            except InklingsError as error:
                if not summary.strip():
                    raise
                refusal = message_of(error).title  # beside the words, which nobody types again
            else:
                ended_at = done.conversation.ended_at
                is_ours = ended_at is not None and ended_at >= begun_at
                if is_ours or not summary.strip():
                    break
                refusal = tr("Another program has just ended it; nothing was kept.")
        kept = counted(done.n_kept, "1 memory kept in #{room}", "{n} memories kept in #{room}")
        told = kept.format(room=room) if done.n_kept else tr("nothing kept")
        title = quoted(talk_name(talk))
        self._context.tell(tr("Ended {title}, {told}").format(title=title, told=told))

    async def _archive_conversation(self, here: Surroundings, talk: Conversation) -> None:
        is_active = talk.state is ConversationState.ACTIVE
        if is_active and not await self._may_cut_off(here, talk):
            return
        await self._background.write(
            self._inklings.conversations.archive, here.workspace.id, talk.id, force=is_active
        )
        self._context.tell(tr("Archived {title}").format(title=quoted(talk_name(talk))))

    async def _may_cut_off(self, here: Surroundings, talk: Conversation) -> bool:
        """Whether an active conversation may be archived as it stands."""
        n_memories = here.count(Place(Tier.CONVERSATION, talk.id))
        return await ask(
            self._rail.window(),
            tr("Archive {title} while it is active?").format(title=quoted(talk_name(talk))),
            counted(
                n_memories,
                "Its one working memory will be forgotten; you can restore it.",
                "Its {n} working memories will be forgotten; you can restore them.",
            )
            if n_memories
            else tr("You can read an archived conversation, but not continue it."),
            yes=tr("Archive"),
            no=tr("Cancel"),
        )

    # -- lists of rooms -------------------------------------------------------------------

    def _show_archived(self, here: Surroundings, anchor: QWidget) -> None:
        self._pop_up(archived_choices(here), tr("Archived rooms"), anchor)

    def _pop_up(self, choices: Sequence[ScopeChoice], title: str, anchor: QWidget) -> None:
        from inklings_desktop.ui.kit.panes.scope_picker import RoomPopup

        popup = RoomPopup(
            self._rail.theme, choices, self._shell.place.room, self._rail, title=title
        )
        popup.chosen.connect(self._on_room_chosen)
        popup.closed.connect(popup.deleteLater)
        popup.popup_below(anchor)
        popup.field.setFocus(Qt.FocusReason.PopupFocusReason)

    # -- pieces ---------------------------------------------------------------------------

    async def _named(
        self,
        here: Surroundings,
        words: tuple[str, str, str],
        call: Callable[[str], T],
        before: str = "",
    ) -> T | None:
        """What a use case made of a name; None when none was given, or when it refused aloud.

        Args:
            here: The workspace as it was shown.
            words: Title, hint and button of the question.
            call: The use case, short of the name.
            before: The name so far.
        """
        title, hint, yes = words

        async def use(name: str) -> T:
            return await self._background.write(call, name)

        return await ask_name(
            self._rail.window(),
            title,
            hint,
            yes=yes,
            use=use,
            say=partial(_refusal, here),
            name=before,
        )

    @Slot(str, QPoint)
    def _on_menu_requested(self, row_id: str, place: QPoint) -> None:
        menu = self.menu(row_id)
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(place)

    @Slot(object, str, QWidget)
    def _on_asked(self, wish: RoomAction, row_id: str, anchor: QWidget) -> None:
        here = self._shell.surroundings
        if here is None:
            return
        if wish is RoomAction.ARCHIVED:
            self._show_archived(here, anchor)
        elif wish is RoomAction.TALK:
            self.begin_conversation()
        elif wish is RoomAction.ROOMS:
            self._pop_up(rail_choices(here), tr("Rooms"), anchor)
        elif wish in offer_for(here, row_id).actions:
            self.act(wish, row_id)

    @Slot(object)
    def _on_room_chosen(self, room_id: object) -> None:
        if isinstance(room_id, str):
            self._look_at(room_id)


def _is_empty(here: Surroundings, talk: Conversation) -> bool:
    """Whether nobody said or kept anything in a conversation, or gave it a name."""
    is_silent = talk.state is ConversationState.ACTIVE and talk.heard_at is None
    return is_silent and not talk.title and not here.count(Place(Tier.CONVERSATION, talk.id))


def _refusal(here: Surroundings, error: ConflictError | InvalidValueError) -> Message:
    """Why a name cannot be used; one that an archived channel has is not to be seen in the rail."""
    if isinstance(error, ConflictError):
        wanted = error.key.casefold()
        for one in here.archived_channels:
            if one.name.casefold() == wanted:
                return _taken(one.name)
    return message_of(error)


def _taken(name: str) -> Message:
    return Message(
        tr("An archived channel is called {name}").format(name=name),
        tr("Restore that one, or choose another name. Nothing was changed."),
    )


_CHANGES_NOTHING = frozenset({RoomAction.ARCHIVED, RoomAction.COPY_CODE})


class RoomMenu(QMenu):
    """Offers only what would work."""

    def __init__(
        self, offer: RoomOffer, act: Callable[[RoomAction, str], None], parent: QWidget
    ) -> None:
        """Fill it.

        Args:
            offer: What can be done, and with which room.
            act: Does what is chosen.
            parent: Owner.
        """
        super().__init__(parent)
        self.setObjectName("roomMenu")
        self._offer, self._act = offer, act
        names = {
            RoomAction.START: tr("New conversation\u2026"),
            RoomAction.COPY_CODE: tr("Copy code for the agent"),
            RoomAction.RENAME: tr("Rename\u2026"),
            RoomAction.END: tr("End conversation\u2026"),
            RoomAction.ARCHIVE: tr("Archive"),
            RoomAction.UNARCHIVE: tr("Restore"),
            RoomAction.NEW_CHANNEL: tr("New channel\u2026"),
            RoomAction.ARCHIVED: tr("Archived rooms\u2026"),
        }
        self._fill((one, names[one]) for one in offer.actions)
        self.triggered.connect(lambda action: act(action.data(), offer.room_id))

    def _fill(self, offered: Iterable[tuple[RoomAction, str]]) -> None:
        for wish, name in offered:
            if wish is RoomAction.NEW_CHANNEL and not self.isEmpty():
                self.addSeparator()
            action = QAction(name, self)
            action.setData(wish)
            if wish is RoomAction.RENAME:
                action.setShortcut(QKeySequence("F2"))
                action.setShortcutVisibleInContextMenu(True)
            self.addAction(action)
            if wish not in _CHANGES_NOTHING:
                storing(action)
