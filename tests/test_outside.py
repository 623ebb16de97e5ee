"""No test, and nothing that it runs in its own process, reaches for another machine."""

from __future__ import annotations

import socket

import pytest

FOR_DOCUMENTS = "192.0.2.1"
"""An address that belongs to nobody."""


def test_reaching_for_another_machine_fails_before_anything_is_sent() -> None:
    with socket.socket() as line, pytest.raises(AssertionError, match="another machine"):
        line.connect((FOR_DOCUMENTS, 9))
    with (
        socket.socket(type=socket.SOCK_DGRAM) as line,
        pytest.raises(AssertionError, match="another machine"),
    ):
        line.sendto(b"hello", (FOR_DOCUMENTS, 9))
    with pytest.raises(AssertionError, match="another machine"):
        socket.getaddrinfo("example.invalid", 80)


def test_this_machine_is_not_far() -> None:
    with socket.socket() as listener, socket.socket() as line:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        line.connect(listener.getsockname())
        assert line.getpeername() == listener.getsockname()
