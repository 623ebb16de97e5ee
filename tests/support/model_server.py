"""Serves a tiny model over HTTP on this machine, and writes the list that names it."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.support.stopwatch import HANG_SECONDS
from tests.support.tiny_model import make_tiny_model, seal_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODEL_ID = "tiny-768"


@dataclass
class ModelServer:
    """What a test sees of the server.

    Attributes:
        address: Where it listens.
        manifest: Of the model it serves.
        files: What it answers with, by path.
        leads_to: Addresses that it leads on to, by path.
        asked: Paths it was asked for.
        headers: What came with each question.
        gate: The second half of ``model.onnx`` waits for it.
    """

    address: str
    manifest: dict[str, Any]
    files: dict[str, bytes]
    leads_to: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def catalogue(self, root: Path, **changes: Any) -> dict[str, Any]:
        """Write a list into a data root that names the model; returns its entry."""
        entry: dict[str, Any] = {
            "licence": "Apache-2.0",
            "manifest": self.manifest,
            "addresses": {
                name: f"{self.address}/{name}" for name in ("model.onnx", "tokenizer.json")
            },
        } | changes
        folder = root / "models"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "catalogue.json").write_text(json.dumps({"models": [entry]}), encoding="utf-8")
        return entry


@contextmanager
def model_server(folder: Path) -> Iterator[ModelServer]:
    """A server with a tiny model, for as long as a test needs it."""
    made = make_tiny_model(folder, MODEL_ID)
    manifest = seal_manifest(made)
    files = {f"/{path.name}": path.read_bytes() for path in made.iterdir()}

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            served.headers.append(dict(self.headers.items()))
            if self.path in served.leads_to:
                self.send_response(302)
                self.send_header("Location", served.leads_to[self.path])
                self.end_headers()
                return
            content = served.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            half = len(content) // 2
            try:
                self.wfile.write(content[:half])
                if self.path == "/model.onnx":
                    served.gate.wait(HANG_SECONDS)
                self.wfile.write(content[half:])
            except OSError:
                return  # whoever asked has gone

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
            """Say nothing on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    served = ModelServer(f"http://127.0.0.1:{server.server_port}", manifest, files)
    served.gate.set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield served
    finally:
        served.gate.set()
        server.shutdown()
        thread.join()
        server.server_close()
