"""The options of ``inklings chat``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from dataclasses import dataclass
from typing import Annotated

import typer

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.cli.options import CommonOptions, ConversationKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions(CommonOptions):
    """With whom one talks, where, and about what."""

    channel: Annotated[
        str | None,
        typer.Option(
            "--channel",
            metavar="NAME|ID",
            help="Channel of a new conversation; else general.",
            show_default=False,
        ),
    ] = None
    conversation: ConversationKey = None
    agent: Annotated[
        str, typer.Option("--agent", metavar="PRESET", help="With whom; there is world-agent.")
    ] = WORLD_AGENT
    message: Annotated[
        str | None,
        typer.Option(
            "--message",
            metavar="TEXT",
            help="Say this, print the answer, then end; - reads standard input. Else line by line.",
            show_default=False,
        ),
    ] = None
