"""What went wrong, as a sentence for the terminal: what happened, what stayed, what to do.

The one place of this door where domain errors become words. No sentence holds memory text.
"""

from __future__ import annotations

import shlex
from dataclasses import field
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire.skill_rules import SKILL_RULES
from inklings_desktop.cli.import_refusals import client_file_sentence, refusal_sentence
from inklings_desktop.cli.output import counted
from inklings_desktop.domain.errors import (
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
    ScopeDeniedError,
    SourcesMissingError,
    StoppedError,
    StorageError,
    SupersededError,
    UnsupportedSqliteError,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ManifestChangedError
from inklings_desktop.domain.scrub.scrub_request import (
    NoWindowError,
    PreviewOutdatedError,
    ScrubRequestEndedError,
)
from inklings_desktop.domain.transfer.document import ImportRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REFUSED = 1
WRONG_USAGE = 2
ENVIRONMENT = 3
INTERRUPTED = 130

UNCHANGED = "Nothing was changed."
MAX_KEY_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed command.

    Attributes:
        kind: Stable word for scripts.
        message: For a person.
        details: Data of the error, for scripts.
    """

    kind: str
    message: str
    status: int = REFUSED
    details: Mapping[str, Any] = field(default_factory=dict)


class CommandFailedError(Exception):
    """This door itself refuses a command, before any use case was asked."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


def wrong_usage(message: str) -> CommandFailedError:
    """The command line does not say what is needed."""
    return CommandFailedError(Failure("usage", message, WRONG_USAGE))


def refused(kind: str, message: str) -> CommandFailedError:
    """What was asked for cannot be done."""
    return CommandFailedError(Failure(kind, message))


def unavailable(kind: str, message: str) -> CommandFailedError:
    """The machine does not have what is needed at the moment."""
    return CommandFailedError(Failure(kind, message, ENVIRONMENT))


_RULES = {
    ("script", "too_long"): "A script has at most {limit} KiB of text.",
    ("script", "not_text"): "This file is not a script: it is not valid UTF-8 text.",
    ("script", "head"): "The head of this script cannot be read: it is not valid TOML.",
    **SKILL_RULES,
    ("content", "empty"): "A memory needs at least one word.",
    ("content", "too_long"): "A memory can have at most {kib} KiB of text.",
    ("content", "nul"): "A memory can't contain the character NUL.",
    ("content", "encoding"): "The text is not valid Unicode.",
    ("content", "unreadable"): (
        "Part of this memory can't be read, so agents don't get it. Write it again first."
    ),
    ("importance", "range"): "Importance is a number from 0 to 1.",
    ("importance", "type"): "Importance is a number from 0 to 1.",
    ("importance", "excluded"): "No importance is within all of these limits; leave one out.",
    ("written", "excluded"): "No day is within all of these dates; leave one out.",
    ("lifetime", "tier"): (
        "The lifetime conversation belongs to the conversation tier, and that tier has no other."
    ),
    ("tags", "too_many"): "A memory can have at most {limit} tags.",
    ("scope", "same"): "The memory is already there.",
    ("scope", "account_holds_preferences_only"): (
        "The account tier is for preferences; they belong to no conversation."
    ),
    ("value", "too_deep"): "The JSON of a note is nested too deeply.",
    (
        "state",
        "forgotten_never_found",
    ): "A search never finds forgotten memories; list them instead.",
    ("number", "range"): "That number is too large.",
    ("limit", "range"): "The limit is a number from 1 to {limit}.",
    ("budget", "range"): "The budget is a number from 1 to {limit} tokens.",
    ("action", "workspace_only"): (
        "Pages belong to a workspace: world:read and world:propose go with --tier workspace."
    ),
    ("domain", "look_alike"): "This name could be taken for another domain's.",
    ("schedule", "form"): "Say when, in one of the known ways.",
    ("schedule", "range"): "This number must be {limit}.",
    ("days", "empty"): "Choose at least one day.",
    ("at", "time"): "A time is written as 10:30.",
    ("once", "past"): "That time has already passed.",
    ("once", "time"): "A day and time is written as 2026-03-10T10:30.",
    ("missed", "time"): "The hours for a missed run are written as 06:30-23:30.",
    ("timezone", "unknown"): "No such time zone is known. One is written as Europe/Berlin.",
    ("run_budget", "range"): "This limit of a run must be {limit}.",
    ("prompt", "empty"): "Say what the agent is asked.",
    ("prompt", "too_long"): "What the agent is asked must be at most {kib} KiB.",
    ("activities", "too_many"): "There can be {limit} activities in one workspace.",
    ("domain", "archived"): "This domain is archived; nothing new is written in it.",
    ("content", "use_supersede"): "The text of a fact stays; replace it with: fact supersede.",
    ("confidence", "range"): "Confidence is a number from 0 to 1.",
    ("confidence", "type"): "Confidence is a number from 0 to 1.",
    ("story", "range"): "A chapter is a whole number from 0.",
    ("story", "empty"): "The first chapter must come before the last one.",
    ("fact", "too_long"): "A fact can have at most {limit} characters.",
    ("reason", "too_short"): "Say why, in at least {limit} characters.",
    ("other", "apart"): "Name two different facts of one domain.",
    ("role", "format"): "The name of a role has 2 to 40 small letters, digits and hyphens.",
    ("channel", "default"): "The channel general can't be archived or renamed.",
    ("conversation", "over"): (
        "That conversation has ended, and takes nothing new; write to its channel, or start"
        " another."
    ),
    ("channel", "archived"): "That channel is archived; choose an open one with --channel.",
    ("id", "ambiguous"): "Several memories have an id that begins like this; type more of it.",
    ("id", "too_short"): "Give at least the first {limit} characters of the id.",
    ("name", "characters"): "Use only capitals, digits and underscores in the name of an entry.",
    ("name", "too_short"): "The name of an entry needs at least {limit} characters.",
    ("name", "look_alike"): "This name looks like another entry's.",
    ("name", "built_in"): "VOICE and SOUL can be emptied, not deleted.",
    ("tier", "ambiguous"): "Both tiers have an entry with this name; choose one with --tier.",
    ("tier", "named_entries"): "Named entries belong to the workspace or the account tier.",
    ("body", "too_long"): "A named entry can have at most {kib} KiB of text.",
    ("body", "nul"): "A named entry can't contain the character NUL.",
    ("body", "encoding"): "The text is not valid Unicode.",
    ("body", "unchanged"): "The proposed text is the same as the present one.",
    ("body", "not_wanted"): "This proposal is to forget a memory; it has no text.",
    ("source", "look_alike"): (
        "An agent's memory can't name the author, VOICE, SOUL or the program as its source."
    ),
    ("proposals", "too_many"): "This client already has {limit} undecided proposals.",
    (
        "proposal",
        "ambiguous",
    ): "Several proposals have an id that begins like this; type more of it.",
    ("export_path", "data_root"): (
        "Don't export into the data folder of Inklings. Choose a place outside {limit}."
    ),
    ("export_path", "no_file"): "This is not a plain file. Choose another name for the export.",
    ("export_path", "database"): "A database has this name. Choose another name for the export.",
    ("backup", "other_history"): (
        "This backup belongs to another history: its event log is not part of the present one."
    ),
    ("backup", "forged_log"): (
        "Event {limit} in the log of this backup was changed, and memories may have been. "
        "Choose another one (inklings backup list), or restore it anyway with --accept-log."
    ),
    ("backup", "purge_pending"): (
        "A scrub of these memories is still running. Wait until it is done, then try again."
    ),
    ("summary", "too_long"): "A summary can have at most {kib} KiB of text.",
    ("summary", "too_many"): "A summary can have at most {limit} lines of three words or more.",
    ("hook_call", "json"): "Standard input is not a JSON object.",
    ("confirm", "phrase"): "The phrase doesn't match.",
    ("token", "expired"): "The dry run is more than five minutes old; run it again.",
    ("mode", "conversation_only"): "Run state can only be deleted for one conversation; name it.",
    ("token", "unknown"): "This token is not from a dry run of this tier, place and mode.",
    ("run", "ambiguous"): "Several runs have an id that begins like this; type more of it.",
    ("run", "too_short"): "Give at least the first {limit} characters of the run's id.",
    ("export", "one_kind"): "Name only one of a tier, a selection or a workspace.",
    ("run", "not_a_consolidation"): "Only a consolidation can be undone.",
    ("question", "empty"): "A question needs at least one word.",
    ("question", "too_long"): "A question has at most {limit} characters.",
    ("question", "expects_too_much"): "A question expects at most {limit} memories.",
    ("question", "contradicts_itself"): "The same memory can't be expected and unwanted.",
    ("model", "no_folder"): "That folder or zip file doesn't exist.",
    (
        "model",
        "zip",
    ): "This zip file can't be used: it is damaged or encrypted, or has a file twice.",
    ("model", "zip_path"): "This zip file has links, or paths that lead outside of it.",
    ("model", "zip_members"): "This zip file has more than {limit} files.",
    ("model", "too_large"): "{limit} is too large for a model.",
    ("model", "file_missing"): "A model folder needs model.onnx, tokenizer.json and model.json.",
    ("model", "manifest"): "model.json needs id, dimension and max_tokens.",
    ("model", "id"): "The id in model.json can't be used as a name.",
    ("model", "catalogue"): "models/{limit} in the data folder is not a list of models.",
    ("model", "not_agreed"): "{limit} would be fetched; agree to its size and licence with --yes.",
    ("model", "unreachable"): "{limit} did not send the file. Nothing was installed.",
    ("model", "address"): (
        "{limit} leads to an address that is not in the list of models. Nothing was installed."
    ),
    ("model", "hash"): (
        "{limit} has another hash than the list of models says. Nothing was installed."
    ),
    ("model", "built_in"): "The built-in model can't be removed.",
    ("model", "in_use"): "That model is in use; select another one first.",
    ("proposal", "page"): "This proposal is about a page of the world; it is decided there.",
    ("page", "ambiguous"): "Several pages are called so: {limit}. Name one by its path.",
    (
        "page",
        "link",
    ): "The path of this page goes through a link. No page is written through a link.",
    ("page", "encoding"): (
        "How this page is encoded is only guessed, so it is never written. Save it as UTF-8 first."
    ),
    ("path", "missing"): "That folder doesn't exist.",
    ("path", "not_a_folder"): "That is no folder.",
    ("path", "denied"): "That folder can't be opened. Allow it in the settings of your system.",
    ("path", "root"): "A whole disk can't be linked; choose a folder in it.",
    ("path", "home"): "Your home folder can't be linked; choose a folder in it.",
    ("path", "data_root"): "The data folder of Inklings can't be linked.",
    ("path", "linked"): "This folder is linked already, or has to do with one that is: {limit}.",
    ("mode", "unknown"): "The mode is one of {limit}.",
    ("path", "empty"): "A page needs a path below its folder, such as places/wend-gate.md.",
    ("path", "outside"): "This path leads out of the folder.",
    ("path", "too_long"): "Each name in a path has at most {limit} characters.",
    ("path", "suffix"): "A page ends in .md, .markdown or .txt.",
    ("path", "characters"): "This path has characters that no page name can have.",
    ("path", "hidden"): "A name that begins with a dot is never read as a page.",
    ("path", "ends"): "A name in a path has no blank or dot at its ends.",
    ("path", "reserved"): "Windows keeps this name for a device.",
    ("folder", "novelwriter"): (
        "novelWriter asks that no other program writes into its projects; this one does not."
    ),
    ("folder", "takes_no_proposals"): "The author takes no proposals for the pages of this folder.",
    ("text", "one_of"): "Say either what the page is to say or where it is to move.",
    ("text", "unchanged"): "The page says this already.",
    ("text", "too_long"): "The text of a proposed page has at most {kib} KiB.",
    ("retcon", "empty"): "Say which one: inklings world retcons ID --decide keep.",
    ("replace", "not_on_page"): "One of these blocks is not on the page; read it again.",
    ("settings", "toml"): "settings.toml is not valid TOML; correct it or move it away.",
}
_LABELS = {
    "source": "A source",
    "reason": "A reason",
    "tags": "A tag",
    "name": "A name",
    "title": "A title",
    "description": "A description",
    "key": "A key",
    "note": "A note",
    "agent": "The name of an agent",
    "derived_from": "A reference to a source",
    "domain": "The name of a domain",
    "topic": "A topic",
    "rule": "A house rule",
}
_NOUNS = {
    "skill_version": "version of this skill",
    "named_entry": "named entry",
    "deleted_entry": "deleted companion",
    "golden_question": "golden question",
    "world_folder": "world folder",
    "page_version": "kept version",
    "retcon": "changed source",
    "working_memory": "kept text of an agent",
}
_LISTS = {
    "skill": "skill list",
    "activity": "activity list",
    "workspace": "workspace list",
    "channel": "channel list",
    "conversation": "conversation list",
    "named_entry": "entry list",
    "deleted_entry": "entry list --deleted",
    "proposal": "entry proposals",
    "backup": "backup list",
    "event": "log",
    "model": "model status",
    "golden_question": "golden list",
    "analysis": "analysis list",
    "world_folder": "world list",
    "page": "world outline",
    "page_version": "world versions",
    "retcon": "world retcons",
    "contradiction": "world contradictions",
    "domain": "domain list",
    "role": "role list",
}
_LABEL_RULES = {
    "empty": "{label} needs at least one visible character.",
    "too_long": "{label} has at most {limit} characters.",
    "control_characters": "{label} is a single line of text without control characters.",
    "type": "{label} is text.",
}


def system_failure(error: OSError) -> Failure:
    """The failure that a refusal of the operating system means at this door."""
    place = f"{error.filename} cannot be used" if error.filename else "The system refused"
    reason = error.strerror or type(error).__name__
    message = f"{place}: {reason}. What was saved before is intact."
    return Failure("system", message, ENVIRONMENT, {"path": _path(error)})


def failure_of(error: InklingsError) -> Failure:
    """The failure that an error of the domain means at this door."""
    failure = _failure_of(error)
    notes = getattr(error, "__notes__", ())
    if not notes:
        return failure
    message = " ".join([failure.message, *notes])
    return Failure(failure.kind, message, failure.status, failure.details)


def _denial(error: ScopeDeniedError) -> Failure:
    if isinstance(error, NotLetInError):
        letting_in = f"inklings mcp grant {shlex.quote(error.client)} --as external"
        message = f"You have not let {error.client} in yet. Let it in with: {letting_in}."
        return Failure("scope_denied", message)
    if isinstance(error, DomainDeniedError):
        could = f" These roles may: {', '.join(error.needed)}." if error.needed else ""
        message = f"You may read the domain \u201c{error.domain}\u201d, not write in it.{could}"
        details = {"domain": error.domain, "needed": list(error.needed)}
        return Failure("denied", f"{message} {UNCHANGED}", details=details)
    message = f"You may not do this: {error.action} in the {error.tier} tier."
    details = {"action": error.action, "tier": error.tier}
    return Failure("scope_denied", f"{message} {UNCHANGED}", details=details)


def _failure_of(error: InklingsError) -> Failure:
    match error:
        case StorageError():
            return _storage_failure(error)
        case InvalidValueError():
            details = {"field": error.field, "rule": error.rule, "limit": error.limit}
            return Failure("invalid_value", f"{_rule(error)} {UNCHANGED}", details=details)
        case NotFoundError():
            return Failure(
                "not_found", _not_found(error), details={"what": error.kind, "key": error.key}
            )
        case ConflictError():
            return Failure("conflict", _conflict(error), details=_conflict_details(error))
        case IllegalTransitionError():
            details = {"current": error.current, "wanted": error.wanted}
            return Failure("illegal_transition", _transition(error), details=details)
        case ScopeDeniedError():
            return _denial(error)
        case CapReachedError():
            message = (
                f"This part of the {error.tier} tier is full: it has "
                f"{counted(error.cap, 'memory')}, "
                f"all of them protected. {UNCHANGED} Forget some first, or raise the cap in "
                "settings.toml."
            )
            return Failure("cap_reached", message, details={"tier": error.tier, "cap": error.cap})
        case HeldForReviewError() | DerivableError() | SourcesMissingError() | SupersededError():
            return _not_stored(error)
        case (
            ManifestChangedError()
            | ImportRefusedError()
            | ClientFileError()
            | NoWindowError()
            | PreviewOutdatedError()
            | ScrubRequestEndedError()
        ):
            return _not_carried_out(error)
        case StoppedError() | AlreadyRunningError():
            return _not_done(error)
        case EmbeddingUnavailableError():
            message = (
                "The search model did not answer. Search by words still works: add --mode keyword."
            )
            return Failure("embedding_unavailable", message, details={"reason": error.reason})
        case _:
            return Failure("failed", f"This did not work ({type(error).__name__}). {UNCHANGED}")


def _rule(error: InvalidValueError) -> str:
    limit = error.limit
    words = {
        "limit": f"{limit:,.0f}" if isinstance(limit, int | float) else limit,
        "kib": f"{limit / 1024:.0f}" if isinstance(limit, int | float) else limit,
        "label": _LABELS.get(error.field, error.field),
    }
    known = _RULES.get((error.field, error.rule))
    if known is None and error.field in _LABELS:
        known = _LABEL_RULES.get(error.rule)
    if known is None:
        return f"The value for {error.field} cannot be used ({error.rule})."
    return known.format(**words)


def _not_carried_out(
    error: ManifestChangedError
    | ImportRefusedError
    | ClientFileError
    | NoWindowError
    | PreviewOutdatedError
    | ScrubRequestEndedError,
) -> Failure:
    match error:
        case ManifestChangedError() | PreviewOutdatedError():
            message = f"The memory changed since the dry run. {UNCHANGED} Make it again."
            return Failure("manifest_changed", message)
        case NoWindowError():
            message = f"This has to be confirmed in an open window, and none is open. {UNCHANGED}"
            return Failure("no_window", message)
        case ScrubRequestEndedError():
            state = error.request.state.value
            message = f"This request was {state} before it could be confirmed. {UNCHANGED}"
            return Failure("request_ended", message, details={"state": state})
        case ClientFileError():
            message = f"{UNCHANGED} {client_file_sentence(error)}"
            place = {"path": error.path and str(error.path), "reason": error.reason}
            return Failure("client_file", message, details=place)
        case ImportRefusedError():
            details = {"reason": error.reason, "where": error.where, "limit": error.limit}
            message = f"{refusal_sentence(error)} {UNCHANGED}"
            return Failure("import_refused", message, details=details)


def _not_stored(
    error: HeldForReviewError | DerivableError | SourcesMissingError | SupersededError,
) -> Failure:
    if isinstance(error, DerivableError):
        message = f"The page \u201c{error.page}\u201d says this already, in line {error.line}."
        return Failure("derivable", f"{message} {UNCHANGED}")
    if isinstance(error, SourcesMissingError):
        message = "A fact needs what it was concluded from: name a memory or a page with --source."
        return Failure("sources_missing", f"{message} {UNCHANGED}")
    if isinstance(error, SupersededError):
        message = f"A later fact took its place already: {error.head_id}. {UNCHANGED}"
        return Failure("superseded", message, details={"head": error.head_id})
    message = "The author decides: it is now a proposal. Nothing was changed yet."
    return Failure("held_for_review", message, details={"proposals": list(error.proposal_ids)})


def _not_done(error: StoppedError | AlreadyRunningError) -> Failure:
    if isinstance(error, StoppedError):
        message = "Stopped. Finished steps are kept; the rest was not done."
        return Failure("stopped", message, INTERRUPTED)
    message = "Another program is doing this right now. Nothing was changed. Try again in a minute."
    return Failure("already_running", message, details={"name": error.name})


def _not_found(error: NotFoundError) -> str:
    key = error.key
    if len(key) > MAX_KEY_CHARACTERS:
        key = f"{key[:MAX_KEY_CHARACTERS]}\u2026"
    if error.kind == "workspace" and (error.known or not key):
        return _no_workspace(key, error.known)
    if error.kind == "memory":
        return f"No memory here has an id that is or begins with \u201c{key}\u201d."
    look = f" See inklings {_LISTS[error.kind]}." if error.kind in _LISTS else ""
    return f"There is no {_NOUNS.get(error.kind, error.kind)} \u201c{key}\u201d here.{look}"


def _no_workspace(key: str, known: Sequence[str]) -> str:
    names = ", ".join(f"\u201c{one}\u201d" for one in known)
    if not names:
        return "There is no workspace yet. Open Inklings, or: inklings workspace create NAME"
    if not key:
        return f"Say which workspace is meant, with --workspace: there are {names}."
    return f"There is no workspace \u201c{key}\u201d here; there are {names}."


def _conflict(error: ConflictError) -> str:
    noun = _NOUNS.get(error.kind, error.kind)
    if error.kind == "run":
        return f"This run was already undone. {UNCHANGED}"
    if error.kind == "proposal":
        return f"This proposal was already decided. {UNCHANGED}"
    if error.kind == "page_text":
        return (
            f"The page \u201c{error.key}\u201d was saved by another program since this was made. "
            f"{UNCHANGED} Compare it again."
        )
    if error.expected is None:
        article = "an" if noun[0] in "aeiou" else "a"
        return f"There is already {article} {noun} called \u201c{error.key}\u201d. {UNCHANGED}"
    return (
        f"Somebody saved a newer version of this {noun} first (version {error.actual}, "
        f"not {error.expected}). {UNCHANGED} Look at it, then make the change again."
    )


def _conflict_details(error: ConflictError) -> dict[str, Any]:
    return {
        "what": error.kind,
        "key": error.key,
        "expected": error.expected,
        "actual": error.actual,
    }


def _transition(error: IllegalTransitionError) -> str:
    if error.current == error.wanted:
        return f"The conversation is {error.current} already. {UNCHANGED}"
    if (error.current, error.wanted) == ("active", "archived"):
        return (
            f"The conversation is still active. {UNCHANGED} Let it rest first (inklings "
            "conversation idle), or archive it with --force, which forgets its tier."
        )
    return (
        f"The conversation is {error.current}, so it cannot become {error.wanted}. {UNCHANGED} "
        "The steps are active, idle, archived."
    )


_REASONS = {
    "link": (
        "it is a link, and Inklings writes nothing through links in its data folder. Put a folder "
        "in its place"
    )
}
_DAMAGED = "damaged, or not a database"
_OF_NO_VERSION = {
    "schema": (
        "an Inklings database whose tables no version makes: an unreleased version wrote it, or "
        "another program changed it"
    )
}


def _storage_failure(error: StorageError) -> Failure:
    place = str(error.path) if error.path else "The data root"
    reason = _REASONS.get(error.detail, error.detail or "unknown reason")
    kind, message = "storage", f"{place} cannot be used: {reason}."
    details: dict[str, Any] = {"path": str(error.path) if error.path else None}
    match error:
        case DatabaseInUseError():
            kind = "busy"
            message = (
                f"Another program has {place} open: the window, or the server of an agent. "
                f"{UNCHANGED} Close it, then try again."
            )
        case DatabaseBusyError():
            kind = "busy"
            message = (
                f"Another program is writing to {place} and did not finish in time. {UNCHANGED} "
                "Try again in a moment."
            )
        case DatabaseFullError():
            kind = "full"
            message = (
                "Not saved: the disk is full. What was saved before is intact. Free some space, "
                "then try again."
            )
        case DatabaseReadOnlyError():
            kind = "read_only"
            message = (
                f"{place} cannot be written to. {UNCHANGED} Make it writable, or choose "
                "another folder with --data-dir."
            )
        case DatabaseTooNewError():
            kind = "newer"
            details |= {"found": error.found, "supported": error.supported}
            message = (
                f"{place} is from a newer Inklings: it was last written with schema "
                f"{error.found}, and this version understands schema {error.supported} and "
                "earlier. Nothing has been opened for writing, and nothing has been changed. "
                "Update this program, or choose another folder with --data-dir."
            )
        case DatabaseTooOldError():
            kind = "older"
            details |= {"found": error.found, "needed": error.needed}
            message = (
                f"{place} is from an earlier Inklings: it was last written with schema "
                f"{error.found}, and this version works with schema {error.needed}. It is brought "
                "up to date when it is opened in a folder that can be written to. "
                f"{UNCHANGED} Make the folder writable, or copy it elsewhere and name the copy "
                "with --data-dir."
            )
        case MigrationFailedError():
            kind = "migration"
            details |= {"found": error.found, "needed": error.needed, "kept": error.kept}
            message = (
                f"{place} is from an earlier Inklings and could not be brought up to date from "
                f"schema {error.found} to {error.needed}. {UNCHANGED} A copy of it is kept as "
                f"the backup {error.kept}. Use the version you had before, and report this: "
                f"{error.detail}."
            )
        case ForeignDatabaseError():
            kind = "foreign"
            message = (
                f"{place} is a database, but not the one that belongs there. It was left exactly "
                "as it is. Move it away, or choose another folder with --data-dir."
            )
        case DatabaseCorruptError():
            kind = "damaged"
            message = (
                f"{place} is {_OF_NO_VERSION.get(error.detail, _DAMAGED)}. It was left "
                "exactly as it is. Restore a backup of it (inklings backup list), or choose "
                "another folder with --data-dir."
            )
        case BackupDamagedError():
            kind = "damaged"
            message = (
                f"The backup {place} is damaged, so it was not restored and nothing was changed. "
                "Choose another one (inklings backup list)."
            )
        case UnsupportedSqliteError():
            kind = "unsupported_sqlite"
            details |= {"version": error.version}
            message = (
                f"SQLite {error.version} can lose saved data, so nothing was opened with it. "
                "Install the Python package pysqlite3, or a Python with SQLite 3.51.3 or newer."
            )
        case _:
            message = f"{message} {UNCHANGED}"
    return Failure(kind, message, ENVIRONMENT, details)


def _path(error: OSError) -> str | None:
    return None if error.filename is None else str(error.filename)
