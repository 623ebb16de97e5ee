"""Restores, imports and scrubs, each in a process that dies at the step it is told."""

from __future__ import annotations

from tests.end2end.scrub_process import scrub
from tests.storage.importing_process import bring_in
from tests.storage.restoring_process import restore
from tests.support.dying import serve

if __name__ == "__main__":
    serve({"restore": restore, "import": bring_in, "scrub": scrub})
