# /// inklings
# title = "Consistency"
# description = "Your pages: names spelled in two ways, links that lead nowhere, empty pages."
# license = "Apache-2.0"
#
# [inputs]
# folder = "Name of a folder; leave it empty for all"
# ///
"""Reads every page once and compares names, links and titles; it knows nothing of meaning."""

import difflib
import re
from collections import Counter, defaultdict

import inklings

ALIKE = 0.8  # how alike two names are that may be one
RARE = 3  # how often one of them stands at most, against the other


def main(inputs):
    findings = []
    pages = list(inklings.every_page(inputs.get("folder", "").strip()))
    counts, found_on, links = Counter(), defaultdict(set), []
    for number, one in enumerate(pages):
        inklings.progress(f"Reading {one['title']}", number / len(pages))
        page = inklings.page(one["id"])
        links += [(target, one) for target in page.get("links", [])]
        if not any(block["text"].strip() for block in page["blocks"]):
            findings.append({"says": f"{one['title']} is empty.", "pages": [one["id"]]})
        for block in page["blocks"]:
            for name in names(block["text"]):
                counts[name] += 1
                found_on[name].add(one["id"])

    inklings.progress("Comparing names", 0.9)
    for rare, common in alike(counts):
        times = f"{counts[rare]} against {counts[common]} times"
        says = f"\u201c{rare}\u201d may be \u201c{common}\u201d: {times}."
        findings.append({"says": says, "pages": sorted(found_on[rare])})

    known = {key for one in pages for key in keys(one)}
    for target, one in links:
        if "://" not in target and target.split("#")[0] and not plain(target) & known:
            says = f"{one['title']} links to \u201c{target}\u201d, which is no page."
            findings.append({"says": says, "pages": [one["id"]]})

    titles = defaultdict(list)
    for one in pages:
        titles[one["title"].casefold()].append(one["id"])
    for title, ids in titles.items():
        if len(ids) > 1:
            findings.append(
                {"says": f"{len(ids)} pages are called \u201c{title}\u201d.", "pages": ids}
            )
    summary = f"Pages read: {len(pages)}. Things to look at: {len(findings)}."
    return {"summary": summary, "findings": findings}


def names(text):
    """Words with a capital that do not begin a sentence."""
    return re.findall(r"(?<=[\w,;:\u2019'] )[A-Z\u00c0-\u00de]\w{3,}", text)


def alike(counts):
    """Pairs of names of which the rarer may be a slip."""
    for rare, n_rare in counts.items():
        for common in difflib.get_close_matches(rare, counts, 4, ALIKE):
            is_form = common.startswith(rare) or rare.startswith(common)
            if common != rare and not is_form and n_rare <= RARE and counts[common] > n_rare:
                yield rare, common


def keys(page):
    return plain(page["title"]) | plain(page["path"])


def plain(name):
    """How a link may name a page: by its path, or by its last part, without the ending."""
    whole = re.sub(r"\.(md|markdown|txt)$", "", name.split("#")[0].casefold().strip("/ "))
    return {whole, whole.rpartition("/")[2]}
