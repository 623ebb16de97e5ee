"""Errors of the domain as sentences for a person: what happened, what holds, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    BackupDamagedError,
    CapReachedError,
    ConflictError,
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseInUseError,
    DatabaseReadOnlyError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    EmbeddingUnavailableError,
    ForeignDatabaseError,
    IllegalTransitionError,
    InvalidValueError,
    MigrationFailedError,
    NotFoundError,
    OutsideFileError,
    ScopeDeniedError,
    StorageError,
    UnsupportedSqliteError,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.settings import FILE_NAME as SETTINGS_FILE
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.places import room_state
from inklings_desktop.ui.kit.words.skill_words import skill_rule

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.errors import InklingsError


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to tell a person.

    Attributes:
        title: What happened, a short sentence.
        text: What still holds and what to do.
        is_environment: Whether the machine, not the input, is at fault.
        details: Facts for whoever helps: file, versions, the driver's words.
        foot: A sentence below everything else; may be empty.
        status: The same in two or three words, for the status bar; may be empty.
        icon: Name of the mark beside it.
        damaged: The file that could not be read as a whole; None when it is about something else.
    """

    title: str
    text: str
    is_environment: bool = False
    details: tuple[tuple[str, str], ...] = ()
    foot: str = ""
    status: str = ""
    icon: str = "warning-circle"
    damaged: Path | None = None


def message_of(error: InklingsError) -> Message:
    """The sentences for one of our errors."""
    if isinstance(error, StorageError):
        return _storage_message(error)
    # With all about imports, which the start does without.
    from inklings_desktop.domain.transfer.document import ImportRefusedError

    if isinstance(error, ImportRefusedError):
        from inklings_desktop.ui.kit.words.import_refusals import refusal_of

        return Message(*refusal_of(error))
    match error:
        case InvalidValueError():
            return Message(_invalid(error), tr("Nothing was changed."))
        case EmbeddingUnavailableError():
            return _unusable_model(error)
        case ConflictError():
            return _conflict(error)
        case NotFoundError():
            return Message(
                tr("This is gone."),
                tr("It may have been removed or moved. Nothing was changed."),
            )
        case CapReachedError():
            return Message(
                tr("There is no room for another memory here."),
                tr("All {cap} memories here are protected. Forget some first.").format(
                    cap=QLocale().toString(error.cap)
                ),
            )
        case AlreadyRunningError():
            return Message(
                tr("This is being done right now."),
                tr("Another Inklings program is doing this. Nothing was changed; try again soon."),
            )
        case ScopeDeniedError():
            return Message(tr("That is not allowed here."), tr("Nothing was changed."))
        case IllegalTransitionError():
            return Message(
                tr("A conversation cannot go from {current} to {wanted}.").format(
                    current=room_state(error.current), wanted=room_state(error.wanted)
                ),
                tr("Nothing was changed."),
            )
        case _:
            return Message(tr("That did not work."), tr("Nothing was changed."))


def _conflict(error: ConflictError) -> Message:
    if error.kind == "memory":
        return Message(
            tr("This memory was changed since."),
            tr("Your text is still in the editor. Compare the two and choose."),
        )
    if error.kind in {"retcon", "contradiction"}:
        return Message(
            tr("This was already answered."),
            tr("Nothing was changed here. The list shows what still waits."),
        )
    if error.kind == "page_text":
        return Message(
            tr("The page was changed since."),
            tr("{path} stays as it is. Compare again, then decide.").format(path=error.key),
        )
    if error.kind == "page":
        return Message(
            tr("There is a page at this path already."),
            tr("{path} stays as it is.").format(path=error.key),
        )
    if error.kind == "workspace_id":
        return Message(
            tr("This workspace is here already."),
            tr(
                "It is called {name} here. Nothing was changed. To bring in what differs, "
                "export it there and import the file here."
            ).format(name=error.key),
        )
    return Message(
        tr("There is already one with this name."),
        tr("Choose another name. Nothing was changed."),
    )


def _storage_message(error: StorageError) -> Message:
    details = ((tr("File"), str(error.path)),) if error.path else ()
    if error.detail:
        details = (*details, (tr("Reason"), error.detail))
    title, text = _storage_sentences(error)
    damaged = error.path if isinstance(error, DatabaseCorruptError) else None
    return Message(title, text, is_environment=True, details=details, damaged=damaged)


def _version_sentences(
    error: DatabaseTooNewError | DatabaseTooOldError | MigrationFailedError,
) -> tuple[str, str]:
    match error:
        case DatabaseTooNewError():
            return (
                tr("This database is from a newer Inklings"),
                tr(
                    "It was last written with schema {found}. This version understands schema "
                    "{supported} and earlier. Nothing has been opened for writing, and nothing "
                    "has been changed."
                ).format(found=error.found, supported=error.supported),
            )
        case DatabaseTooOldError():
            return (
                tr("This database is from an earlier Inklings"),
                tr(
                    "It has schema {found}, and this version needs schema {needed}. "
                    "Nothing was changed. Make the folder writable, or open a copy of it."
                ).format(found=error.found, needed=error.needed),
            )
        case MigrationFailedError():
            return (
                tr("This database could not be brought up to date"),
                tr(
                    "It is from an earlier Inklings, and the step from schema {found} to "
                    "{needed} failed. Nothing was changed; a copy is kept as the backup "
                    "{kept}. Use your previous version, and report this."
                ).format(found=error.found, needed=error.needed, kept=error.kept),
            )


def _storage_sentences(error: StorageError) -> tuple[str, str]:
    match error:
        case DatabaseTooNewError() | DatabaseTooOldError() | MigrationFailedError():
            return _version_sentences(error)
        case ForeignDatabaseError():
            return (
                tr("This file does not belong here"),
                tr(
                    "It is not the database Inklings expects here, and was not touched. "
                    "Move it elsewhere, or choose another data folder."
                ),
            )
        case BackupDamagedError():
            return (
                tr("This backup is damaged"),
                tr("Nothing was changed. Choose another one."),
            )
        case DatabaseCorruptError():
            return (
                tr("Part of the database could not be read."),
                tr("Nothing has been repaired yet. Keep a copy of the file."),
            )
        case DatabaseReadOnlyError():
            return (
                tr("Read-only: the disk cannot be written to."),
                tr("Nothing was changed. Make the data folder writable and try again."),
            )
        case DatabaseFullError():
            return (
                tr("Not saved: the disk is full."),
                tr("Everything saved before is intact. Free some space and try again."),
            )
        case DatabaseInUseError():
            return (
                tr("Another program has this database open"),
                tr("Nothing was changed. Close other windows and agents, then try again."),
            )
        case DatabaseBusyError():
            return (
                tr("Another program is writing just now"),
                tr("Nothing was saved. Try again in a moment."),
            )
        case OutsideFileError():
            return _outside_sentences(error)
        case UnsupportedSqliteError():
            return (
                tr("This SQLite can lose data"),
                tr(
                    "Version {version} has a known fault, so nothing was opened with it. "
                    "Install SQLite 3.51.3 or newer, or the pysqlite3 package."
                ).format(version=error.version),
            )
        case _:
            return (
                tr("The database did not answer"),
                tr("Nothing was changed. Try again; the details say more."),
            )


def choose_first() -> Message:
    """Saving has to wait for a choice between two texts."""
    return Message(
        tr("Not saved: first choose which text stays."),
        tr("Below your text you can compare both, keep yours or take the stored one."),
    )


def too_much_pasted(n_bytes: int, most_bytes: int) -> Message:
    """A paste was refused.

    Args:
        n_bytes: How much text there would have been, in UTF-8.
        most_bytes: How much can be stored.
    """
    size = QLocale().formattedDataSize(n_bytes, 1, QLocale.DataSizeFormat.DataSizeIecFormat)
    return Message(
        tr("Not pasted: that would be {size} of text.").format(size=size),
        tr("{kib} KiB can be stored here. Paste a part of it, or split it up.").format(
            kib=most_bytes // 1024
        ),
    )


def _unusable_model(error: EmbeddingUnavailableError) -> Message:
    return Message(
        tr("This model does not run here."),
        tr("The model before stays in use. The reason is in the details."),
        details=((tr("Reason"), error.reason), (tr("More"), error.detail)),
    )


def _outside_sentences(error: OutsideFileError) -> tuple[str, str]:
    if error.path is not None and error.path.name == SETTINGS_FILE:
        return (
            tr("The settings could not be saved"),
            tr("Check that {path} can be written to, then choose again.").format(path=error.path),
        )
    if error.is_reading:
        return (
            tr("This file could not be read"),
            tr("Nothing was changed. See that it is still there and that you may read it."),
        )
    return (
        tr("This file could not be written"),
        tr("Nothing was changed. Choose a folder that you may write to."),
    )


def _invalid(error: InvalidValueError) -> str:
    rules = {
        ("model", "no_folder"): tr("There is no such folder or archive."),
        ("model", "zip"): tr("This archive is damaged, encrypted, or has a file twice."),
        ("model", "zip_path"): tr("This archive points outside itself or contains links."),
        ("model", "zip_members"): tr("This archive has too many files for a model."),
        ("model", "too_large"): tr("This is too large for a model."),
        ("model", "file_missing"): tr(
            "A model\u2019s folder has model.onnx, tokenizer.json and model.json. Choose another."
        ),
        ("model", "manifest"): tr("The model.json in it does not say what the model is."),
        ("model", "catalogue"): tr("The list of models in the data root cannot be read."),
        ("model", "not_agreed"): tr("The download is not what you agreed to. Try again."),
        ("model", "unreachable"): tr("The file could not be fetched. Nothing was brought in."),
        ("model", "address"): tr(
            "The address leads to a place that the list of models does not name. Nothing was"
            " brought in."
        ),
        ("model", "hash"): tr(
            "A file is not the one that the list of models names: its hash differs. Nothing was"
            " brought in."
        ),
        ("model", "id"): tr("The name in its model.json cannot name a model."),
        ("settings", "toml"): tr(
            "settings.toml can\u2019t be read. Correct it by hand, or move it away."
        ),
        ("content", "empty"): tr("A memory needs at least one word."),
        ("content", "too_long"): tr(
            "A memory can have at most 64 KiB of text. Shorten or split it."
        ),
        ("content", "nul"): tr("This text contains a NUL character. Remove it, then save."),
        ("content", "encoding"): tr("This text contains half a character. Remove it, then save."),
        ("content", "unreadable"): tr(
            "Part of this memory cannot be read. Write it again, then resume it."
        ),
        ("content", "use_supersede"): tr(
            "The text of a fact stays as it is. Supersede it on the Knowledge page."
        ),
        ("fact", "too_long"): tr("A fact has at most 4,000 characters. Shorten or split it."),
        ("rule", "too_long"): tr("A house rule has at most 2,000 characters. Shorten it."),
        ("rule", "known"): tr("This domain has this house rule already."),
        ("topic", "empty"): tr("A fact needs a topic, such as Nerys/hand."),
        ("topic", "too_long"): tr("A topic has at most 80 characters."),
        ("domain", "empty"): tr("A domain needs a name."),
        ("domain", "too_long"): tr("The name of a domain has at most 80 characters."),
        ("schedule", "form"): tr("Say when it is due."),
        ("schedule", "range"): tr("That is no number that a schedule can have."),
        ("days", "empty"): tr("Choose at least one day."),
        ("at", "time"): tr("Type a time such as 10:30."),
        ("once", "past"): tr("That time has already passed."),
        ("once", "time"): tr("Type a day and a time such as 2026-03-10 10:30."),
        ("missed", "time"): tr("Type times such as 06:30 and 23:30."),
        ("timezone", "unknown"): tr("This machine knows no such time zone."),
        ("run_budget", "range"): tr("That is more, or less, than a run can be given."),
        ("prompt", "empty"): tr("Say what the agent is asked."),
        ("prompt", "too_long"): tr("What the agent is asked is too long."),
        ("activities", "too_many"): tr("There are too many activities. Delete one first."),
        ("domain", "archived"): tr("This domain is archived. Choose another one."),
        ("domain", "look_alike"): tr("This name could be taken for another domain\u2019s."),
        ("role", "format"): tr("A role has 2 to 40 small letters, digits and hyphens."),
        ("confidence", "range"): tr("Confidence runs from 0 to 1."),
        ("reason", "too_short"): tr("Say why, in a few words."),
        ("importance", "range"): tr("Importance runs from 0 to 1."),
        ("importance", "type"): tr("Importance runs from 0 to 1."),
        ("importance", "excluded"): tr(
            "No importance is within both limits. Lift the one that is set first."
        ),
        ("written", "excluded"): tr("No day is within both dates. Lift the one that is set first."),
        ("tags", "too_many"): tr("A memory carries at most 32 tags."),
        ("tags", "too_long"): tr("A tag has at most 64 characters."),
        ("tags", "empty"): tr("A tag needs at least one character."),
        ("name", "empty"): tr("A name needs at least one character."),
        ("name", "too_long"): tr("A name has at most 120 characters."),
        ("name", "control_characters"): tr(
            "A name is one line without hidden characters. Remove them."
        ),
        ("title", "empty"): tr("A title needs at least one character."),
        ("title", "too_long"): tr("A title is too long. Shorten it."),
        ("title", "control_characters"): tr(
            "A title is one line without hidden characters. Remove them."
        ),
        ("conversation", "over"): tr(
            "This conversation has ended. Write it to its channel instead."
        ),
        ("channel", "default"): tr("The channel general cannot be renamed or archived."),
        ("tags", "control_characters"): tr("A tag is one line of text."),
        ("query", "too_long"): tr("This search is too long. Use fewer words."),
        ("reason", "too_long"): tr("This reason is too long. Shorten it."),
        ("reason", "control_characters"): tr("A reason is one line of text."),
        ("summary", "too_long"): tr("This summary is too long. Shorten it."),
        ("summary", "too_many"): tr("This summary has too many points. Leave some out."),
        ("workspace_folder", "none"): tr("This isn\u2019t an Inklings folder."),
        ("workspace_folder", "data_root"): tr(
            "This is a whole data folder. Its workspaces are in the folder workspaces inside it."
        ),
        ("export_path", "data_root"): tr(
            "You can\u2019t export into the folder of Inklings. Choose another place."
        ),
        ("export_path", "no_file"): tr("This is no plain file. Choose another name."),
        ("export_path", "database"): tr("A database has this name. Choose another one."),
        ("page", "ambiguous"): tr("Several pages are called so. Name one by its path."),
        ("page", "link"): tr("A link leads to this page. No page is written through a link."),
        ("page", "encoding"): tr(
            "How this page is encoded is only guessed. Save it as UTF-8 first."
        ),
        ("path", "empty"): tr("A page needs a path, such as places/wend-gate.md."),
        ("path", "outside"): tr("This path leads out of the folder."),
        ("path", "too_long"): tr("A name in this path is too long. Shorten it."),
        ("path", "suffix"): tr("A page ends in .md, .markdown or .txt."),
        ("path", "characters"): tr("No page can have all characters of this path."),
        ("path", "hidden"): tr("A name that begins with a dot is never read as a page."),
        ("path", "ends"): tr("A name in a path has no blank or dot at its ends."),
        ("path", "reserved"): tr("Windows keeps this name for a device."),
        ("folder", "novelwriter"): tr(
            "novelWriter keeps these pages. Change them there; Inklings only reads them."
        ),
        ("folder", "takes_no_proposals"): tr("This folder takes no proposals."),
        ("text", "unchanged"): tr("The page says this already."),
        ("text", "too_long"): tr("A proposed page can have at most 256 KiB of text. Shorten it."),
        ("text", "control_characters"): tr("The text contains characters that no page can keep."),
        ("filter_name", "empty"): tr("A saved filter needs a name."),
        ("filter_name", "too_long"): tr("The name of a filter has at most 60 characters."),
        ("filter_name", "taken"): tr("Another saved filter has this name. Choose another one."),
        ("filter", "asks_nothing"): tr("There is nothing to save: no filter is set."),
        ("filter", "too_many"): tr("There are 200 saved filters already. Delete some first."),
    }
    known = rules.get((error.field, error.rule)) or skill_rule(error)
    if known is not None:
        return known
    return tr("The value for {field} cannot be used.").format(field=error.field)
