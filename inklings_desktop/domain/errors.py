"""Everything that can go wrong on purpose.

::

    InklingsError
    ├── InvalidValueError           a value breaks an invariant (names the field)
    ├── NotFoundError               no such thing in this scope
    ├── ConflictError               changed under the editor's hands
    ├── IllegalTransitionError      conversation life cycle
    ├── ScopeDeniedError            this caller may not touch this tier or scope
    ├── CapReachedError             a scope is full and nothing in it may be forgotten
    ├── HeldForReviewError          became a proposal; nothing was changed yet
    ├── DerivableError              a page of the author's says it already; nothing was stored
    ├── AlreadyRunningError         this piece of background work is being done elsewhere
    ├── StoppedError                the person stopped it; finished steps stay
    ├── scrub.ManifestChangedError  memory changed since the dry run; nothing was removed
    ├── scrub_request.NoWindowError no window is open that could confirm an agent's scrub
    ├── scrub_request.ScrubRequestEndedError  it can no longer be confirmed
    ├── ClientFileError             the file of another program cannot be added to
    ├── AgentError                  the World Agent cannot go on; says whether trying again may help
    ├── EmbeddingUnavailableError   no model; search falls back to text
    │   └── DimensionMismatchError  vectors of two models met
    └── StorageError                the environment's fault, a person can act
        ├── DatabaseBusyError
        │   └── DatabaseInUseError   nobody else may have it open
        ├── DatabaseFullError
        ├── DatabaseReadOnlyError
        ├── DatabaseCorruptError
        ├── UnreadableTextError
        ├── BackupDamagedError
        ├── DatabaseTooNewError
        ├── DatabaseTooOldError     has to be brought up to date first
        ├── MigrationFailedError    could not be brought up to date
        ├── OutsideFileError        a file of the person's own choosing
        ├── ForeignDatabaseError
        └── UnsupportedSqliteError

Errors carry data, never finished sentences: each door makes its own. What stands outside this
tree is a bug.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


class InklingsError(Exception):
    """Root of every error that a door translates."""


class InvalidValueError(InklingsError):
    """A value breaks an invariant.

    Attributes:
        field: Name of the field, as in the domain classes.
        rule: Which rule it breaks, a stable word such as ``range`` or ``too_long``.
        limit: The bound that was broken, where there is one.
    """

    def __init__(self, field: str, rule: str, limit: float | str | None = None) -> None:
        super().__init__(field, rule, limit)
        self.field = field
        self.rule = rule
        self.limit = limit


class NotFoundError(InklingsError):
    """No such thing in this scope; also the answer for what lies in another scope.

    Attributes:
        kind: What was looked for: ``memory``, ``channel``, ``conversation``, ``workspace``, ...
        key: The id or name that was given.
        known: Names that would have been found: of channels, named entries or workspaces.
    """

    def __init__(self, kind: str, key: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(kind, key)
        self.kind = kind
        self.key = key
        self.known = known


class ConflictError(InklingsError):
    """Somebody saved a newer version first.

    Attributes:
        kind: What is in conflict: ``memory``, ``workspace``, ``channel``, ...
        key: Its id or name.
        expected: Version the editor started from, if versions are counted.
        actual: Version found now.
    """

    def __init__(
        self, kind: str, key: str, expected: int | None = None, actual: int | None = None
    ) -> None:
        super().__init__(kind, key, expected, actual)
        self.kind = kind
        self.key = key
        self.expected = expected
        self.actual = actual


class IllegalTransitionError(InklingsError):
    """A conversation cannot step from one state to the other.

    Attributes:
        current: State it is in.
        wanted: State that was asked for.
    """

    def __init__(self, current: str, wanted: str) -> None:
        super().__init__(current, wanted)
        self.current = current
        self.wanted = wanted


class ScopeDeniedError(InklingsError):
    """This caller may not touch this tier or scope, or it does not exist: the answer is one.

    Attributes:
        action: What was wanted.
        known: Names of the channels that are open for it, where another one was named; None where
            the whole tier is closed.
        is_recorded: Whether an event tells of it.
    """

    def __init__(self, action: str, tier: str, known: tuple[str, ...] | None = None) -> None:
        super().__init__(action, tier, known)
        self.action = action
        self.tier = tier
        self.known = known
        self.is_recorded = False


class DomainDeniedError(ScopeDeniedError):
    """This caller may read a domain and not write in it.

    Attributes:
        domain: Name of the domain.
        needed: The roles that could; empty where nobody was granted it.
        id: Of the domain, for the log; empty where nobody knows it.
    """

    def __init__(self, domain: str, needed: tuple[str, ...] = (), id_: str = "") -> None:
        super().__init__("write", "workspace")
        self.domain = domain
        self.needed = needed
        self.id = id_


class NotLetInError(ScopeDeniedError):
    """The author has not let this client in yet: nothing at all is open to it."""

    def __init__(self, client: str) -> None:
        super().__init__("read", "workspace")
        self.client = client


class ClientFileError(InklingsError):
    """The configuration of another program cannot be added to; it was left as it is.

    Attributes:
        path: The file; None where it is not known.
        reason: ``no_place`` (not known for this program), ``no_folder`` (the program was never
            started here), ``unreadable`` (not in its own format), ``shape`` (what holds the
            servers is something else), ``foreign`` (not a plain file of this user), ``too_large``
            or ``changed`` (since it was looked at).
    """

    def __init__(self, path: Path | None, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason


class CapReachedError(InklingsError):
    """The scope holds as many active memories as it may, all of them protected.

    Attributes:
        cap: Most active memories a scope key may hold.
    """

    def __init__(self, tier: str, cap: int) -> None:
        super().__init__(tier, cap)
        self.tier = tier
        self.cap = cap


class HeldForReviewError(InklingsError):
    """What was asked for became a proposal to the author; nothing was changed yet.

    Attributes:
        proposal_id: The proposal, or the first of several.
        proposal_ids: All of them, in the order of what was asked for.
        reason: Why, a word of ``HeldReason``; empty where nobody said.
    """

    def __init__(self, proposal_id: str, *more: str, reason: str = "") -> None:
        super().__init__(proposal_id, *more)
        self.reason = reason
        self.proposal_id = proposal_id
        self.proposal_ids = (proposal_id, *more)


class DerivableError(InklingsError):
    """What an agent would store stands in a page of the author's; nothing was stored.

    Attributes:
        page: Title of the page.
        heading: The heading above the block; empty for none.
        line: First line of the block in the file.
        block_id: The block, as the index knows it.
    """

    def __init__(self, page: str, heading: str, line: int, block_id: str) -> None:
        super().__init__(page, heading, line, block_id)
        self.page = page
        self.heading = heading
        self.line = line
        self.block_id = block_id


class SourcesMissingError(InklingsError):
    """An agent states a fact and names nothing that it was concluded from."""


class SupersededError(InklingsError):
    """A later fact took the place of this one already.

    Attributes:
        head_id: The one that stands now.
    """

    def __init__(self, head_id: str) -> None:
        super().__init__(head_id)
        self.head_id = head_id


class StoppedError(InklingsError):
    """The person stopped long work between two steps; what was finished stays."""


class AlreadyRunningError(InklingsError):
    """Another process, or another thread of this one, is doing this piece of work.

    Attributes:
        name: Name of the work.
        until: When its right ends unless it goes on; then somebody else may take over.
    """

    def __init__(self, name: str, until: datetime) -> None:
        super().__init__(name, until)
        self.name = name
        self.until = until


class EmbeddingUnavailableError(InklingsError):
    """No embedding model can answer; text search goes on without it.

    Attributes:
        reason: Stable word: ``missing``, ``damaged``, ``failed``.
        detail: What the runtime said; for logs and details, never memory text.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class DimensionMismatchError(EmbeddingUnavailableError):
    """Vectors of two different models met."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__("dimension", f"{expected} != {actual}")
        self.expected = expected
        self.actual = actual


class StorageError(InklingsError):
    """The environment's fault; a person can act.

    Attributes:
        path: File or folder it is about, where known.
        detail: What the driver said, for logs and details.
    """

    def __init__(self, path: Path | None = None, detail: str = "") -> None:
        super().__init__(path, detail)
        self.path = path
        self.detail = detail


class OutsideFileError(StorageError):
    """A file that the person chose, outside the data root, cannot be read or written to.

    Attributes:
        is_reading: Whether it was to be read.
    """

    def __init__(self, path: Path, detail: str = "", *, is_reading: bool) -> None:
        super().__init__(path, detail)
        self.is_reading = is_reading


class DatabaseBusyError(StorageError):
    """Another program holds the write lock for longer than we wait."""


class DatabaseInUseError(DatabaseBusyError):
    """Another program has the file open, which is to be replaced; to wait does not help."""


class DatabaseFullError(StorageError):
    """The disk is full; what was saved before is intact."""


class DatabaseReadOnlyError(StorageError):
    """File or folder cannot be written to."""


class DatabaseCorruptError(StorageError):
    """The file is damaged or no database at all; it was left as it is."""


class UnreadableTextError(StorageError):
    """Some text of the file is none; its memories are set aside, and the same call goes through."""


class BackupDamagedError(StorageError):
    """A backup cannot be brought back; what is in use was left as it is."""


class ForeignDatabaseError(StorageError):
    """A sound file that is not ours, of the other kind, or of another workspace."""


class DatabaseTooNewError(StorageError):
    """Written by a newer version of the program.

    Attributes:
        found: Schema version in the file.
        supported: Newest schema version this program understands.
    """

    def __init__(self, path: Path, found: int, supported: int) -> None:
        super().__init__(path, f"schema {found} > {supported}")
        self.found = found
        self.supported = supported


class DatabaseTooOldError(StorageError):
    """Written by an earlier version of the program, and not brought up to date yet.

    Attributes:
        found: Schema version in the file.
        needed: Schema version that this program works with.
    """

    def __init__(self, path: Path, found: int, needed: int) -> None:
        super().__init__(path, f"schema {found} < {needed}")
        self.found = found
        self.needed = needed


class MigrationFailedError(StorageError):
    """A file could not be brought up to date; it was left as it is.

    Attributes:
        found: Schema version in the file.
        needed: Schema version that the failed step leads to.
        kept: Name of the backup that was made before.
    """

    def __init__(self, path: Path, detail: str, found: int, needed: int, kept: str) -> None:
        super().__init__(path, detail)
        self.found = found
        self.needed = needed
        self.kept = kept


class UnsupportedSqliteError(StorageError):
    """The only SQLite at hand can lose committed data; nothing is opened with it."""

    def __init__(self, version: str) -> None:
        super().__init__(None, version)
        self.version = version


class AgentError(InklingsError):
    """The World Agent cannot do what was asked of it.

    Attributes:
        word: Which problem it is, a stable word of the protocol.
        retry: Whether the same may work a moment later.
        detail: Ids and figures; never text of a memory.
        said: The sentence for it, where the memory said one.
    """

    def __init__(self, word: str, *, retry: bool = False, detail: str = "", said: str = "") -> None:
        super().__init__(word)
        self.word = word
        self.retry = retry
        self.detail = detail
        self.said = said
