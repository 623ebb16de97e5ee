# /// inklings
# title = "Find all references"
# description = "Every sentence of your memories and pages that names something."
# license = "Apache-2.0"
#
# [inputs]
# query = "Name or word"
# ///
"""Looks through every memory and every page, not only through the best matches."""

import re

import inklings


def main(inputs):
    query = inputs["query"].strip()
    if not query:
        return {"summary": "Say which name or word to look for.", "findings": []}
    # The whole word, also as a plural or with an apostrophe: gull, gulls, gull's.
    named = re.compile(rf"(?<!\w){re.escape(query)}(?:e?s|['\u2019]s)?(?!\w)", re.IGNORECASE)
    findings = []

    for number, memory in enumerate(inklings.every_memory()):
        if number % 50 == 0:
            inklings.progress(f"{number} memories read")
        if named.search(memory["content"]):
            findings.append({"says": told(memory["content"], named), "memories": [memory["id"]]})

    pages = list(inklings.every_page())
    for number, one in enumerate(pages):
        inklings.progress(f"Page {one['title']}", number / len(pages))
        for block in inklings.page(one["id"])["blocks"]:
            if named.search(block["text"]):
                places = dict.fromkeys([one["title"], *(block.get("heading") or "").split("/")])
                where = " / ".join(filter(None, places))
                findings.append(
                    {"says": f"{where}: {told(block['text'], named)}", "pages": [one["id"]]}
                )

    in_memories = sum("memories" in one for one in findings)
    in_pages = len(findings) - in_memories
    summary = f"Memories that name it: {in_memories}. Places in pages: {in_pages}."
    return {"summary": summary, "findings": findings}


def told(text, named):
    """The sentences that name it."""
    sentences = re.split(r"(?<=[.!?])\s+|\n+", text)
    return " \u2026 ".join(one.strip() for one in sentences if named.search(one))
