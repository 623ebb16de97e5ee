from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.data_root import (
    DATA_DIR_VARIABLE,
    default_data_dir,
    named_folder,
    own_data_dir,
    sample_data_dir,
)


def test_the_environment_chooses_the_data_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path))
    assert default_data_dir() == tmp_path
    monkeypatch.setenv(DATA_DIR_VARIABLE, "")
    assert default_data_dir().name == "Inklings"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(DATA_DIR_VARIABLE, "~/worlds")
    assert default_data_dir() == tmp_path / "worlds"


def test_the_sample_world_lies_beside_the_data_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sample_data_dir(tmp_path / "Inklings") == tmp_path / "Inklings-sample"
    inner = tmp_path / "here"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert sample_data_dir(Path()) == tmp_path / "here-sample"
    assert sample_data_dir(Path("..")) == tmp_path.with_name(f"{tmp_path.name}-sample")


def test_from_the_sample_world_there_is_a_way_back(tmp_path: Path) -> None:
    own = tmp_path / "Inklings"
    assert own_data_dir(sample_data_dir(own)) == own
    assert own_data_dir(own) is None
    assert own_data_dir(tmp_path / "-sample") is None


def test_the_home_folder_is_meant_where_no_shell_puts_it_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert named_folder("~/worlds") == tmp_path / "worlds"
    assert named_folder("here/~") == Path("here/~")
    assert named_folder("~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")
