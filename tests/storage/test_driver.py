from __future__ import annotations

from types import ModuleType

import pytest

from inklings_desktop.domain.errors import UnsupportedSqliteError
from inklings_desktop.storage.engine.driver import is_fixed, require_fixed, sqlite_module


@pytest.mark.parametrize(
    "version",
    [(3, 44, 6), (3, 44, 9), (3, 50, 7), (3, 51, 3), (3, 52, 1), (3, 53, 4), (4, 0, 0)],
)
def test_fixed_versions_are_accepted(version: tuple[int, int, int]) -> None:
    assert is_fixed(version)


@pytest.mark.parametrize(
    "version",
    [(3, 40, 1), (3, 44, 5), (3, 45, 9), (3, 49, 2), (3, 50, 6), (3, 51, 2), (3, 52, 0)],
)
def test_versions_that_can_lose_a_commit_are_not(version: tuple[int, int, int]) -> None:
    assert not is_fixed(version)


def test_an_old_library_is_refused_with_its_version() -> None:
    old = ModuleType("old")
    vars(old).update(sqlite_version_info=(3, 40, 1), sqlite_version="3.40.1")

    with pytest.raises(UnsupportedSqliteError) as caught:
        require_fixed(old)

    assert caught.value.version == "3.40.1"


def test_this_process_speaks_one_fixed_build() -> None:
    module = sqlite_module()

    assert module is sqlite_module()
    assert is_fixed(module.sqlite_version_info)
