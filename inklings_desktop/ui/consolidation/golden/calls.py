"""What the golden questions dialog asks of the use cases; runs on a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.consolidation.golden.state import Expected, GoldenDraft, GoldenPlace
from inklings_desktop.ui.consolidation.review.calls import expected_texts
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.usecases.bundle import Inklings

_SHORT_ID = 8


def read_all(
    inklings: Inklings, workspace_id: str
) -> tuple[tuple[GoldenPlace, ...], tuple[GoldenQuestion, ...]]:
    """Where questions can be asked, and all that are kept.

    Conversations are left out: what is remembered there is gone when they close.

    Raises:
        InklingsError: A file cannot be read.
    """
    channels = inklings.list_channels(inklings.caller, workspace_id)
    places = (
        GoldenPlace(ScopeKey.workspace(workspace_id), _tr("Workspace")),
        GoldenPlace(ScopeKey.account(), _tr("Account")),
        *(GoldenPlace(ScopeKey.channel(workspace_id, one.id), f"#{one.name}") for one in channels),
    )
    questions = (
        *inklings.list_golden_questions(inklings.caller, workspace_id),
        *inklings.list_golden_questions(inklings.caller, None),
    )
    return places, questions


def drafted(inklings: Inklings, question: GoldenQuestion) -> GoldenDraft:
    """A kept question as it stands in the fields.

    Raises:
        InklingsError: The file cannot be read.
    """
    texts = expected_texts(inklings, question.scope, (*question.must, *question.must_not))

    def expected(id_: str, *, must: bool) -> Expected:
        text = excerpt(texts[id_]) if id_ in texts else id_[:_SHORT_ID]
        return Expected(id_, text, must)

    return GoldenDraft(
        question.id,
        question.scope,
        question.question,
        (
            *(expected(id_, must=True) for id_ in question.must),
            *(expected(id_, must=False) for id_ in question.must_not),
        ),
    )


def recorded(inklings: Inklings, workspace_id: str) -> dict[str, GoldenRecord]:
    """How every question fared when it was last asked, by its id.

    Raises:
        InklingsError: A file cannot be read.
    """
    return {
        id_: record
        for file in (workspace_id, None)
        for id_, record in inklings.watch_golden_questions.records(inklings.caller, file).items()
    }


def asked(inklings: Inklings, workspace_id: str) -> dict[str, GoldenRecord]:
    """How every question fares now, by its id; that is kept.

    Where nothing can be kept, how it fared when it was last asked.

    Raises:
        InklingsError: A file cannot be read or written to.
    """
    if inklings.is_read_only:
        return recorded(inklings, workspace_id)
    return {
        id_: record
        for file in (workspace_id, None)
        for id_, record in inklings.watch_golden_questions(inklings.caller, file).items()
    }


def _tr(text: str) -> str:
    return QCoreApplication.translate("golden", text)
