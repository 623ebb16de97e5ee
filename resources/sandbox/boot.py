"""Runs in the sandbox: waits for one script, runs it, and hands out what it returns.

The host is at the other end of descriptors 0 and 1: one line of JSON each way. What a script
prints goes to descriptor 2.
"""

import builtins
import collections
import datetime as dt
import difflib
import functools
import itertools
import json
import math
import os
import re
import statistics
import string
import sys
import textwrap
import traceback
import types
import unicodedata

_AHEAD = (collections, dt, difflib, functools, itertools, math, re, statistics, string)
_AHEAD += (textwrap, unicodedata)  # read before there is a script, so that it does not wait
_SCRIPT = "<script>"
_READ_BYTES = 65536


class RefusedError(Exception):
    """The host did not do what it was asked for; says why."""


def _send(frame):
    data = json.dumps(frame, allow_nan=False).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


def _receive():
    data = b""
    while not data.endswith(b"\n"):
        read = os.read(0, _READ_BYTES)
        if not read:
            sys.exit()
        data += read
    return json.loads(data)


def _call(module, name, **arguments):
    _send({"call": [module, name], "arguments": arguments})
    answer = _receive()
    if "refused" in answer:
        raise RefusedError(answer["refused"])
    return answer["value"]


def _importer(allowed):
    def find(name, given=None, local=None, fromlist=(), level=0):
        if name.partition(".")[0] not in allowed:
            raise ImportError(
                f"A script may not import {name}. It may import: {', '.join(allowed)}."
            )
        return builtins.__import__(name, given, local, fromlist, level)

    return find


def _run(order):
    for name, source in order["sources"].items():
        module = types.ModuleType(name)
        module.call = functools.partial(_call, name)
        module.RefusedError = RefusedError
        exec(compile(source, f"<{name}>", "exec"), module.__dict__)  # noqa: S102 - the host's own
        sys.modules[name] = module
    own = {**builtins.__dict__, "__import__": _importer(sorted(order["modules"]))}
    names = {"__name__": "script", "__builtins__": own}
    exec(compile(order["script"], _SCRIPT, "exec"), names)  # noqa: S102 - what it is here for
    if "main" not in names:
        raise NameError("The script defines no main(inputs).")
    _send({"result": names["main"](order["inputs"])})


def _failure(error):
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__)
             if one.filename == _SCRIPT]  # fmt: skip
    if isinstance(error, SyntaxError) and error.filename == _SCRIPT:
        lines.append(error.lineno)
    last = traceback.format_exception_only(error)[-1].strip()
    return {"failed": last[:500], "line": lines[-1] if lines else None}


sys.stdout = sys.stderr
_order = _receive()
try:
    _run(_order)
except MemoryError:
    _send({"full": True})
except BaseException as _error:  # noqa: BLE001 - whatever a script ends with is its own
    _send(_failure(_error))
