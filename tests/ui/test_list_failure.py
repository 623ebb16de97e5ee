"""A place whose list cannot be read says so where the list would stand, and can be tried again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.words.places import Place
from tests.support.stand_ins import stood_in
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def one_memory(bench: Bench) -> None:
    bench.put("Gulls keep accounts.")


def failing(broken: list[bool]) -> Callable[[Path], AbstractContextManager[Bench]]:
    """A store whose account cannot be listed while ``broken`` says so."""

    @contextmanager
    def made(root: Path) -> Iterator[Bench]:
        with a_bench(root) as bench:
            browse = bench.inklings.listing.browse

            def browsed(scopes: Any, **wishes: Any) -> Any:
                if broken and any(one.tier is Tier.ACCOUNT for one in scopes):
                    raise DatabaseCorruptError(root / "agents.db", "test")
                return browse(scopes, **wishes)

            inklings = stood_in(bench.inklings, {"listing.browse": browsed})
            yield replace(bench, inklings=inklings)

    return made


def test_a_place_that_cannot_be_read_says_so_and_is_read_later(tmp_path: Path) -> None:
    broken = [True]

    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 1)
        page, shell = bench.window.page, bench.memory.shell
        shell.go(Place(Tier.ACCOUNT))

        def words() -> set[str]:
            return {one.text() for one in page.empty.findChildren(QLabel)}

        await bench.until(
            lambda: page.empty.isVisible() and "Part of the database could not be read" in words()
        )
        (card,) = page.empty.cards()
        assert card.text() == "Try again"

        broken.clear()
        card.click()
        await bench.until(lambda: page.empty.cards()[0].text() != "Try again")
        await bench.until(lambda: "Nothing is known about you" in words())
        shell.go(Place(Tier.WORKSPACE))
        await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
        assert page.table.isVisible()

    drive(tmp_path, one_memory, look, failing(broken))
