"""A model that cannot be loaded is told of once it was needed, and is tried again on request."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton

from inklings_desktop.embeddings.catalogue import FolderCatalogue
from inklings_desktop.embeddings.following_embedder import FollowingEmbedder
from inklings_desktop.embeddings.models import SettingsChoice
from inklings_desktop.ui.kit.panes.banner import BannerCause
from tests.support.tiny_model import make_tiny_model
from tests.ui.presenter_bench import Bench, a_bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

TOLD = (
    "The search model did not load. Searching by words still works. The reason is in the "
    "program\u2019s log."
)


@contextmanager
def with_model(root: Path, model: Path) -> Iterator[Bench]:
    """A data root whose model lies in it; nothing of it is loaded yet."""
    root.mkdir(exist_ok=True)
    choice = SettingsChoice(root)
    catalogue = FolderCatalogue(root, choice)
    if not (root / "models").exists():
        catalogue.install(model)
        catalogue.select("tiny-768")
    with a_bench(root, embedder=FollowingEmbedder(choice, root / "models")) as bench:
        yield bench


def some(bench: Bench) -> None:
    bench.put("The queen fears the sea.")
    bench.put("Salt on the harbour bell rope.")


def network_of(root: Path) -> Path:
    (found,) = (root / "models").glob("**/model.onnx")
    return found


def test_a_model_that_fails_at_its_first_use_is_told_and_search_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = make_tiny_model(tmp_path / "model")
    root = tmp_path / "root"
    with with_model(root, model) as bench:
        some(bench)
    network = network_of(root)
    content = network.read_bytes()
    network.chmod(0o600)
    network.write_bytes(content[:-8] + bytes(one ^ 0xFF for one in content[-8:]))

    async def search(bench: WindowBench) -> None:
        window = bench.window
        await bench.until(lambda: len(bench.texts()) == 2)
        window.page.header.search.set_text("queen")
        await bench.until(lambda: window.pages.banners.cause is BannerCause.KEYWORD_ONLY)
        banner = window.pages.banners.banner
        assert banner.accessibleName() == TOLD
        assert window.page.header.search.mode() == "keyword"
        await bench.until(lambda: bench.texts() == ["The queen fears the sea."])
        retry = next(o for o in banner.findChildren(QAbstractButton) if o.text() == "Try again")
        network.write_bytes(content)
        retry.click()
        assert window.reopening.wants_reopening

    async def search_again(bench: WindowBench) -> None:
        window = bench.window
        await bench.until(lambda: len(bench.texts()) == 2)
        window.page.header.search.set_text("queen")
        await bench.until(lambda: bool(bench.texts()) and "queen" in bench.texts()[0])
        assert window.pages.banners.cause is None
        assert window.page.header.search.mode() == "hybrid"

    with caplog.at_level(logging.WARNING, logger="inklings.embedding"):
        drive(root, lambda _bench: None, search, partial(with_model, model=model))
    assert any("tiny-768 did not load: damaged" in one.getMessage() for one in caplog.records)
    drive(root, lambda _bench: None, search_again, partial(with_model, model=model))
