"""A known model's files, over the network, checked while they come in.

Nothing is fetched that a person has not agreed to. Nobody is told anything but the address asked
for: no cookies, no name, no number of this installation.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from typing import IO, TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.embeddings.known_models import FETCHED_FILES, is_allowed, is_loopback
from inklings_desktop.embeddings.models import MANIFEST_FILE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any
    from urllib.request import OpenerDirector

    from inklings_desktop.embeddings.known_models import KnownFile, KnownModel
    from inklings_desktop.usecases.ports.progress import Progress

FETCHING = "fetch"
"""The step, as ``Progress`` hears of it: bytes that are here, bytes in all."""
TIMEOUT_SECONDS = 10.0
_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class FetchedSource:
    """A known model where the network has it."""

    model: KnownModel
    progress: Progress

    def copy_to(self, target: Path) -> None:
        """Fetch its files, and write the manifest that the list has of it.

        Raises:
            InvalidValueError: A file cannot be reached (``unreachable``), is led to from somewhere
                else (``address``), or is not the one that the list names (``hash``).
            StoppedError: The person stopped it.
            OSError: A file cannot be written.
        """
        done = 0
        for name in FETCHED_FILES:
            file = self.model.files[name]
            with (target / name).open("xb") as out:
                self._fetch(name, file, out, done)
            done += file.n_bytes
        (target / MANIFEST_FILE).write_text(json.dumps(self.model.manifest), encoding="utf-8")

    def _fetch(self, name: str, file: KnownFile, out: IO[bytes], before: int) -> None:
        digest, n_bytes = hashlib.sha256(), 0
        total = self.model.offer.n_bytes
        with closing(_Download(file.address, self.model.hosts)) as download:
            while True:
                self.progress.require_wanted()
                self.progress.report(FETCHING, before + n_bytes, total)
                block = download.read(_BLOCK)
                n_bytes += len(block)
                if not block or n_bytes > file.n_bytes:
                    break
                digest.update(block)
                out.write(block)
        if n_bytes != file.n_bytes or digest.hexdigest() != file.sha256:
            raise InvalidValueError("model", "hash", name)


class _Download:
    """An answer of the network; whatever goes wrong is said in one way."""

    def __init__(self, address: str, hosts: Sequence[str]) -> None:
        import http.client
        from urllib.error import HTTPError
        from urllib.parse import urlsplit

        self._host = urlsplit(address).hostname or ""
        # An address that does not answer, or answers with something else, raises one of these.
        self._faults = (OSError, ValueError, http.client.HTTPException)
        try:
            self._answer = _opener(hosts, self._host).open(address, timeout=TIMEOUT_SECONDS)
        except self._faults as error:
            if isinstance(error, HTTPError):
                error.close()
            raise InvalidValueError("model", "unreachable", self._host) from error

    def read(self, most: int) -> bytes:
        """The next bytes, none at the end."""
        try:
            found: bytes = self._answer.read(most)
        except self._faults as error:
            raise InvalidValueError("model", "unreachable", self._host) from error
        return found

    def close(self) -> None:
        """Let go of it."""
        self._answer.close()


def _opener(hosts: Sequence[str], host: str) -> OpenerDirector:
    """Opens addresses of these hosts alone, also where one leads on to another."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class WithinHosts(HTTPRedirectHandler):
        def redirect_request(
            self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
        ) -> Any:
            """Answers nothing where an address leads to another host."""
            if not is_allowed(newurl, hosts):
                fp.close()
                raise InvalidValueError("model", "address", host)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    # A proxy is for the way out of this machine.
    return build_opener(WithinHosts(), *([ProxyHandler({})] if is_loopback(host) else []))
