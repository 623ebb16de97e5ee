"""A known model comes over the network: agreed to, whole, the very one, or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, StoppedError
from inklings_desktop.embeddings import fetching
from inklings_desktop.embeddings.catalogue import FolderCatalogue
from inklings_desktop.embeddings.known_models import is_allowed, known_models
from inklings_desktop.embeddings.models import (
    BUILT_IN_MODEL_ID,
    SettingsChoice,
    find_built_in_model,
)
from inklings_desktop.usecases.ports.models import OfferedModel
from inklings_desktop.usecases.ports.progress import Progress
from tests.support.model_server import MODEL_ID, ModelServer, model_server
from tests.support.tiny_model import make_tiny_model


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ModelServer]:
    with model_server(tmp_path / "served") as served:
        yield served


@pytest.fixture
def catalogue(root: Path, server: ModelServer) -> FolderCatalogue:
    server.catalogue(root)
    return FolderCatalogue(root, SettingsChoice(root))


def offer_of(catalogue: FolderCatalogue) -> OfferedModel:
    (offer,) = catalogue.offered()
    return offer


def left_in(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "models").iterdir())


def refused(catalogue: FolderCatalogue) -> tuple[str, str]:
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(MODEL_ID, agreed=offer_of(catalogue))
    return caught.value.rule, str(caught.value.limit)


def test_a_model_is_fetched_once_its_size_and_licence_are_agreed_to(
    catalogue: FolderCatalogue, server: ModelServer
) -> None:
    offer = offer_of(catalogue)
    n_bytes = len(server.files["/model.onnx"]) + len(server.files["/tokenizer.json"])
    assert offer == OfferedModel(MODEL_ID, "Apache-2.0", n_bytes, ("127.0.0.1",))
    for agreed in (None, replace(offer, n_bytes=1), replace(offer, licence="MIT")):
        with pytest.raises(InvalidValueError) as caught:
            catalogue.install(MODEL_ID, agreed=agreed)
        assert caught.value.rule == "not_agreed"
    assert server.asked == []
    heard: list[tuple[str, int, int]] = []
    progress = Progress(lambda *step: heard.append(step))
    assert catalogue.install(MODEL_ID, agreed=offer, progress=progress).dimension == 768
    assert server.asked == ["/tokenizer.json", "/model.onnx"]
    assert heard[0] == (fetching.FETCHING, 0, n_bytes)
    assert heard[-1] == (fetching.FETCHING, n_bytes, n_bytes)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)
    assert catalogue.offered() == ()
    assert {one for sent in server.headers for one in sent} <= {
        "Accept-Encoding",
        "Connection",
        "Host",
        "User-Agent",
    }


def test_a_file_of_another_hash_is_refused_and_leaves_nothing(
    catalogue: FolderCatalogue, server: ModelServer, root: Path
) -> None:
    whole = server.files["/model.onnx"]
    others = (
        bytes([whole[0] ^ 1]) + whole[1:],
        whole[:-1],
        whole + b"more",
        b"",
    )
    for other in others:
        server.files["/model.onnx"] = other
        assert refused(catalogue) == ("hash", "model.onnx")
        assert left_in(root) == ["catalogue.json"]
    server.files["/model.onnx"] = whole
    assert catalogue.install(MODEL_ID, agreed=offer_of(catalogue)).problem == ""


def test_what_does_not_answer_is_said_and_leaves_nothing(
    catalogue: FolderCatalogue, server: ModelServer, root: Path
) -> None:
    del server.files["/model.onnx"]
    assert refused(catalogue) == ("unreachable", "127.0.0.1")
    assert left_in(root) == ["catalogue.json"]


def test_a_server_that_stops_half_way_leaves_nothing(
    catalogue: FolderCatalogue,
    server: ModelServer,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT_SECONDS", 0.2)
    server.gate.clear()
    assert refused(catalogue) == ("unreachable", "127.0.0.1")
    assert left_in(root) == ["catalogue.json"]


def test_a_person_stops_it_half_way_and_nothing_is_left(
    catalogue: FolderCatalogue, server: ModelServer, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_BLOCK", 1_000)
    stop = threading.Event()

    def report(_step: str, done: int, total: int) -> None:
        if done > total // 4:
            stop.set()

    with pytest.raises(StoppedError):
        catalogue.install(
            MODEL_ID, agreed=offer_of(catalogue), progress=Progress(report, stop.is_set)
        )
    assert server.asked[-1] == "/model.onnx"
    assert left_in(root) == ["catalogue.json"]
    # The next time begins anew.
    assert catalogue.install(MODEL_ID, agreed=offer_of(catalogue)).dimension == 768


def test_it_is_led_on_only_to_hosts_that_the_list_names(
    catalogue: FolderCatalogue, server: ModelServer, root: Path
) -> None:
    server.leads_to["/model.onnx"] = "http://localhost:1/model.onnx"
    assert refused(catalogue) == ("address", "127.0.0.1")
    assert left_in(root) == ["catalogue.json"]
    server.leads_to["/model.onnx"] = f"{server.address}/elsewhere"
    server.files["/elsewhere"] = server.files["/model.onnx"]
    assert catalogue.install(MODEL_ID, agreed=offer_of(catalogue)).dimension == 768
    assert server.asked[-1] == "/elsewhere"


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("https://models.example.org/a/model.onnx", True),
        ("https://MODELS.example.org/model.onnx", True),
        ("http://models.example.org/model.onnx", False),
        ("https://other.example.org/model.onnx", False),
        ("https://ada@models.example.org/model.onnx", False),
        ("ftp://models.example.org/model.onnx", False),
        ("file:///model.onnx", False),
        ("https://[models.example.org/", False),
        ("http://127.0.0.1:8000/model.onnx", True),
        ("", False),
    ],
)
def test_addresses_are_https_or_on_this_machine(address: str, *, is_one: bool) -> None:
    assert is_allowed(address, ("models.example.org", "127.0.0.1")) is is_one


def damaged(entry: dict[str, Any], how: str) -> dict[str, Any]:
    manifest = json.loads(json.dumps(entry["manifest"]))
    match how:
        case "address":
            return entry | {"addresses": {"model.onnx": "http://models.example.org/model.onnx"}}
        case "hash":
            manifest["files"]["model.onnx"]["sha256"] = "abc"
        case "size":
            manifest["files"]["model.onnx"]["bytes"] = 0
        case "id":
            manifest["id"] = "../elsewhere"
        case "licence":
            return {key: value for key, value in entry.items() if key != "licence"}
    return entry | {"manifest": manifest}


@pytest.mark.parametrize("how", ["address", "hash", "size", "id", "licence"])
def test_a_list_that_nobody_could_check_offers_nothing(
    catalogue: FolderCatalogue, server: ModelServer, root: Path, how: str
) -> None:
    path = root / "models" / "catalogue.json"
    entry = damaged(server.catalogue(root), how)
    path.write_text(json.dumps({"models": [entry]}), encoding="utf-8")
    assert catalogue.offered() == ()
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(MODEL_ID)
    assert caught.value.rule == "catalogue"
    path.unlink()
    with pytest.raises(NotFoundError):
        catalogue.install(MODEL_ID)


def test_a_folder_that_bears_a_known_name_must_be_that_model(
    catalogue: FolderCatalogue, server: ModelServer, root: Path, tmp_path: Path
) -> None:
    other = make_tiny_model(tmp_path / "other", MODEL_ID, dimension=8)
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(other)
    assert caught.value.rule == "hash"
    assert left_in(root) == ["catalogue.json"]
    assert catalogue.install(tmp_path / "served").id == MODEL_ID
    assert server.asked == []


def test_the_program_knows_the_built_in_model_and_its_hashes(root: Path) -> None:
    known, model = known_models(root / "models")[BUILT_IN_MODEL_ID], find_built_in_model()
    assert known.licence == "Apache-2.0"
    assert not known.can_be_fetched
    for name, pinned in (("model.onnx", model.onnx), ("tokenizer.json", model.tokenizer)):
        assert (known.files[name].n_bytes, known.files[name].sha256) == (
            pinned.n_bytes,
            pinned.sha256,
        )
