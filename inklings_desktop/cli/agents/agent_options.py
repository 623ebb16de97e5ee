"""The options of ``inklings mcp``, ``inklings hook`` and ``inklings chat``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from enum import StrEnum
from typing import Annotated

import typer

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.cli.options import CommonOptions, ConversationKey
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.connections import WITH_OWN_FILE, ClientProgram
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL
from inklings_desktop.domain.rooms.orientation import DEFAULT_BUDGET_TOKENS
from inklings_desktop.relay.command import LINGER_SECONDS

DEFAULT_PORT = 8_765
MAX_PORT = 65_535


class Preset(StrEnum):
    """What a client is taken for."""

    WORLD_AGENT = "world-agent"
    EXTERNAL = "external"


class Allowed(StrEnum):
    """What can be granted."""

    READ = Action.READ.value
    WRITE = Action.WRITE.value
    PROPOSE = Action.PROPOSE.value
    SCRUB_PREVIEW = Action.SCRUB_PREVIEW.value
    SCRUB_KEEP_NAMED = Action.SCRUB_KEEP_NAMED.value
    SCRUB_FULL = Action.SCRUB_FULL.value
    WORLD_READ = Action.WORLD_READ.value
    WORLD_PROPOSE = Action.WORLD_PROPOSE.value


ClientName = Annotated[str, typer.Argument(metavar="CLIENT", help="Name of the client.")]
Tiers = Annotated[
    list[Tier] | None,
    typer.Option("--tier", metavar="TIER", help="In this tier; may be given several times."),
]
Allowing = Annotated[
    list[Allowed] | None,
    typer.Option(
        "--allow",
        metavar="RIGHT",
        help="read, write, propose, scrub:preview, scrub:keep_named or scrub:full; for pages, in"
        " the tier workspace alone, world:read or world:propose.",
    ),
]
OneChannel = Annotated[
    str | None,
    typer.Option("--channel", metavar="NAME|ID", help="In this channel only.", show_default=False),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions(CommonOptions):
    """How a client is served."""

    client: Annotated[
        str | None,
        typer.Option(
            "--client",
            metavar="NAME",
            help="Name of the client, as you know it; with --http without it every client.",
            show_default=False,
        ),
    ] = None
    http: Annotated[
        bool,
        typer.Option(
            "--http",
            help="On the loopback, for whoever shows the token of: inklings mcp token CLIENT.",
        ),
    ] = False
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=MAX_PORT, help="Port of --http; 0 takes one that is free."
        ),
    ] = DEFAULT_PORT
    in_process: Annotated[
        bool,
        typer.Option("--in-process", help="Alone, without the host that all clients share."),
    ] = False
    linger: Annotated[
        float,
        typer.Option(
            "--linger",
            min=0,
            metavar="SECONDS",
            help="How long a host that is started now stays after its last client.",
        ),
    ] = LINGER_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantOptions(CommonOptions):
    """What a client may do from now on."""

    client: ClientName
    preset: Annotated[
        Preset | None,
        typer.Option("--as", metavar="KIND", help="world-agent or external: the usual rights."),
    ] = None
    tier: Tiers = None
    allow: Allowing = None
    channel: OneChannel = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeOptions(CommonOptions):
    """What a client may no longer do; without options everything."""

    client: ClientName
    tier: Tiers = None
    allow: Allowing = None
    channel: OneChannel = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenOptions(CommonOptions):
    """Whose bearer token is shown, and whether it stays."""

    client: ClientName
    renew: Annotated[
        bool, typer.Option("--new", help="A new one; the one before is good for nothing.")
    ] = False
    remove: Annotated[
        bool,
        typer.Option("--remove", help="Delete it: the client can't connect by HTTP any longer."),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions(CommonOptions):
    """Whose connection is tried."""

    client: ClientName


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOptions(CommonOptions):
    """For which program the configuration is."""

    client: ClientName
    program: Annotated[
        ClientProgram,
        typer.Option(
            "--for",
            metavar="PROGRAM",
            help=f"{', '.join(list(ClientProgram)[:-1])} or {ClientProgram.GENERIC}.",
        ),
    ] = ClientProgram.GENERIC


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions(CommonOptions):
    """To which program's file this one is added."""

    client: ClientName
    program: Annotated[
        ClientProgram,
        typer.Option(
            "--for",
            metavar="PROGRAM",
            help=f"{', '.join(WITH_OWN_FILE[:-1])} or {WITH_OWN_FILE[-1]}.",
        ),
    ]
    yes: Annotated[bool, typer.Option("--yes", help="Write it without asking.")] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False


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
        str,
        typer.Option("--agent", metavar="PRESET", help="With whom; see inklings agent presets."),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetOptions(CommonOptions):
    """Which agent it is about."""

    preset: Annotated[str, typer.Argument(metavar="PRESET", help="Id of the agent.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvidersOptions(CommonOptions):
    """Whether providers are asked."""

    test: Annotated[
        bool, typer.Option("--test", help="Ask every provider that has a key for its models.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOptions(CommonOptions):
    """One provider."""

    provider: Annotated[
        str, typer.Argument(metavar="PROVIDER", help="Its id; see inklings agent providers.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteOptions(CommonOptions):
    """What goes where from now on; nothing for how it is."""

    what: Annotated[
        str | None,
        typer.Argument(metavar="CLASS|WORK", help="frontier, fast or cheap, or a kind of work."),
    ] = None
    to: Annotated[
        str | None,
        typer.Argument(metavar="MODEL|CLASS", help="PROVIDER/MODEL for a class, a class for work."),
    ] = None


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
