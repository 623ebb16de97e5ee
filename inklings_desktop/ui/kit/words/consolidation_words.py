"""What consolidation does and did, and how golden questions fare, in words; pure functions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import CANCELLED, LARGE, RunState, TaskRun
from inklings_desktop.domain.errors import AlreadyRunningError, InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import exact_time
from inklings_desktop.ui.kit.words.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.golden import GoldenComparison, GoldenRecord
    from inklings_desktop.usecases.consolidation.undo_consolidation import RunUndone


def since_words(record: GoldenRecord, place: str = "") -> str:
    """After what a question broke, in a few words: ``broke after consolidation of #map-room``."""
    from inklings_desktop.domain.background.golden import GoldenCause

    if record.since_cause is GoldenCause.CONSOLIDATION and place:
        return tr("broke after consolidation of {place}").format(place=place)
    return {
        GoldenCause.REQUEST: tr("was not answered when you asked"),
        GoldenCause.CONSOLIDATION: tr("broke after a consolidation"),
        GoldenCause.UNDO: tr("broke after a run was undone"),
        GoldenCause.IMPORT: tr("broke after an import"),
        GoldenCause.WITHDRAWAL: tr("broke after an import was undone"),
        GoldenCause.DECAY: tr("broke after other rates of decay"),
        GoldenCause.MODEL: tr("broke after the change of the model"),
        GoldenCause.MEANWHILE: tr("broke between two checks"),
    }[record.since_cause]


def record_lines(record: GoldenRecord, place: str) -> tuple[str, str]:
    """A sentence on how a question fares since when, and one on when it was asked last."""
    from inklings_desktop.domain.background.golden import GoldenCause

    since = exact_time(record.since)
    state = (
        tr("Answered as it must be since {time}.").format(time=since)
        if record.is_right
        else tr("Not answered since {time}: it {why}.").format(
            time=since, why=since_words(record, place)
        )
    )
    asked = {
        GoldenCause.REQUEST: tr("Last asked {time}, on request."),
        GoldenCause.CONSOLIDATION: tr("Last asked {time}, after a consolidation."),
        GoldenCause.UNDO: tr("Last asked {time}, after a run was undone."),
        GoldenCause.IMPORT: tr("Last asked {time}, after an import."),
        GoldenCause.WITHDRAWAL: tr("Last asked {time}, after an import was undone."),
        GoldenCause.DECAY: tr("Last asked {time}, with other rates of decay."),
        GoldenCause.MODEL: tr("Last asked {time}, after the change of the model."),
        GoldenCause.MEANWHILE: tr("Last asked {time}, before something else."),
    }[record.cause]
    return state, asked.format(time=exact_time(record.asked_at))


class NoticeKind(StrEnum):
    """How much a notice weighs: the role of its colour."""

    NEWS = "lapis"
    PROBLEM = "madder"


@dataclass(frozen=True, slots=True)
class ScrubNotice:
    """One thing to say inside the dialog: what happened, and what holds."""

    kind: NoticeKind
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReviewNotice:
    """One thing to say inside the dialog; ``role`` is the colour it is said in."""

    role: str
    title: str
    text: str = ""


_MOST_NAMED = 3


def golden_after_line(golden: GoldenComparison) -> tuple[str, str, str]:
    """How the golden questions fare after a run: icon, role, sentence."""
    n, broken = len(golden.before), golden.would_break
    if broken:
        said = counted(
            len(broken),
            "One golden question is no longer answered:",
            "{n} golden questions are no longer answered:",
        )
        asked = " ".join(one.question.question for one in broken[:_MOST_NAMED])
        return "warning", "ochre", f"{said} {asked}"
    said = counted(
        n,
        "The golden question is answered as before.",
        "All {n} golden questions are answered as before, or better.",
    )
    return "check-circle", "accent", said


def progress_words(step: str) -> str:
    """What is being done."""
    return {
        "compare": tr("Comparing memories"),
        "promote": tr("Keeping for longer"),
        "prune": tr("Forgetting what faded"),
        "merge": tr("Merging"),
        "cap": tr("Making room"),
        "undo": tr("Taking the run back"),
    }.get(step, tr("Working"))


def run_headline(run: TaskRun) -> str:
    """What a run did, in one line; what it broke stands beside it."""
    did = {key: count for key, count in run.counts.items() if key != "broken"}
    return counts_words(did) or tr("Nothing was changed")


def counts_words(counts: Mapping[str, int]) -> str:
    """Figures of a run in words: ``7 merged into 3, 6 forgotten``; empty if it did nothing."""
    parts = []
    if counts.get("merged"):
        parts.append(merged_words(counts.get("parent", 0), counts["merged"]))
    if n_forgotten := counts.get("pruned", 0) + counts.get("capped", 0):
        parts.append(counted(n_forgotten, "1 forgotten", "{n} forgotten"))
    if counts.get("promoted"):
        parts.append(counted(counts["promoted"], "1 kept for longer", "{n} kept for longer"))
    if counts.get("broken"):
        parts.append(broken_words(counts["broken"]))
    return ", ".join(parts)


def broken_words(n_broken: int) -> str:
    """``2 golden questions broke``."""
    return counted(n_broken, "1 golden question broke", "{n} golden questions broke")


def merged_words(n_members: int, n_merged: int) -> str:
    """``7 merged into 3``."""
    return counted(n_members, "1 merged into {m}", "{n} merged into {m}").format(
        m=grouped(n_merged)
    )


def run_sentence(run: TaskRun) -> str:
    """How a run ended, and what it left alone."""
    said = []
    if run.state is RunState.STOPPED and run.problem == CANCELLED:
        said.append(tr("Stopped. What was finished stays."))
    elif run.problem == LARGE:
        said.append(tr("It stopped: it would have forgotten more than a fifth of what is here."))
    if n_left := run.counts.get("passed_over", 0):
        said.append(
            counted(
                n_left,
                "One was just edited and left alone.",
                "{n} were just edited and left alone.",
            )
        )
    return " ".join(said)


def undo_question(run: TaskRun) -> tuple[str, str]:
    """What is asked before a run is taken back: a question and what follows."""
    counts = run.counts
    n_back = counts.get("parent", 0) + counts.get("pruned", 0) + counts.get("capped", 0)
    said = [counted(n_back, "1 memory comes back.", "{n} memories come back.") if n_back else ""]
    if counts.get("merged"):
        said.append(
            counted(
                counts["merged"],
                "The merged one is forgotten.",
                "The {n} merged ones are forgotten.",
            )
        )
    if counts.get("promoted"):
        said.append(
            counted(
                counts["promoted"],
                "1 becomes short-term again.",
                "{n} become short-term again.",
            )
        )
    said.append(tr("Later changes stay."))
    return tr("Undo this run?"), " ".join(one for one in said if one)


def undone_words(undone: RunUndone) -> tuple[str, str]:
    """What taking a run back did: a title and a sentence."""
    parts = []
    if undone.n_restored:
        parts.append(counted(undone.n_restored, "1 memory came back", "{n} memories came back"))
    if undone.n_demoted:
        parts.append(counted(undone.n_demoted, "1 is short-term again", "{n} are short-term again"))
    did = ", ".join(parts) or tr("there was nothing left to restore")
    left = (
        counted(
            undone.n_left,
            "One stays: it was changed since, is gone, or there is no room.",
            "{n} stay: they were changed since, are gone, or there is no room.",
        )
        if undone.n_left
        else tr("Nothing of it is left.")
    )
    return tr("The run was undone: {did}.").format(did=did), left


def changed_notice() -> ReviewNotice:
    """The memory changed since the plan was made."""
    return ReviewNotice(
        "ochre",
        tr("Memory changed since the plan was made."),
        tr("Here is the new one. Nothing was applied; your decisions that still fit are kept."),
    )


def rivals_notice(n_moved: int) -> ReviewNotice:
    """Accepting one group took a memory that others would merge, too."""
    return ReviewNotice(
        "lapis",
        counted(
            n_moved,
            "Another group shares a memory with this one; decide it again.",
            "{n} other groups share a memory with this one; decide them again.",
        ),
        tr("A memory can be merged only once."),
    )


def stopped_notice() -> ReviewNotice:
    """The run was stopped before it did anything."""
    return ReviewNotice("lapis", tr("Stopped before anything was changed."))


def already_undone_notice() -> ReviewNotice:
    """Somebody else took the run back first."""
    return ReviewNotice("lapis", tr("This run was already undone."))


def problem_notice(error: InklingsError) -> ReviewNotice:
    """Why something did not work, and what holds."""
    if isinstance(error, AlreadyRunningError):
        return ReviewNotice(
            "lapis",
            tr("This is being consolidated right now."),
            tr("Wait until that run has ended, then look again. Your decisions are kept."),
        )
    message = message_of(error)
    return ReviewNotice("madder", message.title, message.text)
