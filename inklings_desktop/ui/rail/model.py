"""The rows of the rail, and the rail as Qt sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, Literal, overload

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.page_spec import RailMark

AnyIndex = QModelIndex | QPersistentModelIndex


ConversationState = Literal["active", "idle", "archived", "more"]
"""``more`` is the row that unfolds the others."""


@dataclass(frozen=True, slots=True)
class RailConversation:
    """One conversation under its channel.

    Attributes:
        id: Its own.
        name: Title or code.
        state: Where it stands.
        accessible_description: Read aloud after the name.
        is_unread: Whether an agent wrote since it was last opened.
        activity: What the agent does: ``working``, ``waiting`` for the person, or nothing.
    """

    id: str
    name: str
    state: ConversationState
    accessible_description: str = ""
    is_unread: bool = False
    activity: str = ""


@dataclass(frozen=True, slots=True)
class RailChannel:
    """One channel; the open one carries its recent conversations."""

    id: str
    name: str
    count: int
    conversations: tuple[RailConversation, ...] = ()
    accessible_description: str = ""
    is_archived: bool = False
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class RailSection:
    """A heading over channels; ``has_archived`` says whether rooms are out of the list."""

    id: str
    name: str
    channels: tuple[RailChannel, ...] = ()
    has_archived: bool = False


@dataclass(frozen=True, slots=True)
class RailPage:
    """One page of the window; ``count`` and ``key_hint`` are left out where there are none.

    Where the name has no room beside ``key_hint``, ``short_hint`` stands in its place; one without
    the other is a lozenge beside the count. ``adds`` names the plus sign of its row.
    """

    id: str
    name: str
    icon: str
    count: int | None = None
    key_hint: str = ""
    short_hint: str = ""
    accessible_description: str = ""
    adds: str = ""


RailRow = RailPage | RailSection | RailChannel | RailConversation
RailTop = RailPage | RailSection


class RailRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class _Node:
    row: RailRow
    parent: int
    position: int
    children: tuple[int, ...]


class RailModel(QAbstractItemModel):
    """A small tree over immutable rows; ids are unique over the whole rail."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[_Node] = []
        self._tops: tuple[int, ...] = ()
        self._numbers: dict[str, int] = {}

    def replace_rows(self, rows: Sequence[RailTop]) -> bool:
        """Show another rail; whether the tree was announced anew.

        Where the same rows stand in the same places, only the changed ones are announced and
        the view keeps its selection; otherwise the tree is announced anew.
        """
        nodes: list[_Node] = []
        tops = _planted(rows, nodes)
        if [_shape(node) for node in nodes] == [_shape(node) for node in self._nodes]:
            before, self._nodes = self._nodes, nodes
            for number, (old, new) in enumerate(zip(before, nodes, strict=True)):
                if old.row != new.row:
                    index = self.createIndex(new.position, 0, number)
                    self.dataChanged.emit(index, index)
            return False
        self.beginResetModel()
        self._nodes, self._tops = nodes, tops
        self._numbers = {node.row.id: number for number, node in enumerate(nodes)}
        self.endResetModel()
        return True

    def show_counts(self, marks: Mapping[str, RailMark]) -> None:
        """Say how much rows hold, by their ids; only those with another count are announced."""
        for row_id, mark in marks.items():
            number = self._numbers.get(row_id)
            if number is None or mark.count is None:
                continue
            node = self._nodes[number]
            row = node.row
            if isinstance(row, RailPage | RailChannel) and row.count != mark.count:
                row = replace(row, count=mark.count, accessible_description=mark.told)
                self._nodes[number] = replace(node, row=row)
                index = self.createIndex(node.position, 0, number)
                self.dataChanged.emit(index, index)

    def row_at(self, index: AnyIndex) -> RailRow | None:
        """The row behind an index, nothing for an invalid one."""
        return self._nodes[index.internalId()].row if index.isValid() else None

    def index_of(self, row_id: str) -> QModelIndex:
        """Where the row with this id stands; an invalid index when it is not shown."""
        number = self._numbers.get(row_id)
        if number is None:
            return QModelIndex()
        return self.createIndex(self._nodes[number].position, 0, number)

    def index(self, row: int, column: int, parent: AnyIndex | None = None) -> QModelIndex:
        children = self._children(parent)
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    @overload
    def parent(self, /) -> QObject | None: ...

    @overload
    def parent(self, child: AnyIndex, /) -> QModelIndex: ...

    def parent(self, child: AnyIndex | None = None, /) -> QModelIndex | QObject | None:
        """The item above another, or the owner of the model when none is given."""
        if child is None:
            return super().parent()
        if not child.isValid():
            return QModelIndex()
        above = self._nodes[child.internalId()].parent
        if above < 0:
            return QModelIndex()
        return self.createIndex(self._nodes[above].position, 0, above)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        if parent is not None and parent.isValid() and parent.column() > 0:
            return 0
        return len(self._children(parent))

    def columnCount(self, parent: AnyIndex | None = None) -> int:  # noqa: ARG002 - Qt's signature
        return 1

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Sections are headings: enabled, but passed over by the arrow keys."""
        row = self.row_at(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        if isinstance(row, RailSection):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        match role:
            case RailRole.ROW:
                return row
            case RailRole.ID:
                return row.id
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return row.name
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return "" if isinstance(row, RailSection) else row.accessible_description
            case _:
                return None

    def _children(self, parent: AnyIndex | None) -> tuple[int, ...]:
        if parent is None or not parent.isValid():
            return self._tops
        return self._nodes[parent.internalId()].children


def _planted(rows: Sequence[RailRow], nodes: list[_Node], above: int = -1) -> tuple[int, ...]:
    """Adds rows and all below them to the nodes; returns the numbers of the rows themselves."""
    numbers = []
    for position, row in enumerate(rows):
        number = len(nodes)
        numbers.append(number)
        nodes.append(_Node(row, above, position, ()))
        children = _planted(_below(row), nodes, number)
        nodes[number] = _Node(row, above, position, children)
    return tuple(numbers)


def _below(row: RailRow) -> Sequence[RailRow]:
    match row:
        case RailSection():
            return row.channels
        case RailChannel():
            return row.conversations
        case _:
            return ()


def _shape(node: _Node) -> tuple[type[RailRow], str, int, int]:
    return type(node.row), node.row.id, node.parent, node.position
