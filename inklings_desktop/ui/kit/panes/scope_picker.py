"""Which room is on show, or which model is chosen: a button, a list to choose from, its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QSizePolicy, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import Channel, Conversation, ConversationState
from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.theme import MAX_TEXT_SCALE, Theme
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.places import talk_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.words.places import Surroundings


_WIDTH = 296
_MAX_ROWS = 12
_ROW_HEIGHT = 28
_MODEL_WIDTH = 220
_BUTTON_MOST, _BUTTON_LEAST = 190, 104
_ID = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """One line of the picker.

    Attributes:
        id: Conversation or channel; None for all of them, or for a group's title.
        text: What is shown.
        icon: Icon name, or empty.
        is_title: Whether it only names the group below.
        detail: Shown behind the text, faintly.
    """

    id: str | None
    text: str
    icon: str = ""
    is_title: bool = False
    detail: str = ""


class ScopePicker(MenuButton):
    """Shows the current room; pressing it opens the list of rooms.

    A long name takes its room from the field beside it up to ``most`` and is cut beyond.

    Signals:
        scope_chosen: Id of a room, or None for all.
    """

    scope_chosen = Signal(object)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, most: int = _BUTTON_MOST
    ) -> None:
        """Build the button.

        Args:
            most: Greatest width at text scale 1, in pixels.
        """
        super().__init__(theme, parent)
        self._choices: tuple[ScopeChoice, ...] = ()
        self._current: str | None = None
        self._most, self._room = most, most * MAX_TEXT_SCALE
        self.setObjectName("scopePicker")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._fit()
        self.clicked.connect(self.popup)
        theme.changed.connect(self._on_theme_changed)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), self._theme.scaled(_BUTTON_LEAST)), hint.height())

    def set_most_width(self, width: int) -> None:
        """Be no wider than this beside a field that needs room, in pixels as it is drawn."""
        self._room = width
        self._fit()

    def show_choices(self, choices: Sequence[ScopeChoice], current: str | None) -> None:
        """Offer these rooms and show the current one."""
        self._choices = tuple(choices)
        self._current = current
        chosen = next(
            (one for one in choices if one.id == current and not one.is_title),
            ScopeChoice(None, ""),
        )
        self.setText(chosen.text.replace("&", "&&"))
        self.setIcon(self._icon(chosen.icon))
        self.setIconSize(QSize(self._theme.icon_px(14), self._theme.icon_px(14)))
        self.setToolTip(plain_tool_tip(chosen.text))
        self.setAccessibleName(tr("Shown: {room}").format(room=chosen.text))

    def popup(self) -> Popover:
        """Open the list below the button."""
        popup = RoomPopup(self._theme, self._choices, self._current, self)
        popup.chosen.connect(self.scope_chosen)
        popup.closed.connect(popup.deleteLater)
        popup.popup_below(self)
        popup.field.setFocus(Qt.FocusReason.PopupFocusReason)
        return popup

    def _fit(self) -> None:
        least = self._theme.scaled(_BUTTON_LEAST)
        self.setMaximumWidth(max(least, round(min(self._theme.scaled(self._most), self._room))))

    def _icon(self, name: str) -> QIcon:
        return self._theme.icon(name, "inkSoft", 14) if name else QIcon()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._fit()
        self.show_choices(self._choices, self._current)


class RoomPopup(Popover):
    """A field that narrows the list below it; arrows move in the list while one types.

    Signals:
        chosen: Id of the line, or None for all rooms.
    """

    chosen = Signal(object)

    def __init__(
        self,
        theme: Theme,
        choices: Sequence[ScopeChoice],
        current: str | None,
        parent: QWidget,
        *,
        title: str = "",
        hint: str = "",
    ) -> None:
        """Build the list.

        Args:
            choices: The lines, titles of groups among them.
            current: Id of the room that is marked at first.
            title: What the lines are; rooms unless told otherwise.
            hint: What is typed above them.
        """
        super().__init__(theme, title or tr("Rooms"), parent)
        self.setObjectName("scopePopup")
        self._look = theme
        self._choices = choices
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(hint or tr("Find a room"))
        self.field.setAccessibleName(hint or tr("Find a room"))
        self.field.setClearButtonEnabled(False)
        self.field.textChanged.connect(lambda text: self._fill(text, None))
        self.field.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setAccessibleName(title or tr("Rooms"))
        self.list.setProperty("inset", "true")
        self.list.setFont(theme.font("meta"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setIconSize(QSize(theme.icon_px(14), theme.icon_px(14)))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._choose)
        self.body.addWidget(self.field)
        self.body.addWidget(self.list)
        self.list.setFixedWidth(theme.scaled(_WIDTH))
        self._fill("", current)
        theme.changed.connect(self._dress)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows and Enter in the field act on the list."""
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.KeyPress and event.key() in {
                Qt.Key.Key_Up,
                Qt.Key.Key_Down,
            }:
                self._step(1 if event.key() == Qt.Key.Key_Down else -1)
                return True
            if event.type() is QEvent.Type.KeyPress and event.key() in {
                Qt.Key.Key_Return,
                Qt.Key.Key_Enter,
            }:
                self._choose(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _fill(self, needle: str, current: str | None) -> None:
        self.list.clear()
        wanted = needle.casefold().strip()
        for choice in self._choices:
            if wanted and (choice.is_title or wanted not in choice.text.casefold()):
                continue
            item = QListWidgetItem(choice.text)
            item.setSizeHint(QSize(0, self._look.scaled(_ROW_HEIGHT)))
            if choice.detail:
                item.setText(f"{choice.text}   {choice.detail}")
            if choice.is_title:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setFont(self._look.font("label"))
            else:
                item.setData(_ID, choice)
            self.list.addItem(item)
            if not choice.is_title and choice.id == current:
                self.list.setCurrentItem(item)
        self._dress()
        if self.list.currentItem() is None:
            self._step(1)
        n_rows = min(max(self.list.count(), 1), _MAX_ROWS)
        self.list.setFixedHeight(n_rows * self._look.scaled(_ROW_HEIGHT) + 2)
        self.adjustSize()

    @Slot()
    def _dress(self) -> None:
        """Give icons and titles the colours of the scheme on show."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            choice = item.data(_ID)
            if not isinstance(choice, ScopeChoice):
                item.setForeground(self._look.color("inkFaint"))
            elif choice.icon:
                item.setIcon(self._look.icon(choice.icon, "inkSoft", 14))

    def _step(self, step: int) -> None:
        row = self.list.currentRow() + step
        while 0 <= row < self.list.count():
            if self.list.item(row).flags() & Qt.ItemFlag.ItemIsSelectable:
                self.list.setCurrentRow(row)
                return
            row += step

    def _choose(self, item: QListWidgetItem | None) -> None:
        choice = item.data(_ID) if item is not None else None
        if isinstance(choice, ScopeChoice):
            self.close()
            self.chosen.emit(choice.id)


class ModelPicker(MenuButton):
    """Shows the model that is chosen; pressing it opens the list of those that there are.

    Signals:
        chosen: The model as ``provider/model``; empty for none.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._theme = theme
        self._offer: tuple[tuple[ScopeChoice, ...], str] = ((), "")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.popup)
        theme.dress(self._on_theme_dressed)

    def show_offer(self, offer: tuple[tuple[ScopeChoice, ...], str]) -> None:
        """Offer these, and show the one that is chosen."""
        self._offer = offer
        choices, now = offer
        self.setText(next((one.text for one in choices if one.id == now), now))

    def popup(self) -> Popover:
        """Open the list below the button."""
        title, hint = tr("Models"), tr("Find a model")
        popup = RoomPopup(self._theme, *self._offer, self, title=title, hint=hint)
        popup.chosen.connect(self.chosen.emit)
        popup.closed.connect(popup.deleteLater)
        popup.popup_below(self)
        popup.field.setFocus(Qt.FocusReason.PopupFocusReason)
        return popup

    @Slot()
    def _on_theme_dressed(self) -> None:
        self.setFixedWidth(self._theme.scaled(_MODEL_WIDTH))


_STATE_ICONS = {
    ConversationState.ACTIVE: "chat-circle",
    ConversationState.IDLE: "moon",
    ConversationState.ARCHIVED: "archive",
}


def tier_choices(here: Surroundings, tier: Tier) -> list[ScopeChoice]:
    """Every room of a tier, and all of them together."""
    if tier is Tier.CHANNEL:
        every = ScopeChoice(None, tr("All channels"), "hash")
        return [every, *map(_channel, here.channels), *_archived(here.archived_channels)]
    choices = [ScopeChoice(None, tr("All conversations"), "chats-circle"), *_open_rooms(here)]
    choices += _in_archived_channels(here)
    if here.archived_conversations:
        choices.append(ScopeChoice(None, tr("Archived"), is_title=True))
        choices += map(_room, here.archived_conversations)
    return choices


def rail_choices(here: Surroundings) -> list[ScopeChoice]:
    """What the narrow rail has no room for: every channel and every open conversation."""
    channels = [ScopeChoice(None, tr("Channels"), is_title=True), *map(_channel, here.channels)]
    return [*channels, *_open_rooms(here), *archived_choices(here)]


def archived_choices(here: Surroundings) -> list[ScopeChoice]:
    """Channels and conversations that no list holds."""
    talks = [_room(one) for one in here.archived_conversations]
    if talks:
        talks.insert(0, ScopeChoice(None, tr("Archived conversations"), is_title=True))
    return [*_archived(here.archived_channels), *_in_archived_channels(here), *talks]


def turn_choices(here: Surroundings) -> list[ScopeChoice]:
    """The conversations that can have a next turn, and a turn before any of them."""
    before = ScopeChoice(None, tr("Before any conversation"), "chat-circle-dots")
    return [before, *_open_rooms(here)]


def _open_rooms(here: Surroundings) -> list[ScopeChoice]:
    choices = []
    for channel in here.channels:
        rooms = [one for one in here.open_conversations if one.channel_id == channel.id]
        if rooms:
            choices.append(ScopeChoice(None, f"#{channel.name}", is_title=True))
            choices += map(_room, rooms)
    return choices


def _in_archived_channels(here: Surroundings) -> list[ScopeChoice]:
    """Conversations that were never archived themselves, under the channel that was."""
    choices = []
    for channel in here.archived_channels:
        rooms = [one for one in here.open_conversations if one.channel_id == channel.id]
        if rooms:
            title = tr("#{channel}, archived").format(channel=channel.name)
            choices.append(ScopeChoice(None, title, is_title=True))
            choices += map(_room, rooms)
    return choices


def _archived(channels: Sequence[Channel]) -> list[ScopeChoice]:
    if not channels:
        return []
    title = ScopeChoice(None, tr("Archived channels"), is_title=True)
    return [title, *(ScopeChoice(one.id, one.name, "archive") for one in channels)]


def _channel(channel: Channel) -> ScopeChoice:
    return ScopeChoice(channel.id, channel.name, "hash")


def _room(room: Conversation) -> ScopeChoice:
    return ScopeChoice(room.id, talk_name(room), _STATE_ICONS[room.state])
