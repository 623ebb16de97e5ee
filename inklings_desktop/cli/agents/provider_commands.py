"""``inklings agent``: who provides models, their keys, and which work goes to which model."""

from __future__ import annotations

import getpass
import os
import sys
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.sentences import KEPT
from inklings_desktop.agent_client.greeting import GREET_SECONDS, Asking
from inklings_desktop.agent_client.launching import own_environment, world_agent_command
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.session import Problem
from inklings_desktop.agent_settings import BUILT_IN, CLASSES, OFF, PROCESSES, route_of
from inklings_desktop.cli.agents.agent_options import (
    ProviderOptions,
    ProvidersOptions,
    RouteOptions,
)
from inklings_desktop.cli.agents.chat_terminal import problem_failure
from inklings_desktop.cli.command import (
    command,
    group,
    program_command,
    require_root,
    settings_notes,
)
from inklings_desktop.cli.messages import CommandFailedError, unavailable, wrong_usage
from inklings_desktop.cli.output import counted, one_line, table
from inklings_desktop.cli.program import Answer
from inklings_desktop.data_root import default_data_dir
from inklings_desktop.settings import SETTINGS
from inklings_desktop.settings_file import LiveSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from inklings_desktop.agent_settings import AgentSettings
    from inklings_desktop.cli.options import CommonOptions
    from inklings_desktop.cli.program import Program
    from inklings_desktop.usecases.bundle import Inklings

_MICRO = 1_000_000
_Ask: TypeAlias = "Callable[..., dict[str, Any]]"


def add_provider_commands(agents: typer.Typer) -> None:
    """Add the commands about models to those about agents."""
    program_command(agents, "providers", ProvidersOptions, providers)
    program_command(agents, "models", ProviderOptions, models)
    command(agents, "route", RouteOptions, route, begins_root=False)
    keys = group("key", "Keys of providers; they stay in the system's keyring.")
    program_command(keys, "set", ProviderOptions, set_key)
    program_command(keys, "sign-in", ProviderOptions, sign_in)
    program_command(keys, "forget", ProviderOptions, forget_key)
    agents.add_typer(keys)


def providers(program: Program, options: ProvidersOptions) -> Answer:
    """List who provides models, and whether there is a key; with --test, ask who may answer."""
    with _asked(program, options) as agent:
        told = agent(words.PROVIDER_LIST, {})
        found = list(told["providers"])
        if options.test:
            found = [one | {"test": _test(agent, one)} for one in found]
    rows = [[one["id"], one["title"], _way_in(one), *_tested(one)] for one in found]
    notes = settings_notes(LiveSettings(options.data_dir or default_data_dir()))
    if not told["keyring"]:
        notes.append("This system has no keyring, so no key can be kept.")
    return Answer({"keyring": told["keyring"], "providers": found}, table(rows), notes)


def models(program: Program, options: ProviderOptions) -> Answer:
    """List the models of a provider."""
    with _asked(program, options) as agent:
        _require_known(_ids(agent(words.PROVIDER_LIST, {})), options.provider)
        found = agent(words.PROVIDER_MODELS, {"id": options.provider})["models"]
    rows = [[f"{options.provider}/{one['id']}", one["title"], _size(one)] for one in found]
    none = ["It lists no models."]
    return Answer({"provider": options.provider, "models": found}, table(rows) if rows else none)


def set_key(program: Program, options: ProviderOptions) -> Answer:
    """Keep the key of a provider; it is asked for without showing it, and tested first."""
    with _asked(program, options) as agent:
        _for_a_key(agent, options.provider)
        key = _typed_key(options.provider)
        kept = agent(words.PROVIDER_SET, {"id": options.provider, "key": key})
    return _kept(options.provider, kept, "The key works and is kept.")


def sign_in(program: Program, options: ProviderOptions) -> Answer:
    """Sign in at a provider with a browser on this computer, and keep the key it gives."""
    with _asked(program, options) as agent:
        if not _for_a_key(agent, options.provider)["signs_in"]:
            raise wrong_usage(
                f"{options.provider} has no sign-in. Keep a key with:"
                f" inklings agent key set {options.provider}"
            )
        asked = {"id": options.provider}
        address = agent(words.PROVIDER_SIGN_IN, asked)["url"]
        typer.echo(f"Open this in a browser on this computer: {one_line(address)}", err=True)
        agent(words.PROVIDER_SIGN_IN, asked | {"wait": True}, words.SIGN_IN_SECONDS)
        kept = _for_a_key(agent, options.provider)
    facts = {name: kept[name] for name in ("key", "ends")}
    return _kept(options.provider, facts, "You are signed in, and the key is kept.")


def forget_key(program: Program, options: ProviderOptions) -> Answer:
    """Delete the key of a provider from the keyring."""
    with _asked(program, options) as agent:
        _require_known(_ids(agent(words.PROVIDER_LIST, {})), options.provider)
        agent(words.PROVIDER_FORGET, {"id": options.provider})
    return Answer({"provider": options.provider}, ["The key is deleted."])


def route(inklings: Inklings, options: RouteOptions) -> Answer:
    """Say which work goes to which model, or change it: a class and a model, a work and a class."""
    if options.what is not None:
        place, value = _change(options.what, options.to)
        if value and options.what in CLASSES:
            added = [one.id for one in inklings.settings.agent.providers]
            _require_known([*BUILT_IN, *added], value.partition("/")[0])
        inklings.preferences.save({place: value})
    settings = inklings.settings.agent
    return Answer(_document(settings), _lines(settings))


def _change(what: str, to: str | None) -> tuple[str, str]:
    if to is None:
        raise wrong_usage("Say what it goes to: inklings agent route frontier PROVIDER/MODEL.")
    if what in CLASSES:
        place, value, rule = f"agent.classes.{what}", "" if to == OFF else to, "PROVIDER/MODEL"
    elif what in PROCESSES:
        place, value, rule = f"agent.routing.{what}", to, ", ".join((*reversed(CLASSES), OFF))
    else:
        known = ", ".join((*reversed(CLASSES), *PROCESSES))
        raise wrong_usage(f"There is no {one_line(what, 60)}; there is {known}.")
    try:
        return place, str(SETTINGS[place].taken(value))
    except ValueError:
        raise wrong_usage(f"{what} goes to {rule}.") from None


def _document(settings: AgentSettings) -> dict[str, Any]:
    return {
        "classes": asdict(settings.classes),
        "routes": [asdict(route_of(settings, one)) for one in PROCESSES],
    }


def _lines(settings: AgentSettings) -> list[str]:
    classes = [[one, settings.classes.named(one) or "none"] for one in reversed(CLASSES)]
    works = []
    for process in PROCESSES:
        found = route_of(settings, process)
        model = found.model or "without a model"
        if found.model and found.given != found.wanted:
            model += f" (no {found.wanted} one is set)"
        works.append([process, found.wanted, model])
    return [*table(classes), "", *table(works)]


@contextmanager
def _asked(program: Program, options: CommonOptions) -> Iterator[_Ask]:
    """Asks the World Agent's process, which ends with the block; what it cannot do is said."""
    require_root(options)
    data_dir = (options.data_dir or default_data_dir()).absolute()
    started = world_agent_command(data_dir, None)
    if program.agent_command is not None:
        started = program.agent_command(data_dir, "")
    if started is None:
        raise CommandFailedError(problem_failure(Problem(words.AGENT_NOT_INSTALLED)))
    process = PlainProcess(started, own_environment(os.environ))
    with closing(Asking(process)) as agent:

        def ask(
            method: str, params: dict[str, Any], seconds: float = GREET_SECONDS
        ) -> dict[str, Any]:
            answer, problem = agent.ask(method, params, seconds)
            if problem is not None:
                failure = problem_failure(problem, tuple(process.last_lines))
                said = failure.message.removesuffix(f" {KEPT}")  # there is no message here
                raise CommandFailedError(replace(failure, message=said))
            return answer

        yield ask


def _for_a_key(ask: _Ask, provider: str) -> dict[str, Any]:
    """What is told of a provider whose key is to be kept."""
    told = ask(words.PROVIDER_LIST, {})
    if not told["keyring"]:
        raise unavailable("no_keyring", "This system has no keyring. The key was not kept.")
    _require_known(_ids(told), provider)
    return next(dict(one) for one in told["providers"] if one["id"] == provider)


def _kept(provider: str, kept: Mapping[str, Any], said: str) -> Answer:
    ends = f" It ends in {kept['ends']}." if kept["ends"] else ""
    return Answer({"provider": provider, **kept}, [f"{said}{ends}"])


def _ids(told: Mapping[str, Any]) -> list[str]:
    return [one["id"] for one in told["providers"]]


def _require_known(known: Sequence[str], provider: str) -> None:
    if provider not in known:
        said = f"There is no provider {one_line(provider, 60)}; there is {', '.join(known)}."
        raise wrong_usage(said)


def _typed_key(provider: str) -> str:
    """The key that is typed without being shown, or comes on standard input."""
    if sys.stdin.isatty():
        key = getpass.getpass(f"Key for {provider}: ", sys.stderr)
    else:
        key = sys.stdin.readline()
    if not key.strip():
        raise wrong_usage("A key needs at least one character. Nothing was changed.")
    return key.strip()


def _test(ask: _Ask, provider: Mapping[str, Any]) -> dict[str, Any] | None:
    """What came of asking a provider; None for one that needs a key and has none."""
    if provider["needs_key"] and not provider["key"]:
        return None
    try:
        told = ask(words.PROVIDER_TEST, {"id": provider["id"]})
    except CommandFailedError as error:
        return {"problem": error.failure.kind}
    return {"models": len(told["models"]), "ms": told["ms"]}


def _tested(provider: Mapping[str, Any]) -> list[str]:
    if "test" not in provider:
        return []
    test = provider["test"]
    if test is None:
        return ["not used"]
    return [test["problem"] if "problem" in test else counted(test["models"], "model")]


def _way_in(provider: Mapping[str, Any]) -> str:
    if provider["key"]:
        where = {"environment": "key in the environment"}.get(provider["key"], "key")
        return f"{where} ends in {provider['ends']}" if provider["ends"] else where
    return "no key" if provider["needs_key"] else f"no key needed, {provider['address']}"


def _size(model: Mapping[str, Any]) -> str:
    window = f"{model['window']:,} tokens" if model["window"] else ""
    prices = model["input_price"], model["output_price"]
    if None in prices:
        return window
    cost = " / ".join(f"{one / _MICRO:.2f}" for one in prices)
    return ", ".join(filter(None, (window, f"{cost} a million")))
