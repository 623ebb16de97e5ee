from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.cli.messages import ENVIRONMENT, INTERRUPTED, REFUSED, failure_of
from inklings_desktop.domain.errors import (
    AgentError,
    AlreadyRunningError,
    BackupDamagedError,
    CapReachedError,
    ClientFileError,
    ConflictError,
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseInUseError,
    DatabaseReadOnlyError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    DerivableError,
    DimensionMismatchError,
    DomainDeniedError,
    EmbeddingUnavailableError,
    ForeignDatabaseError,
    HeldForReviewError,
    IllegalTransitionError,
    InklingsError,
    InvalidValueError,
    MigrationFailedError,
    NotFoundError,
    NotLetInError,
    OutsideFileError,
    ScopeDeniedError,
    SourcesMissingError,
    StoppedError,
    StorageError,
    SupersededError,
    UnreadableTextError,
    UnsupportedSqliteError,
)
from inklings_desktop.domain.scrub.manifest import ManifestChangedError
from inklings_desktop.domain.scrub.scrub_request import (
    NoWindowError,
    PreviewOutdatedError,
    ScrubRequestEndedError,
)
from inklings_desktop.domain.transfer.document import ImportRefusedError
from tests.support.builders import NOON
from tests.support.played_scrub import a_manifest
from tests.support.scrub_asking import a_request

FILE = Path("agents.db")

EVERY_KIND: list[tuple[InklingsError, str, int]] = [
    (InklingsError(), "failed", REFUSED),
    (InvalidValueError("importance", "range"), "invalid_value", REFUSED),
    (NotFoundError("memory", "3f2a"), "not_found", REFUSED),
    (ConflictError("memory", "3f2a", 2, 3), "conflict", REFUSED),
    (IllegalTransitionError("active", "archived"), "illegal_transition", REFUSED),
    (ScopeDeniedError("write", "account"), "scope_denied", REFUSED),
    (NotLetInError("loom"), "scope_denied", REFUSED),
    (DomainDeniedError("Canon", ("editor",)), "denied", REFUSED),
    (SourcesMissingError(), "sources_missing", REFUSED),
    (SupersededError("3f2a"), "superseded", REFUSED),
    (CapReachedError("channel", 10_000), "cap_reached", REFUSED),
    (HeldForReviewError("3f2a", "9c1d"), "held_for_review", REFUSED),
    (EmbeddingUnavailableError("missing"), "embedding_unavailable", REFUSED),
    (DimensionMismatchError(384, 768), "embedding_unavailable", REFUSED),
    (DerivableError("Nerys", "Looks", 12, "3f2a"), "derivable", REFUSED),
    (ManifestChangedError(a_manifest()), "manifest_changed", REFUSED),
    (NoWindowError(), "no_window", REFUSED),
    (PreviewOutdatedError(), "manifest_changed", REFUSED),
    (ScrubRequestEndedError(a_request()), "request_ended", REFUSED),
    (ClientFileError(FILE, "unreadable"), "client_file", REFUSED),
    (ImportRefusedError("newer", "schema_version", 3), "import_refused", REFUSED),
    (AlreadyRunningError("backfill", NOON), "already_running", REFUSED),
    (StoppedError(), "stopped", INTERRUPTED),
    (StorageError(FILE, "input/output error"), "storage", ENVIRONMENT),
    (OutsideFileError(FILE, "permission denied", is_reading=True), "storage", ENVIRONMENT),
    (DatabaseBusyError(FILE), "busy", ENVIRONMENT),
    (DatabaseInUseError(FILE), "busy", ENVIRONMENT),
    (DatabaseFullError(FILE), "full", ENVIRONMENT),
    (DatabaseReadOnlyError(FILE), "read_only", ENVIRONMENT),
    (DatabaseCorruptError(FILE), "damaged", ENVIRONMENT),
    (UnreadableTextError(FILE), "storage", ENVIRONMENT),
    (BackupDamagedError(FILE), "damaged", ENVIRONMENT),
    (ForeignDatabaseError(FILE), "foreign", ENVIRONMENT),
    (DatabaseTooNewError(FILE, 9, 7), "newer", ENVIRONMENT),
    (DatabaseTooOldError(FILE, 1, 2), "older", ENVIRONMENT),
    (MigrationFailedError(FILE, "no such table", 1, 2, "account/1.db"), "migration", ENVIRONMENT),
    (UnsupportedSqliteError("3.40.1"), "unsupported_sqlite", ENVIRONMENT),
]


@pytest.mark.parametrize(("error", "kind", "status"), EVERY_KIND)
def test_every_error_has_a_sentence_a_kind_and_a_status(
    error: InklingsError, kind: str, status: int
) -> None:
    failure = failure_of(error)
    assert (failure.kind, failure.status) == (kind, status)
    assert failure.message[0].isupper() or failure.message.startswith(str(FILE))
    assert failure.message.endswith((".", "idle, archived."))
    assert "Error" not in failure.message or kind == "failed"
    assert "{" not in failure.message


def test_no_error_of_the_tree_is_without_an_example_here() -> None:
    def family(kind: type[InklingsError]) -> set[type[InklingsError]]:
        return {kind}.union(*(family(one) for one in kind.__subclasses__()))

    ours = {one for one in family(InklingsError) if one.__module__.startswith("inklings_desktop.")}
    # The agent's own goes over its wire, as a word, and is said by who talks with it.
    assert ours - {AgentError} == {type(error) for error, _, _ in EVERY_KIND}


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (InvalidValueError("importance", "range"), "Importance is a number from 0 to 1."),
        (InvalidValueError("content", "empty"), "A memory needs at least one word."),
        (
            InvalidValueError("content", "too_long", 64 * 1024),
            "A memory can have at most 64 KiB of text.",
        ),
        (InvalidValueError("tags", "too_many", 32), "A memory can have at most 32 tags."),
        (InvalidValueError("tags", "too_long", 64), "A tag has at most 64 characters."),
        (InvalidValueError("name", "empty"), "A name needs at least one visible character."),
        (InvalidValueError("limit", "range", 1000), "The limit is a number from 1 to 1,000."),
        (InvalidValueError("shape", "odd"), "The value for shape cannot be used (odd)."),
        (
            ConflictError("workspace", "Field notes"),
            "There is already a workspace called “Field notes”.",
        ),
        (
            ConflictError("memory", "3f2a", 2, 3),
            "Somebody saved a newer version of this memory first (version 3, not 2).",
        ),
        (IllegalTransitionError("idle", "idle"), "The conversation is idle already."),
        (
            IllegalTransitionError("archived", "idle"),
            "The conversation is archived, so it cannot become idle.",
        ),
        (NotFoundError("channel", "x"), "There is no channel “x” here."),
        (NotFoundError("note", "plan"), "There is no note “plan” here."),
    ],
)
def test_sentences_say_what_happened(error: InklingsError, sentence: str) -> None:
    assert failure_of(error).message.startswith(sentence)


def test_what_was_kept_is_said_after_the_sentence() -> None:
    error = ConflictError("memory", "3f2a", 2, 3)
    error.add_note("Your text is kept in draft.txt.")
    assert failure_of(error).message.endswith("again. Your text is kept in draft.txt.")


def test_a_text_given_for_an_id_is_not_repeated_whole() -> None:
    message = failure_of(NotFoundError("memory", "The harbour glass " * 50)).message
    assert len(message) < 160


def test_data_of_an_error_reaches_scripts() -> None:
    assert failure_of(DatabaseTooNewError(FILE, 9, 7)).details == {
        "path": str(FILE),
        "found": 9,
        "supported": 7,
    }


def test_what_cannot_be_settled_names_who_could_and_what_stands() -> None:
    denied = failure_of(DomainDeniedError("Canon", ("editor",)))
    assert "\u201cCanon\u201d" in denied.message
    assert "editor" in denied.message
    assert denied.details == {"domain": "Canon", "needed": ["editor"]}
    assert "3f2a" in failure_of(SupersededError("3f2a")).message
