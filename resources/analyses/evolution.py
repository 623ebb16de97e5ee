# /// inklings
# title = "How has it evolved?"
# description = "What was said of something over time: in memories, facts and changes of pages."
# license = "Apache-2.0"
#
# [inputs]
# query = "What it is about"
# ///
"""Puts what mentions it in the order of time, and says what each step added or no longer says."""

import re

import inklings

SHORT = 4  # words with fewer letters say little about a change


def main(inputs):
    query = inputs["query"].strip()
    if not query:
        return {"summary": "Say which name or word to look for.", "findings": []}
    wanted = {one.casefold() for one in re.findall(r"\w+", query) if len(one) >= SHORT}
    wanted = wanted or {query.casefold()}
    steps = []

    inklings.progress("Reading memories", 0.0)
    for memory in inklings.every_memory():
        if wanted & words(memory["content"]):
            steps += [
                (at, text, {"memories": [memory["id"]]})
                for at, text in texts_of(memory)
                if wanted <= words(text)
            ]

    inklings.progress("Reading facts", 0.5)
    try:
        for fact in inklings.fact_search(query, limit=100):
            if wanted <= words(fact["content"]):
                steps.append((fact.get("created_at") or "", f"Fact: {fact['content']}", {}))
    except inklings.RefusedError:
        pass  # facts are not granted

    inklings.progress("Reading pages", 0.7)
    named = {one["path"]: one for one in inklings.every_page()}
    for change in inklings.page_changes("2000-01-01"):
        page = named.get(change["path"])
        if page and wanted & (words(page["title"]) | words(page["path"])):
            said = f"Page {page['title']}: {change['what']}"
            steps.append((change["at"] or "", said, {"pages": [page["id"]]}))

    steps.sort(key=lambda one: one[0])
    findings, before = [], None
    for at, text, where in steps:
        says = f"{at[:10] or 'Undated'}: {text}"
        if "memories" in where:
            says += difference(before, text)
            before = text
        findings.append({"says": says, **where})
    summary = f"Steps found: {len(steps)}."
    dated = [at[:10] for at, _, _ in steps if at]
    if dated:
        summary += f" From {dated[0]} to {dated[-1]}."
    return {"summary": summary, "findings": findings}


def texts_of(memory):
    """What a memory said over time, each with when it began to."""
    at, before = memory["created_at"] or "", None
    earlier = inklings.memory_versions(memory["id"]) if memory["version"] > 1 else []
    for one in earlier:
        if one["content"] not in {None, before}:
            before = one["content"]
            yield at, before
        at = one["until"]
    if memory["content"] != before:
        yield at, memory["content"]


def words(text):
    return {one.casefold() for one in re.findall(r"\w+", text) if len(one) >= SHORT}


def difference(before, text):
    if before is None:
        return ""
    new, gone = sorted(words(text) - words(before)), sorted(words(before) - words(text))
    return f" (new: {', '.join(new) or 'nothing'}; no longer said: {', '.join(gone) or 'nothing'})"
