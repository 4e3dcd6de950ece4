"""Links from the name of a measure to its entry on the page of measures."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from urllib.parse import urlencode

from evalcore.registry import METRICS, MetricDef, measure_named
from evalcore.wording.escaping import plain

__all__ = ["entry_link", "linked_mentions", "linked_names", "measure_links", "measure_markdown", "with_parameters"]

_ENTRY = "measures?measure="
_OTHERWISE = ("p", "judged", "map")
"""Names of measures that stand for something else on the screen: p-values, numbers of judged documents, a drawing."""

_WORDS = {
    *("lift", "cost", "bias", "coverage", "success", "efficiency", "judged", "judged at k", "max", "hit", "confidence"),
    *("concordance", "pref", "preferences", "effectiveness", "gamma", "poisson", "width"),
    *("phi", "prec", "ev", "me", "ba", "gm", "fm", "mk", "nb", "generality"),
}
"""Names of measures that are words of other meanings in a sentence."""

_SYMBOLS = r"F(?:\d(?:\.\d)?|β)|n?D?CG@\d+|(?:P|R|AP|RR|ERR|RBP)@\d+"
_NO_TEXT = r"`[^`]*`|\\.|\$[^$]*\$|“[^”]*”|\[[^\]]*\]\([^)]*\)|:[a-z]+-badge\[[^\]]*\]"


def entry_link(key: str) -> str:
    """The address of the entry of a measure, a term or a message, as a link on any page.

    >>> entry_link("recall")
    'measures?measure=recall'
    """
    return f"{_ENTRY}{key}"


def measure_markdown(measure: MetricDef, name: str = "") -> str:
    """The name of a measure, or another that it goes by, in bold, as a link to its entry.

    >>> from evalcore import find
    >>> measure_markdown(find("PPV"))
    '[**Precision**](measures?measure=precision)'
    """
    return f"[**{name or measure.name}**]({entry_link(measure.key)})"


def measure_links(names: Iterable[str], family: str | None = None) -> list[str]:
    """Those names that measures (of rankings, where that is the family) go by, as links to entries, in Markdown.

    >>> measure_links(["system", "recall", "F1", "p"])
    ['[recall](measures?measure=recall)', '[F1](measures?measure=f_beta)']
    >>> measure_links({"AP": "AP"}, "retrieval")
    ['[AP](measures?measure=average_precision_at)']
    """
    named = {name: measure_named(name, family) or measure_named(name) for name in names if name not in _OTHERWISE}
    return [f"[{plain(name)}]({entry_link(measure.key)})" for name, measure in named.items() if measure]


def linked_names(text: str, family: str | None = None) -> str:
    """Markdown in which names of measures in bold letters lead to their entries.

    >>> linked_names("**Precision**: **2** of 3")
    '**[Precision](measures?measure=precision)**: **2** of 3'
    """
    return re.sub(
        r"(?<=\*\*)([^*\[\]]+)(?=\*\*)", lambda name: "".join(measure_links([name[1]], family)) or name[1], text
    )


def linked_mentions(text: str, family: str | None = None) -> str:
    """Markdown in which the first mention of each measure leads to its entry; links, code, formulas and quotes stay.

    >>> linked_mentions("AUC 0.9: the accuracy is high, the AUC too, and $F_1$")
    '[AUC](measures?measure=roc_auc) 0.9: the [accuracy](measures?measure=accuracy) is high, the AUC too, and $F_1$'
    """
    seen = set()

    def link(match: re.Match[str]) -> str:
        name = match["name"]
        measure = (measure_named(name, family) or measure_named(name)) if name else None
        if measure is None or measure.key in seen:
            return match[0]
        seen.add(measure.key)
        return f"[{name}]({entry_link(measure.key)})"

    return _mentions().sub(link, text)


@cache
def _mentions() -> re.Pattern[str]:
    """What is no running text, or the name of a measure: words begin with either case, symbols are as they are."""
    names = {name for one in METRICS.values() for name in (one.name, one.symbol, *one.aliases)}
    fit = (name for name in names if len(name) > 1 and "{" not in name and name.casefold() not in _WORDS)
    longest_first = sorted(fit, key=lambda name: (-len(name), name))
    words = (
        f"[{name[0].lower()}{name[0].upper()}]{re.escape(name[1:])}"
        if name[0].isalpha() and name[1:3].islower()
        else re.escape(name)
        for name in longest_first
    )
    return re.compile(rf"{_NO_TEXT}|(?<![\w–-])(?P<name>{_SYMBOLS}|{'|'.join(words)})(?![\w–@-]|\()")


def with_parameters(text: str, parameters: Mapping[str, str]) -> str:
    """HTML or Markdown whose links to entries carry what is open.

    >>> with_parameters("[**Recall**](measures?measure=recall)", {"data": "a b", "measure": "AP"})
    '[**Recall**](measures?data=a+b&measure=recall)'
    """
    carried = {name: value for name, value in parameters.items() if name != "measure"}
    return text.replace(_ENTRY, f"measures?{urlencode(carried)}&measure=") if carried else text
