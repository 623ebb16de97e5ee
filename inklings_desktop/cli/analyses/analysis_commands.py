"""``inklings analysis``: scripts over memory and pages, run where they can change nothing."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.analyses import analysis_of_file, every_shipped, fork, shipped
from inklings_desktop.agent_client.launching import own_environment, world_agent_command
from inklings_desktop.agent_client.script_run import carried_out, order
from inklings_desktop.agent_client.session import Problem
from inklings_desktop.cli.agents.chat_terminal import granting, problem_failure
from inklings_desktop.cli.analyses.analysis_options import (
    AnalysisOptions,
    ForkOptions,
    RunOptions,
)
from inklings_desktop.cli.command import group, program_command, require_root
from inklings_desktop.cli.messages import (
    REFUSED,
    CommandFailedError,
    refused,
    unavailable,
    wrong_usage,
)
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, json_line, one_line, table, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.data_root import default_data_dir

if TYPE_CHECKING:
    import typer

    from inklings_desktop.agent_client.analyses import Analysis
    from inklings_desktop.agent_client.script_run import Report, Step
    from inklings_desktop.cli.program import Program

_MAKING_READY = "Making scripts ready to run; once on this computer, some ten seconds"


def analysis_group() -> typer.Typer:
    """The commands about analyses."""
    analyses = group("analysis", "Scripts that look through memories and pages, without a model.")
    program_command(analyses, "list", CommonOptions, list_analyses)
    program_command(analyses, "show", AnalysisOptions, show)
    program_command(analyses, "run", RunOptions, run)
    program_command(analyses, "fork", ForkOptions, fork_analysis)
    return analyses


def list_analyses(_program: Program, _options: CommonOptions) -> Answer:
    """List the analyses that come with the program."""
    found = list(every_shipped())
    rows = [[one.name, one.title, one.description] for one in found]
    documents = [asdict(one) | {"inputs": dict(one.inputs)} for one in found]
    for one in documents:
        del one["text"]
    return Answer({"analyses": documents}, table(rows))


def show(_program: Program, options: AnalysisOptions) -> Answer:
    """Show the script of an analysis."""
    found = shipped(options.name)
    return Answer({"name": found.name, "script": found.text}, found.text.splitlines())


def fork_analysis(_program: Program, options: ForkOptions) -> Answer:
    """Write a copy of an analysis into a new file, to change it and run it with --file."""
    fork(shipped(options.name), options.file)
    path = one_line(str(options.file), 1000)
    return Answer(
        {"file": str(options.file)}, [f"Copied. Run it with: inklings analysis run --file {path}"]
    )


def run(program: Program, options: RunOptions) -> Answer:
    """Run an analysis, or a script of your own: it reads memories and pages, and no more."""
    analysis = _chosen(options)
    inputs = _inputs(analysis, options)
    require_root(options)
    data_dir = (options.data_dir or default_data_dir()).absolute()
    with program.open_inklings(options.data_dir, workspace=options.workspace) as inklings:
        workspace = required_workspace(inklings)
    command = (program.agent_command or world_agent_command)(data_dir, workspace.id)
    if command is None:
        raise CommandFailedError(problem_failure(Problem(words.AGENT_NOT_INSTALLED)))
    report = carried_out(
        command,
        own_environment(os.environ),
        order(analysis.text, inputs),
        partial(_tell, options=options),
    )
    assert report is not None  # nobody stops it but by ending this process
    if report.word == words.NOT_GRANTED:
        raise refused(report.word, granting(workspace.name))
    if report.word:
        last = (f"  {one_line(one, 200)}" for one in report.last_lines)
        sentence = "\n".join([report.summary, *last])
        raise unavailable(report.word, sentence)
    return Answer(report.document, _lines(report), status=0 if report.is_ok else REFUSED)


def _chosen(options: RunOptions) -> Analysis:
    if bool(options.name) == bool(options.file):
        raise wrong_usage("Name one analysis, or a file with --file.")
    return analysis_of_file(options.file) if options.file else shipped(options.name)


def _inputs(analysis: Analysis, options: RunOptions) -> dict[str, str]:
    """What was filled in; what was not is empty."""
    given = dict.fromkeys(dict(analysis.inputs), "")
    if options.query is not None:
        given["query"] = options.query
    for one in options.inputs or ():
        name, is_pair, value = one.partition("=")
        if not is_pair:
            raise wrong_usage("An input is given as NAME=TEXT.")
        given[name] = value
    unknown = given.keys() - dict(analysis.inputs).keys()
    if analysis.inputs and unknown:
        known = ", ".join(dict(analysis.inputs))
        raise wrong_usage(f"{analysis.title} asks for no {min(unknown)}; it asks for: {known}.")
    return given


def _tell(step: Step, options: RunOptions) -> None:
    """Say on stderr how far it is: with --progress, or what makes one wait at a terminal."""
    if options.as_json and options.progress:
        sys.stderr.write(json_line({"step": step.text or "compiling", "share": step.share}) + "\n")
    elif options.progress or (not step.text and not options.as_json):
        share = f" ({step.share:.0%})" if step.share is not None else ""
        sys.stderr.write(f"{visible(step.text or _MAKING_READY)}{share}\n")


def _lines(report: Report) -> list[str]:
    lines = [visible(one) for one in report.summary.splitlines()]
    for one in report.findings:
        places = [*(f"memory {key}" for key in one.memories), *(f"page {key}" for key in one.pages)]
        where = f" [{one_line(', '.join(places))}]" if places else ""
        lines.append(f"- {one_line(one.says, 1000)}{where}")
    if report.n_left_out:
        lines.append(f"And {counted(report.n_left_out, 'more finding')}; --json has them all.")
    if report.printed:
        lines += ["", "It printed:", *(visible(one) for one in report.printed.splitlines())]
    return lines
