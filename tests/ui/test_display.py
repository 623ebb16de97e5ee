"""Whether a window can appear is known before Qt would abort."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from inklings_desktop.ui.app.display import APT_LINE, has_display, missing_libraries

VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("sys.platform", "linux")
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_a_machine_without_a_screen_has_no_display(bare: pytest.MonkeyPatch) -> None:
    assert not has_display()


def test_a_screen_that_nobody_serves_is_no_display(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("DISPLAY", ":4711")
    assert not has_display()


def test_another_machines_screen_is_left_to_qt(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("DISPLAY", "far.example:0")
    assert has_display()


def test_a_platform_chosen_by_hand_is_taken_at_its_word(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("QT_QPA_PLATFORM", "offscreen")
    assert has_display()


def test_a_wayland_socket_is_a_display(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    bare.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert not has_display()
    with socket.socket(socket.AF_UNIX) as served:
        served.bind(str(tmp_path / "wayland-0"))
        assert has_display()


def test_other_systems_always_have_one(bare: pytest.MonkeyPatch) -> None:
    bare.setattr("sys.platform", "win32")
    assert has_display()
    assert missing_libraries() == ()


def test_libraries_that_cannot_be_loaded_are_named(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("QT_QPA_PLATFORM", "offscreen")

    def refuse(name: str) -> None:
        raise OSError(name)

    bare.setattr("ctypes.CDLL", refuse)
    assert "libGL.so.1" in missing_libraries()
    assert "libxcb-cursor.so.0" not in missing_libraries()
    bare.setenv("QT_QPA_PLATFORM", "xcb")
    assert "libxcb-cursor.so.0" in missing_libraries()
    assert "libxcb-cursor0" in APT_LINE
