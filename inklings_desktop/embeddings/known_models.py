"""Models that are known by the hashes of their files, and where they may be fetched from.

The program's own list comes with it. A list beside the installed models, ``models/catalogue.json``
in the data root, may name more. Of a model that a list knows, nothing but the very files that the
list names is installed, wherever they come from.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.embeddings.models import (
    ONNX_FILE,
    TOKENIZER_FILE,
    is_model_id,
    resources_folder,
)
from inklings_desktop.usecases.ports.models import OfferedModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

CATALOGUE_FILE = "catalogue.json"
FETCHED_FILES = (TOKENIZER_FILE, ONNX_FILE)
"""The smaller one first."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What a file must be, and where it may be fetched.

    Attributes:
        n_bytes: Exact size.
        sha256: Of the content, lower-case hexadecimal.
        address: An https address, or one of this machine; empty where it cannot be fetched.
    """

    n_bytes: int
    sha256: str
    address: str


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model of a list.

    Attributes:
        id: Name stored beside every vector.
        licence: Its name, as a person knows it.
        files: ``model.onnx`` and ``tokenizer.json``, by name.
        manifest: All of ``model.json``.
        hosts: Whom the fetching program talks to: those of the addresses, and those they may lead
            on to.
    """

    id: str
    licence: str
    files: Mapping[str, KnownFile]
    manifest: Mapping[str, Any]
    hosts: tuple[str, ...]

    @property
    def can_be_fetched(self) -> bool:
        """Whether every file has an address."""
        return all(one.address for one in self.files.values())

    @property
    def offer(self) -> OfferedModel:
        """What a person is asked before it is fetched."""
        n_bytes = sum(one.n_bytes for one in self.files.values())
        return OfferedModel(self.id, self.licence, n_bytes, self.hosts)


def known_models(models_dir: Path) -> dict[str, KnownModel]:
    """The models of both lists, by id; what the program's own list says of a model holds.

    Args:
        models_dir: Folder of installed models.

    Raises:
        InvalidValueError: A list cannot be read, or names what nobody could check.
    """
    found: dict[str, KnownModel] = {}
    for folder in (models_dir, resources_folder() / "models"):
        path = folder / CATALOGUE_FILE
        if path.is_file():
            found |= {one.id: one for one in _read(path)}
    return found


def is_allowed(address: str, hosts: Sequence[str]) -> bool:
    """Whether an address may be asked: over https, at one of these hosts, or on this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    if host not in hosts or "@" in parts.netloc:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def is_loopback(host: str) -> bool:
    """Whether this names the machine itself."""
    return host in {"127.0.0.1", "::1", "localhost"}


def _read(path: Path) -> list[KnownModel]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return [_known(one) for one in document["models"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidValueError("model", "catalogue", CATALOGUE_FILE) from error


def _known(fields: Mapping[str, Any]) -> KnownModel:
    manifest, addresses = fields["manifest"], fields.get("addresses", {})
    files = {
        name: KnownFile(
            int(manifest["files"][name]["bytes"]),
            str(manifest["files"][name]["sha256"]).lower(),
            str(addresses.get(name, "")),
        )
        for name in FETCHED_FILES
    }
    named = [urlsplit(one.address).hostname or "" for one in files.values() if one.address]
    hosts = tuple(dict.fromkeys([*named, *map(str, fields.get("hosts", ()))]))
    is_sound = is_model_id(str(manifest["id"])) and all(
        one.n_bytes > 0
        and len(bytes.fromhex(one.sha256)) == hashlib.sha256().digest_size
        and (not one.address or is_allowed(one.address, hosts))
        for one in files.values()
    )
    if not is_sound:
        raise ValueError(manifest["id"])
    return KnownModel(str(manifest["id"]), str(fields["licence"]), files, manifest, hosts)
