"""Lines of a stream of bytes, and the calls of JSON-RPC 2.0 that they are."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeGuard, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

WaitingT = TypeVar("WaitingT")
CallId = int | str

MAX_LINE_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """The other side asks, and waits for an answer."""

    id: CallId
    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """The other side tells something."""

    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """The other side answers a call of ours; ``error`` is None where it did what was asked."""

    id: CallId
    result: Any
    error: dict[str, Any] | None


Call = Asked | Told | Answered


def read(line: bytes) -> Call | None:
    """What a line means; None for noise: no JSON, no object, or no call."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    id_, method = told.get("id"), told.get("method")
    if isinstance(method, str):
        params = told.get("params")
        params = params if isinstance(params, dict) else {}
        return Asked(id_, method, params) if _is_id(id_) else Told(method, params)
    if not _is_id(id_) or not ("result" in told or "error" in told):
        return None
    error = told.get("error")
    if error is not None and not isinstance(error, dict):
        error = {"message": str(error)[:200]}
    return Answered(id_, told.get("result"), error)


def request(id_: CallId, method: str, params: Mapping[str, Any]) -> bytes:
    """A call that waits for an answer."""
    return _line({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})


def notification(method: str, params: Mapping[str, Any]) -> bytes:
    """A call that nobody answers."""
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


def answer(id_: CallId, result: Any) -> bytes:
    """The answer to a call that was carried out."""
    return _line({"jsonrpc": "2.0", "id": id_, "result": result})


def refusal(id_: CallId, code: int, message: str, data: Mapping[str, Any] | None = None) -> bytes:
    """The answer to a call that was not."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return _line({"jsonrpc": "2.0", "id": id_, "error": error})


class Waiting(Generic[WaitingT]):
    """The calls that we wait for, each with what to do once it is answered."""

    def __init__(self) -> None:
        self._next = 1
        self._calls: dict[int, WaitingT] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, call: WaitingT) -> int:
        """Wait for one more; its id."""
        id_ = self._next
        self._next += 1
        self._calls[id_] = call
        return id_

    def take(self, id_: CallId) -> WaitingT | None:
        """The call that has this id; None for one that nobody waits for, as after a repeat."""
        return self._calls.pop(id_, None) if isinstance(id_, int) else None

    def take_all(self) -> list[WaitingT]:
        """All of them, oldest first: nobody answers any more."""
        calls = list(self._calls.values())
        self._calls = {}
        return calls

    def items(self) -> list[tuple[int, WaitingT]]:
        """Each with its id, oldest first."""
        return list(self._calls.items())


def _is_id(id_: object) -> TypeGuard[CallId]:
    return isinstance(id_, int | str) and not isinstance(id_, bool)


def _line(message: dict[str, Any]) -> bytes:
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    # Half of a surrogate pair cannot be sent; whoever typed it sees a mark in its place.
    return text.encode("utf-8", "replace") + b"\n"


class LineSplitter:
    """Takes bytes as they come and gives whole lines.

    Attributes:
        n_too_long: Lines that were over the limit; they are left out, the next one is read again.
        n_waiting: Bytes that were taken and not yet given, as lines or as part of one.
    """

    def __init__(self, most: int = MAX_LINE_BYTES) -> None:
        self.n_too_long = 0
        self.n_waiting = 0
        self._most = most
        self._lines: deque[bytes] = deque()
        self._rest: list[bytes] = []
        self._n_rest = 0
        self._is_skipping = False

    def feed(self, data: bytes) -> None:
        """Take what was read."""
        first, *others = data.split(b"\n")
        if not others:
            self._go_on(first)
            return
        self._go_on(first)
        self._end()
        *whole, rest = others
        for line in whole:
            self._go_on(line)
            self._end()
        self._go_on(rest)

    def next(self) -> bytes | None:
        """The next line without its end; None until there is one. Empty lines are left out."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self.n_waiting -= len(line)
        return line

    @property
    def has_lines(self) -> bool:
        """Whether a whole line waits."""
        return bool(self._lines)

    def _go_on(self, piece: bytes) -> None:
        if self._is_skipping or not piece:
            return
        self._n_rest += len(piece)
        self.n_waiting += len(piece)
        self._rest.append(piece)
        if self._n_rest > self._most:
            self.n_waiting -= self._n_rest
            self._rest, self._n_rest = [], 0
            self._is_skipping = True
            self.n_too_long += 1

    def _end(self) -> None:
        line = b"".join(self._rest)
        self._rest, self._n_rest = [], 0
        self._is_skipping = False
        if line.strip():
            self._lines.append(line)
        else:
            self.n_waiting -= len(line)
