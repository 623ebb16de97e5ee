"""Tell a client why it is not served, in the one message that every client shows."""

from __future__ import annotations

import json
import os
import sys
import threading

WAIT_SECONDS = 5.0
"""Longest wait for a client's first request."""
_REFUSED = -32_000


def refuse(sentence: str) -> None:
    """Say it on standard error, and as the answer to the first request on standard input."""
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
    if sys.stdin.isatty():
        return  # a person reads the sentence, and will not greet a server
    answering = threading.Thread(target=_answer, args=(sentence,), daemon=True)
    answering.start()
    answering.join(WAIT_SECONDS)


def unusable(root: str) -> str | None:
    """Why this folder cannot be a data root, in words; None where it may be one.

    Nothing is ever made here: a folder that was mistyped stays away.
    """
    try:
        os.stat(os.path.join(root, "agents.db"))
        os.listdir(root)
    except (FileNotFoundError, NotADirectoryError):
        return (
            f"There is no memory of Inklings in {root}. Give its folder with --data-dir, or open"
            " Inklings once to begin one there."
        )
    except OSError as error:
        return f"{root} cannot be read ({error.strerror}). Give another folder with --data-dir."
    return None


def _answer(sentence: str) -> None:
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
        except ValueError:
            continue
        if isinstance(request, dict) and "id" in request:
            said = {"code": _REFUSED, "message": sentence}
            answer = {"jsonrpc": "2.0", "id": request["id"], "error": said}
            sys.stdout.write(f"{json.dumps(answer)}\n")
            sys.stdout.flush()
            return
