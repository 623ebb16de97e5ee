"""Everything the Access tab shows, as finished texts: clients by tier, one of them whole."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from inklings_desktop.domain.access.clients import ClientKind, Right
    from inklings_desktop.ui.kit.look.rights import RightBadge
    from inklings_desktop.ui.kit.words.messages import Message


@dataclass(frozen=True, slots=True)
class ClientRow:
    """One client as the matrix shows it.

    Attributes:
        name: As it is configured; tells rows apart.
        kind: ``my World Agent`` or ``MCP client``.
        icon: Name of its mark.
        badges: One per tier, from the conversations outwards.
        seen: When it asked last, ``5 h ago``; ``never`` if it did not come yet.
        told: The whole row in one sentence.
    """

    name: str
    kind: str
    icon: str
    badges: tuple[RightBadge, ...]
    seen: str
    told: str


@dataclass(frozen=True, slots=True)
class RightSwitch:
    """One switch of a client's details.

    Attributes:
        key: Tells switches apart.
        tier: Whose mark stands before it.
        title: ``Workspace, read``.
        note: What it means, in a sentence.
        right: What it gives or takes.
        is_on: Whether the client has it.
        is_scrub: Whether it belongs to the rights that stand apart.
    """

    key: str
    tier: Tier
    title: str
    note: str
    right: Right
    is_on: bool
    is_scrub: bool = False

    @property
    def opens_account(self) -> bool:
        """Whether switching it on shows the client what is known of the person."""
        return not self.is_on and self.tier is Tier.ACCOUNT and self.right.action.value == "read"


@dataclass(frozen=True, slots=True)
class CallRow:
    """One request of a client.

    Attributes:
        age: ``5 h ago``.
        exact: When exactly.
        tool: Its name.
        tier: The tier it was about, or None.
        answer: ``12 entries``, ``refused``, ``waits for you``.
        is_refused: Whether it was refused or failed.
        told: The whole row in one sentence.
    """

    age: str
    exact: str
    tool: str
    tier: Tier | None
    answer: str
    is_refused: bool
    told: str


@dataclass(frozen=True, slots=True)
class ClientDetail:
    """One client whole.

    Attributes:
        name: Its name.
        kind: What the author takes it for.
        icon: Name of its mark.
        switches: Its rights in the open workspace and the account.
        channels: Ids and names of channels that are not opened by themselves yet.
        elsewhere: A sentence about other workspaces; may be empty.
        has_rights: Whether there is anything to revoke.
        calls: What it asked for, newest first.
        last_call: When it asked last, in a sentence.
        last_error: What went wrong last, in a sentence; may be empty.
    """

    name: str
    kind: ClientKind
    icon: str
    switches: tuple[RightSwitch, ...]
    channels: tuple[tuple[str, str], ...] = ()
    elsewhere: str = ""
    has_rights: bool = False
    calls: tuple[CallRow, ...] = ()
    last_call: str = ""
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class AccessContent:
    """What the tab shows.

    Attributes:
        rows: Every client, the first known first.
        details: Each of them whole, by name.
        failure: Why nothing could be read; None if it could.
    """

    rows: tuple[ClientRow, ...] = ()
    details: dict[str, ClientDetail] = field(default_factory=dict)
    failure: Message | None = None
