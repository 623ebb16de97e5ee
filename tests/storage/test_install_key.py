from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.storage.engine.connecting import install_key


def test_the_key_is_made_once_and_kept(tmp_path: Path) -> None:
    key = install_key(tmp_path)

    assert len(key) == 32
    assert install_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == ["install.key"]
    assert (tmp_path / "install.key").stat().st_mode & 0o777 == 0o600


def test_installations_differ(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    assert install_key(tmp_path / "a") != install_key(tmp_path / "b")


def test_a_damaged_key_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "install.key"
    path.write_bytes(b"short")

    with pytest.raises(DatabaseCorruptError):
        install_key(tmp_path)

    assert path.read_bytes() == b"short"
