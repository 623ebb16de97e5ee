"""What the dialog of analyses shows, and its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.acp_wire import scripts as ends
from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent_client.analyses import Analysis
    from inklings_desktop.agent_client.script_run import Report, Step


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """What is on show.

    Attributes:
        analysis: The one that was chosen.
        inputs: What was filled in, by what the script calls it.
        step: How far it is; None while nothing runs, or it has not said yet.
        is_running: Whether it runs.
        report: What it came to; None before that.
        is_stopped: Whether the person stopped the last run.
        shows_script: Whether its text is read, instead of what it found.
        notice: Why something could not be done; empty for nothing.
    """

    analysis: Analysis
    inputs: Mapping[str, str]
    step: Step | None = None
    is_running: bool = False
    report: Report | None = None
    is_stopped: bool = False
    shows_script: bool = False
    notice: str = ""


def title_words(analysis: Analysis) -> str:
    """What an analysis is called: one that is shipped in the language of the window."""
    return {
        "references": tr("Find all references"),
        "contradictions": tr("Contradictions between descriptions"),
        "evolution": tr("How has it evolved?"),
        "consistency": tr("Consistency"),
    }.get(analysis.name, analysis.title)


def about_words(analysis: Analysis) -> str:
    """What it does."""
    return {
        "references": tr("Every sentence of your memories and pages that names something."),
        "contradictions": tr(
            "Sentences about the same thing that differ in a colour, a number, a side or a not."
        ),
        "evolution": tr("What was said of something over time: memories, facts, page changes."),
        "consistency": tr("Names spelled in two ways, links that lead nowhere, empty pages."),
    }.get(analysis.name, analysis.description)


def input_words(analysis: Analysis, key: str, label: str) -> str:
    """What is to be filled in."""
    return {
        ("references", "query"): tr("Name or word"),
        ("contradictions", "query"): tr("Name; leave it empty for everything"),
        ("evolution", "query"): tr("What it is about"),
        ("consistency", "folder"): tr("Name of a folder; leave it empty for all"),
    }.get((analysis.name, key), label)


def step_words(state: AnalysisState) -> str:
    """What it does now."""
    if state.step is None:
        return tr("Opening your memory\u2026")
    return state.step.text or tr(
        "Making scripts ready to run, once on this computer: some ten seconds\u2026"
    )


def verdict_words(state: AnalysisState) -> str:
    """What it came to, in a sentence or two; empty before that."""
    report = state.report
    if state.is_stopped:
        return tr("Stopped. Nothing was changed.")
    if report is None:
        return ""
    if report.word:
        return _problem_words(report.word)
    if report.is_ok:
        return report.summary
    said = str(report.document.get("said") or "")
    return f"{_end_words(str(report.document.get('outcome')))} {said}".rstrip()


def left_out_words(report: Report) -> str:
    """How much more was found than is shown; empty for nothing."""
    if not report.n_left_out:
        return ""
    return counted(report.n_left_out, "And 1 more finding.", "And {n} more findings.")


def _end_words(outcome: str) -> str:
    return {
        ends.OUT_OF_FUEL: tr("The script was stopped: it computed more than it may."),
        ends.TIME_LIMIT: tr("The script was stopped: it took too long."),
        ends.OUT_OF_MEMORY: tr("The script was stopped: it needed more memory than it may have."),
        ends.HOST_LIMIT: tr(
            "The script was stopped: it asked for more, or gave back more, than it may."
        ),
    }.get(outcome, tr("The script has a mistake, and gave no result."))


def _problem_words(word: str) -> str:
    known = {
        wire.NOT_GRANTED: tr(
            "You have not let the World Agent in yet. Let it in on the page Conversation, then run "
            "this again."
        ),
        wire.MEMORY_UNREACHABLE: tr("Your memory could not be opened for the agent."),
        wire.AGENT_GONE: tr("The World Agent stopped unexpectedly."),
        wire.AGENT_FAILED_TO_START: tr("The agent did not start."),
    }
    if word in {wire.AGENT_NOT_INSTALLED, wire.SCRIPTS_NOT_INSTALLED}:
        return tr(
            "Analyses cannot run: a part of the agent is missing. Install it with {line}, then "
            "restart Inklings. Everything else works."
        ).format(line=INSTALLING)
    return known.get(word, tr("The agent could not do this."))
