from __future__ import annotations

from tests.architecture.fresh_interpreter import run_fresh

IMPORTING = """
import builtins, inspect, json
read = []
ours = inspect.getsource
inspect.getsource = lambda module: read.append(module.__name__) or ours(module)
from inklings_desktop.ui.app.plain_imports import import_plainly
import_plainly()
del read[:]
import tomllib
from inklings_desktop.ui.kit.ops import timers
from PySide6.QtSvg import QSvgRenderer
print(json.dumps({
    "read": read,
    "is_hooked": builtins.__import__ is builtins.__feature_import__,
    "is_whole": not QSvgRenderer().isValid() and hasattr(timers.QTimer, "start"),
}))
"""

OTHER_HOOK = """
import builtins, json
import PySide6.QtCore
behind = builtins.__import__
def mine(*args, **named):
    return behind(*args, **named)
builtins.__import__ = mine
from inklings_desktop.ui.app.plain_imports import import_plainly
import_plainly()
print(json.dumps(builtins.__import__ is mine))
"""


def test_no_text_of_a_module_is_read_and_qt_is_whole() -> None:
    assert run_fresh(IMPORTING) == {"read": [], "is_hooked": False, "is_whole": True}


LOOPS = """
import json, sys
from inklings_desktop.ui.app.plain_imports import import_plainly
import_plainly()
import asyncio
before = "ssl" in sys.modules
import ssl
print(json.dumps([before, hasattr(ssl, "SSLContext"), asyncio.run(asyncio.sleep(0, "woke"))]))
"""


def test_asyncio_is_there_without_tls_and_tls_for_whoever_imports_it() -> None:
    assert run_fresh(LOOPS) == [False, True, "woke"]


def test_a_hook_of_somebody_else_stays() -> None:
    assert run_fresh(OTHER_HOOK) is True
