"""Pairs of names that a reader may confuse, the closest first."""

from difflib import SequenceMatcher

CLOSE = 0.72


def main(inputs):
    """Compare every two of the names that are given."""
    names = list(dict.fromkeys(str(one).strip() for one in inputs.get("names", [])))
    pairs = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            reasons = why_close(one.casefold(), other.casefold())
            if reasons:
                pairs.append({"names": [one, other], "why": reasons})
    pairs.sort(key=lambda pair: -len(pair["why"]))
    return {"n_names": len(names), "pairs": pairs}


def why_close(one, other):
    """Say in what two names are alike; nothing where that confuses nobody."""
    reasons = []
    if one[:2] == other[:2]:
        reasons.append("begin alike")
    if one[-3:] == other[-3:]:
        reasons.append("end alike")
    if abs(len(one) - len(other)) <= 1 and one[:1] == other[:1]:
        reasons.append("same letter and length")
    if SequenceMatcher(None, one, other).ratio() >= CLOSE:
        reasons.append("look alike")
    return reasons if len(reasons) > 1 or "look alike" in reasons else []
