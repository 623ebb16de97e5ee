"""What a person may set about agents and the models behind them, as plain values.

``settings`` reads them from the tables ``[agent]`` of ``settings.toml``; this knows their form and
nothing of the file. What cannot be used is left out, and its table is named as a problem.
"""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import is_own_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

FRONTIER, FAST, CHEAP, OFF = "frontier", "fast", "cheap", "off"
CLASSES = (CHEAP, FAST, FRONTIER)
"""From the least to the best: where one is not set, the next better one that is takes its work."""
WIRES = ("openai_chat", "anthropic_messages")
BUILT_IN = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "xai": "XAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "ollama": "",
}
"""By id of the providers that are known, the variable that may hold a key; empty for none."""
TITLES = {
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "xai": "xAI",
    "openrouter": "OpenRouter",
    "ollama": "Ollama",
}
"""What the providers that are known are called; one that was added is called by its id."""
KEY_VARIABLES = tuple(filter(None, BUILT_IN.values()))
"""Variables of the environment that the World Agent alone is handed."""
MAX_NAME, MAX_TITLE = 64, 120
MAX_COST = 10_000.0


@dataclass(frozen=True, slots=True)
class Classes:
    """Which model does the work of each class, as ``provider/model``; empty for none."""

    frontier: str = ""
    fast: str = ""
    cheap: str = ""

    def named(self, name: str) -> str:
        """The model of one of ``CLASSES``."""
        return str(getattr(self, name))

    @property
    def has_any(self) -> bool:
        """Whether any model is set that could answer."""
        return bool(self.frontier or self.fast or self.cheap)


@dataclass(frozen=True, slots=True)
class Routing:
    """Which class does each kind of work; ``off`` for doing it without a model."""

    orchestrator: str = FRONTIER
    researcher: str = FRONTIER
    worker: str = FAST
    composer: str = FRONTIER
    gate: str = CHEAP
    compact: str = CHEAP
    summary: str = CHEAP
    title: str = CHEAP
    merge: str = CHEAP
    judge: str = CHEAP


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of models that the person added by its address.

    Attributes:
        id: How it is named before the ``/`` of a model.
        wire: One of ``WIRES``.
        base_url: Over TLS, or on this machine.
    """

    id: str
    wire: str
    base_url: str


@dataclass(frozen=True, slots=True)
class Preset:
    """Another agent that the person may talk to in the window.

    Attributes:
        command: The program and its arguments; it is started without a shell.
        env: Names of the variables of our own environment that it is handed on.
        client: The name under which it reaches memory.
    """

    id: str
    title: str
    command: tuple[str, ...]
    env: tuple[str, ...]
    client: str


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Everything that is set about agents.

    Attributes:
        preset: Id of the agent that new conversations begin with; empty for the World Agent.
        write_policy: ``decide``, ``ask`` or ``never``.
        turn_cost: What one turn may cost until it asks, in the provider's currency; 0 for no limit.
        daily_cost: The same for a day.
    """

    preset: str = ""
    write_policy: str = "decide"
    turn_cost: float = 0.5
    daily_cost: float = 5.0
    classes: Classes = field(default_factory=Classes)
    routing: Routing = field(default_factory=Routing)
    providers: tuple[Provider, ...] = ()
    presets: tuple[Preset, ...] = ()


PROCESSES = tuple(one.name for one in fields(Routing))
"""Every kind of work, the conversation first."""


@dataclass(frozen=True, slots=True)
class Route:
    """Which model a kind of work goes to.

    Attributes:
        process: One of ``PROCESSES``.
        wanted: The class that is wanted for it, or ``off``.
        given: The class whose model does it: a better one where the wanted one is not set; empty
            where it is done without a model.
        model: As ``provider/model``; empty for none.
    """

    process: str
    wanted: str
    given: str = ""
    model: str = ""


def route_of(settings: AgentSettings, process: str) -> Route:
    """Where a kind of work goes as things are set."""
    wanted = str(getattr(settings.routing, process))
    for one in () if wanted == OFF else CLASSES[CLASSES.index(wanted) :]:
        if model := settings.classes.named(one):
            return Route(process, wanted, one, model)
    return Route(process, wanted)


def sent_to(settings: AgentSettings) -> tuple[str, ...]:
    """Ids of the providers that some work is sent to as things are set, each once."""
    models = (route_of(settings, one).model for one in PROCESSES)
    return tuple(dict.fromkeys(one.partition("/")[0] for one in models if one))


class PartlyUsableError(ValueError):
    """Some rows of a list cannot be used.

    Attributes:
        usable: The others.
    """

    def __init__(self, usable: tuple[Provider, ...] | tuple[Preset, ...]) -> None:
        super().__init__()
        self.usable = usable


@dataclass(frozen=True, slots=True)
class Model:
    """A model by its provider's id and its own name, with a slash between."""

    def taken(self, value: object) -> str:
        """The same text; empty for none.

        Raises:
            ValueError: It is something else.
        """
        if isinstance(value, str) and (not value or all(value.strip().partition("/"))):
            return value.strip()
        raise ValueError(value)


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of tables, each with an id of its own.

    Attributes:
        row: Makes one of a table.
    """

    row: Callable[[Mapping[str, Any]], Any]

    def taken(self, value: object) -> tuple[Any, ...]:
        """A row for each table.

        Raises:
            PartlyUsableError: Some of them are none.
        """
        tables = value if isinstance(value, list) else [value]
        found = {one.id: one for one in self._usable(tables)}
        if len(found) < len(tables):
            raise PartlyUsableError(tuple(found.values()))
        return tuple(found.values())

    def _usable(self, tables: list[Any]) -> Iterator[Any]:
        for table in tables:
            try:
                yield self.row(table)
            except (KeyError, TypeError, ValueError):
                continue


def provider_of(table: Mapping[str, Any]) -> Provider:
    """The provider that a table describes.

    Raises:
        KeyError: Something is missing.
        ValueError: Something cannot be used.
    """
    found = Provider(_name(table["id"]), table["wire"], table["base_url"])
    if found.wire not in WIRES or not is_safe_address(found.base_url):
        raise ValueError(found)
    return found


def preset_of(table: Mapping[str, Any]) -> Preset:
    """The agent that a table describes.

    Raises:
        KeyError: Something is missing.
        ValueError: Something cannot be used.
    """
    id_, command, env = _name(table["id"]), table["command"], table.get("env", [])
    title = _text(table.get("title", id_))
    is_formed = isinstance(command, list) and isinstance(env, list)
    if not is_formed or not command or len(title) > MAX_TITLE:
        raise ValueError(command)
    client = _name(table.get("client", id_))
    return Preset(id_, title, tuple(map(_text, command)), tuple(map(_text, env)), client)


def is_safe_address(address: object) -> bool:
    """Whether a provider may be spoken to there: over TLS, or on this machine."""
    from urllib.parse import urlsplit  # most have no address in their settings

    try:
        parts = urlsplit(address if isinstance(address, str) else "")
        host, _ = parts.hostname, parts.port  # asking for the port raises for one that is none
    except ValueError:
        return False
    if not host or parts.username is not None or parts.query or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_this_machine(host))


def is_this_machine(host: str) -> bool:
    """Whether a host is the machine that asks."""
    import ipaddress

    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def stays_here(providers: Iterable[Provider], model: str) -> bool:
    """Whether ``provider/model`` answers on this machine, as these were added."""
    from urllib.parse import urlsplit

    id_, _, name = model.partition("/")
    if id_ == "ollama":
        return not name.endswith("cloud")  # it passes on what is meant for such a model
    hosts = (urlsplit(one.base_url).hostname for one in providers if one.id == id_)
    return any(is_this_machine(one or "") for one in hosts)


def _name(value: object) -> str:
    name = _text(value)
    if not name or not is_own_name(name, MAX_NAME):
        raise ValueError(name)
    return name


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(value)
    return value
