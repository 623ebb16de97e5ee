"""The state of a graph as JSON: what it may be made of is listed here, and nothing else is stored.

What JSON has no word for is written as ``{"~": <which of these>, "v": …}``. Reading it back makes
nothing but the handful of plain things below: no class is looked up, imported or called by a name
that the data gives. An exception is kept as the name of its class; its text may quote anything.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from typing import TYPE_CHECKING, Any, NoReturn

from langgraph.types import Interrupt, Send

if TYPE_CHECKING:
    from collections.abc import Mapping

_TAG, _VALUE = "~", "v"
_PLAIN = frozenset({str, int, bool, type(None)})
_KEYS = frozenset({str})


class UnstorableStateError(TypeError):
    """A node wrote what is none of the things that a state is made of."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class UnreadableStateError(ValueError):
    """What is stored is no state: damaged, forged, or in a form that nobody here knows."""


class FormerError(Exception):
    """An exception that ended a step in an earlier process; its argument is its class's name."""


def encode(value: object) -> bytes:
    """This value, to be stored.

    Raises:
        UnstorableStateError: Something in it is none of the things that a state is made of.
    """
    return _text(value).encode("utf-8", "surrogatepass")


class Checkpoints:
    """Encodes one checkpoint after the other.

    Of a thread's channels most are the same after a step as before it, the longest among them. What
    was written of one is kept for as long as it holds the same thing under the same version.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, object, str]] = {}

    def encode(self, checkpoint: Mapping[str, Any]) -> bytes:
        """This checkpoint, to be stored; raises like ``encode``."""
        versions = checkpoint["channel_versions"]
        known = {}
        for name, value in checkpoint["channel_values"].items():
            held, version = self._known.get(name), versions.get(name)
            is_same = held is not None and held[0] is value and held[1] == version
            known[name] = held if held and is_same else (value, version, _text(value))
        self._known = known
        rest = _text({key: one for key, one in checkpoint.items() if key != "channel_values"})
        channels = ",".join(f"{_text(name)}:{text}" for name, (_, _, text) in known.items())
        body = f'{rest[:-1]},"channel_values":{{{channels}}}}}'
        return body.encode("utf-8", "surrogatepass")


def decode(stored: bytes) -> Any:
    """The value that was stored.

    Raises:
        UnreadableStateError: It is none.
    """
    try:
        return json.loads(
            stored.decode("utf-8", "surrogatepass"),
            object_hook=_untagged,
            parse_float=_finite,
            parse_constant=_refuse,
        )
    except UnreadableStateError:
        raise
    except (ValueError, RecursionError) as error:
        raise UnreadableStateError from error


class TaggedJson:
    """The same as the serialiser of a saver, for whoever asks a saver for one."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Encode it; raises like ``encode``."""
        return "json", encode(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Decode it; raises like ``decode``."""
        if data[0] != "json":
            raise UnreadableStateError
        return decode(data[1])


def _text(value: object) -> str:
    try:
        return json.dumps(
            _tagged(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    except RecursionError as error:
        raise UnstorableStateError("nesting") from error


def _tagged(value: Any) -> Any:
    """The value in words of JSON. Most values are leaves, so none of them costs a call."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        tagged = {key: one if type(one) in _PLAIN else _tagged(one) for key, one in value.items()}
        if not _KEYS.issuperset(map(type, tagged)):
            raise UnstorableStateError("key")
        return _as("dict", list(tagged.items())) if _TAG in tagged else tagged
    if kind is list or kind is tuple:
        listed = [one if type(one) in _PLAIN else _tagged(one) for one in value]
        return listed if kind is list else _as("tuple", listed)
    if kind is float and math.isfinite(value):
        return value
    if kind is bytes:
        return _as("bytes", base64.b64encode(value).decode("ascii"))
    return _of_the_graph(value)


def _of_the_graph(value: object) -> dict[str, Any]:
    if isinstance(value, Interrupt):
        return _as("interrupt", _tagged([value.value, value.id, value.response_schema]))
    if isinstance(value, Send) and value.timeout is None:
        return _as("send", _tagged([value.node, value.arg]))
    if isinstance(value, BaseException):
        return _as("error", type(value).__name__)
    raise UnstorableStateError(type(value).__name__)


def _as(tag: str, value: object) -> dict[str, Any]:
    return {_TAG: tag, _VALUE: value}


def _untagged(read: dict[str, Any]) -> Any:
    """What an object stands for; the objects inside it are known already."""
    if _TAG not in read:
        return read
    if read.keys() != {_TAG, _VALUE}:
        raise UnreadableStateError
    match read[_TAG], read[_VALUE]:
        case "tuple", list(items):
            return tuple(items)
        case "dict", list(pairs) if all(_is_pair(one) for one in pairs):
            return dict(pairs)
        case "bytes", str(text):
            try:
                return base64.b64decode(text, validate=True)
            except binascii.Error as error:
                raise UnreadableStateError from error
        case "interrupt", [value, str(id_), (dict() | None) as schema]:
            return Interrupt(value=value, id=id_, response_schema=schema)
        case "send", [str(node), arg]:
            return Send(node, arg)
        case "error", str(name):
            return FormerError(name)
    raise UnreadableStateError


def _is_pair(one: object) -> bool:
    return isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)  # noqa: PLR2004


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(_text: str) -> NoReturn:
    raise UnreadableStateError
