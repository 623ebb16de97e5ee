"""The canary drill: plant, ask by every door as the client, report."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.canary import Allowed, DrillDoor, DrillReport
from inklings_desktop.mcp_server.trials.canary_planting import plant
from inklings_desktop.mcp_server.trials.canary_protocol import ProtocolQuestions, server_of
from inklings_desktop.mcp_server.trials.canary_questions import Asking
from inklings_desktop.mcp_server.trials.canary_use_cases import UseCaseQuestions
from inklings_desktop.mcp_server.trials.rehearsal import scratch_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.access.clients import Client
    from inklings_desktop.mcp_server.trials.canary_questions import Question
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress

    Opener = Callable[[Path, str | None], AbstractContextManager[Inklings]]
    """Opens a data root; a workspace id binds it, as a server is bound."""


def drill(opener: Opener, client: Client, workspace_id: str, progress: Progress) -> DrillReport:
    """What came of a drill in a folder of its own, which is gone afterwards.

    Raises:
        StoppedError: The person stopped it.
        StorageError: There is no room for a store.
    """
    with scratch_folder("inklings-drill-") as folder:
        rights = client.rights_in(workspace_id) | client.rights_in(None)
        allowed = Allowed(client.kind, rights)
        root = folder / "data"
        progress.report("plant", 0, 0)
        with opener(root, None) as inklings:
            planted = plant(inklings, client, workspace_id, progress)
            for file in (planted.home.id, planted.elsewhere.id, None):
                inklings.tasks.backfill(file)
                progress.require_wanted()
            has_meaning = inklings.embedder.is_available
        canaries = planted.canaries
        with opener(root, planted.home.id) as inklings, ExitStack() as closing:
            caller = inklings.clients.admit(client.name, planted.home.id)
            inside = Asking(DrillDoor.USE_CASES, allowed, canaries, progress)
            mine = inklings.as_caller(caller)
            questions: list[tuple[Asking, Question]] = [
                (inside, one) for one in UseCaseQuestions(inklings, mine, planted, folder)
            ]
            outside = Asking(DrillDoor.PROTOCOL, allowed, canaries, progress)
            asked = ProtocolQuestions(partial(server_of, inklings, client.name), planted)
            closing.callback(asked.close)
            questions += [(outside, one) for one in asked]
            _put(questions, progress)
        heard = inside.heard | outside.heard
        return DrillReport(
            client.name,
            tuple(canaries),
            sum(allowed.may_hear(one) for one in canaries),
            (*inside.results(), *outside.results()),
            tuple(one for one in canaries if allowed.has_to_hear(one) and one not in heard),
            has_meaning,
        )


def _put(questions: Iterable[tuple[Asking, Question]], progress: Progress) -> None:
    every = list(questions)
    for number, (asking, question) in enumerate(every):
        progress.report(question.path, number, len(every))
        asking.put(question)
    progress.report("done", len(every), len(every))
