"""Carries out what the rail asks for channels and conversations, and says what came of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.errors import ConflictError, InklingsError, InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.dialogs.ask import ask, ask_name
from inklings_desktop.ui.kit.dialogs.asking import answered, begin_asking
from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice, archived_choices, rail_choices
from inklings_desktop.ui.kit.words.entry_facts import counted
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.rail.room_actions import RoomAction
from inklings_desktop.ui.rail.room_words import offer_for, title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.rail.room_menu import RoomMenu
    from inklings_desktop.usecases.bundle import Inklings


P = ParamSpec("P")
T = TypeVar("T")

_NOT_ASKED_ABOUT = frozenset({RoomAction.ARCHIVE, RoomAction.UNARCHIVE})
"""What is done to a channel without a dialog: the next key is about the page."""


class RoomDesk(QObject):
    """Menus of rooms, the lists of them, and every change a person makes to one.

    Signals:
        said: A sentence for a passing note.
        room_chosen: Id of a room that the person wants to look at.
        message_raised: A ``Message`` when something could not be done; nothing was changed then.
    """

    said = Signal(str)
    room_chosen = Signal(str)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        rail: RailPane,
        shell: ShellPresenter,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._rail = rail
        self._shell = shell
        rail.menu_requested.connect(self._on_menu_requested)
        rail.rename_requested.connect(self._on_rename_requested)
        rail.new_channel_requested.connect(self._on_new_channel_requested)
        rail.archived_requested.connect(self._on_archived_requested)
        rail.rooms_requested.connect(self._on_rooms_requested)

    def menu(self, row_id: str) -> RoomMenu | None:
        """The menu of a rail row, made anew; None until a workspace is open."""
        from inklings_desktop.ui.rail.room_menu import RoomMenu

        here = self._shell.surroundings
        if here is None:
            return None
        menu = RoomMenu(offer_for(here, row_id), self._rail)
        menu.wanted.connect(self.act)
        return menu

    @Slot(object, str)
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
        action: Coroutine[object, object, None] | None = None
        if channel is not None:
            action = self._channel_action(wish, here, channel)
        elif talk is not None:
            action = self._conversation_action(wish, here, talk)
        if action is None:
            return
        if channel is not None and wish in _NOT_ASKED_ABOUT:
            self._background.spawn(action)
        else:
            begin_asking(self._background, action, self._rail)

    def _channel_action(
        self, wish: RoomAction, here: Surroundings, channel: Channel
    ) -> Coroutine[object, object, None] | None:
        match wish:
            case RoomAction.START:
                return self._start(here, channel)
            case RoomAction.RENAME:
                return self._rename_channel(here, channel)
            case RoomAction.ARCHIVE:
                return self._archive_channel(here, channel)
            case RoomAction.UNARCHIVE:
                return self._unarchive_channel(here, channel)
            case _:
                return None

    def _conversation_action(
        self, wish: RoomAction, here: Surroundings, talk: Conversation
    ) -> Coroutine[object, object, None] | None:
        match wish:
            case RoomAction.RENAME:
                return self._rename_conversation(here, talk)
            case RoomAction.END:
                return self._end(here, talk)
            case RoomAction.ARCHIVE:
                return self._archive_conversation(here, talk)
            case _:
                return None

    # -- channels -------------------------------------------------------------------------

    async def _create_channel(self, here: Surroundings) -> None:
        made = await self._named(
            here,
            (
                self.tr("New channel"),
                self.tr("Conversations in a channel share what they learn."),
                self.tr("Create"),
            ),
            partial(self._inklings.create_channel, self._inklings.caller, here.workspace.id),
        )
        if made is not None:
            await self._shell.refreshed()
            self.room_chosen.emit(made.id)

    async def _rename_channel(self, here: Surroundings, channel: Channel) -> None:
        await self._named(
            here,
            (
                self.tr("Rename #{name}").format(name=channel.name),
                self.tr("Everything in it stays."),
                self.tr("Rename"),
            ),
            partial(
                self._inklings.rename_channel,
                self._inklings.caller,
                here.workspace.id,
                channel.id,
            ),
            before=channel.name,
        )

    async def _archive_channel(self, here: Surroundings, channel: Channel) -> None:
        done = await self._done(
            self._inklings.archive_channel,
            self._inklings.caller,
            here.workspace.id,
            channel.id,
        )
        if done is not None:
            self.said.emit(
                self.tr("Archived #{name}. Everything in it stays.").format(name=channel.name)
            )

    async def _unarchive_channel(self, here: Surroundings, channel: Channel) -> None:
        done = await self._done(
            self._inklings.unarchive_channel,
            self._inklings.caller,
            here.workspace.id,
            channel.id,
        )
        if done is not None:
            self.said.emit(self.tr("#{name} is open again").format(name=channel.name))

    # -- conversations --------------------------------------------------------------------

    async def _start(self, here: Surroundings, channel: Channel) -> None:
        def start(title: str) -> Conversation:
            return self._inklings.start_conversation(
                self._inklings.caller, here.workspace.id, channel=channel.id, title=title
            )

        made = await self._named(
            here,
            (
                self.tr("New conversation in #{name}").format(name=channel.name),
                self.tr("An agent can take part once it is given the code of the conversation."),
                self.tr("Start"),
            ),
            start,
        )
        if made is not None:
            await self._shell.refreshed()
            self.room_chosen.emit(made.id)

    async def _rename_conversation(self, here: Surroundings, talk: Conversation) -> None:
        await self._named(
            here,
            (
                self.tr("Rename this conversation"),
                self.tr("Its code stays {code}.").format(code=talk.ref_code),
                self.tr("Rename"),
            ),
            partial(
                self._inklings.rename_conversation,
                self._inklings.caller,
                here.workspace.id,
                talk.id,
            ),
            before=talk.title,
        )

    async def _end(self, here: Surroundings, talk: Conversation) -> None:
        from inklings_desktop.ui.rail.end_conversation_dialog import EndConversationDialog

        channel = here.channel(talk.channel_id)
        dialog = EndConversationDialog(
            title_of(talk),
            channel.name if channel is not None else "",
            n_memories=here.count(Place(Tier.CONVERSATION, talk.id)),
            parent=self._rail.window(),
        )
        if not await answered(dialog):
            return
        done = await self._done(
            self._inklings.idle_conversation,
            self._inklings.caller,
            here.workspace.id,
            talk.id,
            summary=dialog.typed,
        )
        if done is not None:
            self.said.emit(self.tr("{title} rests").format(title=title_of(talk)))

    async def _archive_conversation(self, here: Surroundings, talk: Conversation) -> None:
        is_active = talk.state is ConversationState.ACTIVE
        if is_active and not await self._may_cut_off(here, talk):
            return
        done = await self._done(
            self._inklings.archive_conversation,
            self._inklings.caller,
            here.workspace.id,
            talk.id,
            force=is_active,
        )
        if done is not None:
            self.said.emit(self.tr("Archived {title}").format(title=title_of(talk)))

    async def _may_cut_off(self, here: Surroundings, talk: Conversation) -> bool:
        """Whether an active conversation may be archived as it stands."""
        n_memories = here.count(Place(Tier.CONVERSATION, talk.id))
        return await ask(
            self._rail.window(),
            self.tr("Archive {title} while it is active?").format(title=title_of(talk)),
            counted(
                n_memories,
                self.tr("Its 1 own memory is forgotten then; you can restore it."),
                self.tr("Its {n} own memories are forgotten then; you can restore them."),
            )
            if n_memories
            else self.tr("An archived conversation cannot be taken up again."),
            yes=self.tr("Archive"),
            no=self.tr("Keep it"),
        )

    # -- lists of rooms -------------------------------------------------------------------

    def _show_archived(self, here: Surroundings, anchor: QWidget) -> None:
        self._pop_up(archived_choices(here), self.tr("Archived rooms"), anchor)

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

        try:
            return await ask_name(
                self._rail.window(),
                title,
                hint,
                yes=yes,
                use=use,
                say=partial(_refusal, here),
                name=before,
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        return None

    async def _done(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What a use case answered, or None when it refused, which is said."""
        try:
            return await self._background.write(call, *args, **kwargs)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        return None

    @Slot(str, QPoint)
    def _on_menu_requested(self, row_id: str, place: QPoint) -> None:
        menu = self.menu(row_id)
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(place)

    @Slot(str)
    def _on_rename_requested(self, row_id: str) -> None:
        here = self._shell.surroundings
        if here is not None and RoomAction.RENAME in offer_for(here, row_id).actions:
            self.act(RoomAction.RENAME, row_id)

    @Slot()
    def _on_new_channel_requested(self) -> None:
        self.act(RoomAction.NEW_CHANNEL, "")

    @Slot(QWidget)
    def _on_archived_requested(self, anchor: QWidget) -> None:
        here = self._shell.surroundings
        if here is not None:
            self._show_archived(here, anchor)

    @Slot(QWidget)
    def _on_rooms_requested(self, anchor: QWidget) -> None:
        here = self._shell.surroundings
        if here is not None:
            self._pop_up(rail_choices(here), self.tr("Rooms"), anchor)

    @Slot(object)
    def _on_room_chosen(self, room_id: object) -> None:
        if isinstance(room_id, str):
            self.room_chosen.emit(room_id)


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
        QCoreApplication.translate("rooms", "An archived channel is called {name}").format(
            name=name
        ),
        QCoreApplication.translate(
            "rooms", "Bring that one back, or choose another name. Nothing was changed."
        ),
    )
