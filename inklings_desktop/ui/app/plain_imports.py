"""Imports as the interpreter does them, without the hook that PySide puts before each.

PySide reads the text of every module that is imported after it, in search of its own name: there
its optional spellings (``snake_case``, ``true_property``) could be switched on. Nobody here does
that, and the texts of some 600 modules are a tenth of the way to the first page.
"""

from __future__ import annotations

import builtins
import sys

from PySide6 import QtCore  # noqa: F401 - the first import of PySide puts the hook there


def import_plainly() -> None:
    """Take PySide's hook away; whatever else stands before imports stays, also PySide's own.

    Call it before the modules of the window are imported. Where PySide has no such hook, or
    somebody put another one before it, that one stays. asyncio is imported here, without TLS.
    """
    hook = getattr(builtins, "__feature_import__", None)
    behind = getattr(builtins, "__orig_import__", None)
    if hook is not None and behind is not None and builtins.__import__ is hook:
        builtins.__import__ = behind
    _import_event_loops()


def _import_event_loops() -> None:
    """Import asyncio without TLS, which it takes along wherever it finds it.

    Over a loop nobody here speaks it, and OpenSSL is a thirtieth of the way to the first paint.
    Whoever needs ``ssl`` itself imports it as ever.
    """
    if "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]  # so that importing it fails
    try:
        import asyncio  # noqa: F401 - kept by the interpreter
    finally:
        del sys.modules["ssl"]
