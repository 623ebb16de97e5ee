"""Options of the hooks; annotations are evaluated here."""

from typing import Annotated

import typer

from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL
from inklings_desktop.domain.rooms.orientation import DEFAULT_BUDGET_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class HookOptions(CommonOptions):
    """Whose session it is."""

    client: Annotated[
        str, typer.Option("--client", metavar="NAME", help="Name of the client, as you know it.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStartOptions(HookOptions):
    """What a session begins with."""

    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", help="Tokens of four characters.")
    ] = DEFAULT_BUDGET_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEndOptions(HookOptions):
    """Where the summary of a session goes."""

    channel: Annotated[
        str, typer.Option("--channel", metavar="NAME|ID", help="Channel that keeps the summary.")
    ] = DEFAULT_CHANNEL
