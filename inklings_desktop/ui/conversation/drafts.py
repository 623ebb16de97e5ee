"""What is written and not sent yet, for each conversation; kept while the window is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import parts
from inklings_desktop.agent_client.rows import AttachmentBlock, text_of_turn
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.domain.memory import MemoryEntry

MEMORY_URI = "inklings://memory/"
TEXT_URI = "inklings://text/"
_MOST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something put to a message.

    Attributes:
        uri: Names it.
        title: What stands on its chip.
        text: Its words.
        tier: Of the memory that it is; empty for a text.
    """

    uri: str
    title: str
    text: str
    tier: str = ""

    @property
    def memory_id(self) -> str:
        """Id of the memory that it is; empty for a text."""
        return self.uri.rpartition("/")[2] if self.tier else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that is being written."""

    text: str = ""
    attachments: tuple[Attachment, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return not (self.text.strip() or self.attachments)

    def said(self) -> list[dict[str, Any]]:
        """It as the parts of a message."""
        text = self.text.strip()
        found: list[dict[str, Any]] = [{"kind": parts.TEXT, "text": text}] if text else []
        found += [
            {"kind": parts.ATTACHMENT, "uri": one.uri, "title": one.title, "text": one.text}
            for one in self.attachments
        ]
        return found


def attached(entry: MemoryEntry) -> Attachment:
    """A memory as something attached."""
    title = " ".join(entry.content.split())[:_MOST_TITLE]
    tier = entry.scope.tier.value
    return Attachment(f"{MEMORY_URI}{tier}/{entry.id}", title, entry.content, tier)


def draft_of(said: Iterable[Mapping[str, Any]]) -> Draft:
    """A queued message, to be written on."""
    texts: list[str] = []
    found: list[Attachment] = []
    for part in said:
        if part.get("kind") == parts.TEXT:
            texts.append(str(part.get("text", "")))
        elif part.get("kind") == parts.ATTACHMENT:
            uri = str(part.get("uri", ""))
            is_memory = uri.startswith(MEMORY_URI)
            tier = uri.removeprefix(MEMORY_URI).partition("/")[0] if is_memory else ""
            text, title = str(part.get("text", "")), str(part.get("title", ""))
            found.append(Attachment(uri, title, text, tier))
    return Draft("\n\n".join(texts), tuple(found))


def asked_in(turn: Turn) -> Draft:
    """What the author said in a turn, to be asked again."""
    blocks = [one for one in turn.blocks if isinstance(one, AttachmentBlock)]
    return draft_of(
        [
            {"kind": parts.TEXT, "text": text_of_turn(turn)},
            *(
                {
                    "kind": parts.ATTACHMENT,
                    "uri": one.uri,
                    "title": one.title,
                    "text": one.text or "",
                }
                for one in blocks
            ),
        ]
    )
