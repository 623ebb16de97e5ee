"""One interpreter in its sandbox, for one script.

It has no folder, no environment, no socket and no way to wait. What it writes to descriptor 1 is a
line of JSON for us, answered before the write returns; descriptor 0 holds the answer. A callback of
ours never raises: the library keeps one exception for all threads, so another's would be told. To
end a script its engine is interrupted instead, which only this one runs on.
"""

from __future__ import annotations

import logging
import queue
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from inklings_desktop import freed_memory
from inklings_desktop.agent.scripts.artifact import new_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import wasmtime

BOOT_FUEL: Final = 5_000_000_000
"""Far more than the 0.6 G that a boot takes."""
PRINTED_BYTES: Final = 16 * 1024
"""How much of what a script prints is kept; what comes after is lost."""

_WASI = "wasi_snapshot_preview1"
_OK, _BAD_DESCRIPTOR, _NOT_SUPPORTED = 0, 8, 58
_IN, _OUT, _ERR = 0, 1, 2
_WORD = 4
_COMMAND = ("python", "-I", "-S", "-B", "-c")
_FRAME_BYTES = 1024 * 1024
_MOST_PARTS = 1024
_FULL = 0.9
"""Which share of its memory one has taken that ended because it got no more."""
_log = logging.getLogger("inklings.agent")


class Order(Protocol):
    """What a script is run with, and who answers it; called from the thread of the machine."""

    @property
    def fuel(self) -> int:
        """How much it may compute."""

    def text(self) -> bytes:
        """The line that the interpreter waits for."""

    def answer(self, frame: bytes) -> bytes | None:
        """What to answer to a line of it; None where it is to end."""

    def too_long(self) -> None:
        """It wrote a line that is longer than any should be."""

    def over(self, ending: Ending) -> None:
        """It has ended; called once, last."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the interpreter ended.

    Attributes:
        is_out_of_fuel: Whether it had used up what it was given.
        is_full: Whether its memory had grown to the limit.
        fuel: How much the script used.
        printed: What it printed, at most 16 KiB of it.
    """

    is_out_of_fuel: bool = False
    is_full: bool = False
    fuel: int = 0
    printed: str = ""


class Machine:
    """An interpreter that boots at once, in a thread, and then waits for its script."""

    def __init__(self, artifact: bytes, boot: str, memory: int) -> None:
        """Begin to boot.

        Args:
            artifact: The compiled interpreter.
            boot: The Python text that it begins with.
            memory: Most bytes it may take.
        """
        from wasmtime import Store

        self.memory = memory
        self._boot = boot
        self._engine = new_engine()
        self._store = Store(self._engine)
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._order: Order | None = None
        self._given = self._written = b""
        self._printed = bytearray()
        self._is_stopped = threading.Event()
        self._ending = threading.Lock()
        self._has_ended = False
        self._artifact = artifact
        self._thread = threading.Thread(target=self._live, name="script machine", daemon=True)
        self._thread.start()

    def run(self, order: Order) -> None:
        """Hand it its script, once; returns at once. The order hears of everything else."""
        with self._ending:
            if not self._has_ended:
                self._orders.put(order)
                return
        order.over(Ending())

    def stop(self) -> None:
        """End it, whatever it is at; from any thread, as often as wanted."""
        self._is_stopped.set()
        self._orders.put(None)
        with self._ending:
            if not self._has_ended:
                self._engine.increment_epoch()

    def _live(self) -> None:
        ending = Ending()
        try:
            ending = self._ran(*self._made())
        except Exception:  # noqa: BLE001 - it ends with its thread, and whoever waits hears of it
            _log.exception("a script's machine failed")
        finally:
            self._is_stopped.set()
            self._store.close()
            with self._ending:
                self._has_ended = True
                self._engine.close()
            freed_memory.give_back()
            waiting = [self._order]
            with suppress(queue.Empty):
                while True:
                    waiting.append(self._orders.get_nowait())
            for order in filter(None, waiting):
                order.over(ending)

    def _ran(self, start: Callable[[Any], Any], memory: wasmtime.Memory) -> Ending:
        is_out_of_fuel = self._started(start)
        size, left = memory.data_len(self._store), self._store.get_fuel()
        return Ending(
            is_out_of_fuel=is_out_of_fuel,
            is_full=size > self.memory * _FULL,
            fuel=self._order.fuel - left if self._order is not None else 0,
            printed=self._printed.decode("utf-8", "replace"),
        )

    def _started(self, start: Callable[[Any], Any]) -> bool:
        """Run it to its end; whether it ended for want of fuel."""
        from wasmtime import Trap, TrapCode, WasmtimeError

        try:
            start(self._store)
        except (Trap, WasmtimeError) as error:  # of which an ordinary end is one
            error.__traceback__ = None  # it leads back to itself, and to all that was loaded
            return isinstance(error, Trap) and error.trap_code is TrapCode.OUT_OF_FUEL
        return False

    def _made(self) -> tuple[Callable[[Any], Any], wasmtime.Memory]:
        from wasmtime import FuncType, Linker, Module, ValType, WasiConfig

        artifact, self._artifact = self._artifact, b""
        store = self._store
        store.set_limits(memory_size=self.memory, instances=1, memories=1)
        store.set_fuel(BOOT_FUEL)
        store.set_epoch_deadline(1)
        wasi = WasiConfig()
        wasi.argv = [*_COMMAND, self._boot]
        wasi.env = []
        store.set_wasi(wasi)
        with Linker(self._engine) as linker, Module.deserialize(self._engine, artifact) as module:
            linker.define_wasi()
            linker.allow_shadowing = True
            kind = FuncType([ValType.i32()] * 4, [ValType.i32()])
            for name, function in (
                ("fd_read", self._read),
                ("fd_write", self._write),
                ("poll_oneoff", _never_waits),
            ):
                linker.define_func(_WASI, name, kind, self._safely(function), access_caller=True)
            exports = linker.instantiate(store, module).exports(store)
        del artifact
        freed_memory.give_back()
        start, memory = exports["_start"], exports["memory"]
        return start, memory

    def _safely(self, function: Callable[..., int]) -> Callable[..., int]:
        def call(*given: Any) -> int:
            try:
                return function(*given)
            except Exception:  # noqa: BLE001 - see above: none may be raised
                _log.exception("a script's machine asked for what cannot be")
                self.stop()
                return _NOT_SUPPORTED

        return call

    def _read(self, caller: Any, descriptor: int, parts: int, n_parts: int, n_read: int) -> int:
        """Give the interpreter what it is to read; before its script it waits here."""
        if descriptor != _IN:
            return _BAD_DESCRIPTOR
        memory = caller["memory"]
        if not self._given and self._order is None and not self._is_stopped.is_set():
            self._order = self._orders.get()
            if self._order is not None:
                self._given = self._order.text()
                self._store.set_fuel(self._order.fuel)
        total = 0
        for at, length in _parts(memory, caller, parts, n_parts):
            piece, self._given = self._given[:length], self._given[length:]
            memory.write(caller, piece, at)
            total += len(piece)
        memory.write(caller, total.to_bytes(_WORD, "little"), n_read)
        return _OK

    def _write(self, caller: Any, descriptor: int, parts: int, n_parts: int, n_written: int) -> int:
        """Take what the interpreter writes, and answer each whole line of it."""
        if descriptor not in {_OUT, _ERR}:
            return _BAD_DESCRIPTOR
        memory = caller["memory"]
        pieces = _parts(memory, caller, parts, n_parts)
        data = b"".join(bytes(memory.read(caller, at, at + length)) for at, length in pieces)
        memory.write(caller, len(data).to_bytes(_WORD, "little"), n_written)
        if descriptor == _ERR:
            self._printed += data[: PRINTED_BYTES - len(self._printed)]
            return _OK
        *frames, self._written = (self._written + data).split(b"\n")
        for frame in frames:
            self._answer(frame)
        if len(self._written) > _FRAME_BYTES and self._order is not None:
            self._order.too_long()
            self.stop()
        return _OK

    def _answer(self, frame: bytes) -> None:
        answer = None
        if self._order is not None and not self._is_stopped.is_set():
            answer = self._order.answer(frame)
        if answer is None:
            self.stop()
        else:
            self._given += answer


def _parts(memory: Any, caller: Any, at: int, n_parts: int) -> Sequence[tuple[int, int]]:
    """The pieces of the interpreter's memory that it means: where each begins, and its length."""
    if not 0 <= n_parts <= _MOST_PARTS:
        raise ValueError(n_parts)
    table = bytes(memory.read(caller, at, at + 2 * _WORD * n_parts))
    numbers = [
        int.from_bytes(table[one : one + _WORD], "little") for one in range(0, len(table), _WORD)
    ]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _never_waits(*_: Any) -> int:
    return _NOT_SUPPORTED
