"""What a person may do with a channel or a conversation."""

from dataclasses import dataclass
from enum import Enum


class RoomAction(Enum):
    """What a person may want of a room."""

    START = "start a conversation in the channel"
    RENAME = "give the room another name"
    END = "let an active conversation rest"
    ARCHIVE = "take the room out of the lists"
    UNARCHIVE = "put an archived channel back into the lists"
    NEW_CHANNEL = "open a new channel"
    ARCHIVED = "show the archived rooms"


@dataclass(frozen=True, slots=True)
class RoomOffer:
    """What can be done with one room, or with none.

    Attributes:
        actions: In the order in which they are offered.
        room_id: Channel or conversation; empty where no room is meant.
    """

    actions: tuple[RoomAction, ...]
    room_id: str = ""
