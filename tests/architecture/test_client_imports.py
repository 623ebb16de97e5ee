"""What hosts an agent is light: the window and the command line import it before anybody talks."""

from __future__ import annotations

import pkgutil
import sys

import pytest

import inklings_desktop.acp_wire
import inklings_desktop.agent_client
from tests.architecture.fresh_interpreter import run_fresh

MODULES = [
    found.name
    for package in (inklings_desktop.acp_wire, inklings_desktop.agent_client)
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
]
LIST_IMPORTS = """
import importlib, json, sys
before = set(sys.modules)
importlib.import_module({module!r})
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.mark.parametrize("module", MODULES)
def test_what_hosts_an_agent_imports_the_standard_library_alone(module: str) -> None:
    imported = run_fresh(LIST_IMPORTS.format(module=module))
    assert module in imported
    foreign = {
        name
        for name in imported
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "inklings_desktop"}
    }
    assert foreign == set()
    packages = {".".join(name.split(".")[:2]) for name in imported if "." in name}
    ours = {name for name in packages if name.startswith("inklings_desktop.")}
    known = ("acp_wire", "agent_client", "agent_settings", "domain", "resource_files")
    assert ours <= {f"inklings_desktop.{name}" for name in known}


def test_what_hosts_an_agent_brings_no_event_loop() -> None:
    imported = run_fresh(LIST_IMPORTS.format(module="inklings_desktop.agent_client.terminal_chat"))
    assert "inklings_desktop.agent_client.talk" in imported
    assert not {"asyncio", "socket", "ssl"} & set(imported)
