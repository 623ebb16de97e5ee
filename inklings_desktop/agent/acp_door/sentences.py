"""What is said outside a turn, in the language that the conversation is held in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.acp_door.sessions import Session

EXCERPT = 160
_MARKDOWN = re.compile(r"([\\\[\]<>`*_~|])")


def spoken(name: str, language: str, /, **values: str) -> str:
    """A sentence by its name."""
    # Loaded with the planner, which no client waits for when it opens a conversation.
    from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech

    table = speech(language if language in LANGUAGES else LANGUAGES[0]).table
    said: str = table.get("door", speech(LANGUAGES[0]).table["door"])[name]
    return said.format(**values)


def language_of(text: str, before: str) -> str:
    """The language of what was said; the one before where it tells none."""
    from inklings_desktop.agent.mechanical.intents import languages_for
    from inklings_desktop.agent.planning import Situation

    return languages_for(text, Situation("", "", text, language=before))[0]


def quoted(text: str) -> str:
    """A text in quotes, on one line, of which nothing is taken for Markdown."""
    plain = _MARKDOWN.sub(r"\\\1", " ".join(text.split())[:EXCERPT])
    return f"\u201c{plain}\u201d"


async def tell(
    session: Session, *told: tuple[str, Sequence[Mapping[str, Any]]], first: str = ""
) -> None:
    """Name memories under their headings, each in quotes and with a link; none under none."""
    said, named = [first] if first else [], []
    for heading, memories in told:
        lines = [heading] if heading else []
        for one in memories:
            link = f"[{one['tier']}](memory:{one['tier']}/{one['id']})"
            lines.append(f"- {quoted(str(one['excerpt']))} {link}")
            named.append({"id": one["id"], "tier": one["tier"]})
        if memories:
            said.append("\n".join(lines))
    await session.updates.say("\n\n".join(said), named)


async def tell_undone(session: Session, touched: Sequence[Mapping[str, Any]]) -> None:
    """Say what was undone: what is there again, and what is not there any more."""
    told = {how: [one for one in touched if one["how"] == how] for how in ("restored", "forgotten")}
    headed = ((spoken(how, session.language), found) for how, found in told.items())
    await tell(session, *headed, first=spoken("undone", session.language))
