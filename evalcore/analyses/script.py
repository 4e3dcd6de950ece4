"""Python to take away: the lines of an analysis with the imports they need and the numbers they must give."""

import ast
import builtins
import importlib
import math
import sys
from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = ["check", "literal", "script"]

_LIBRARIES = {"math": "import math", "np": "import numpy as np", "pd": "import pandas as pd"}
_PACKAGES = ("classification", "estimation", "inference", "retrieval", "readers", "analyses", "wording")


def script(*parts: str) -> str:
    """A complete program of some blocks of code, one under the other.

    What the blocks use of ``evalcore``, ``math``, ``np`` and ``pd`` is imported at the top, as is what they import.

    Raises
    ------
    NameError
        When a block uses a name that is neither defined in the program nor public in evalcore.

    Examples
    --------
    >>> print(script("counts = ConfusionCounts(4, 2, 1, 3)", check("recall(counts)", 0.8)))
    import numpy as np
    <BLANKLINE>
    from evalcore.classification import ConfusionCounts, recall
    <BLANKLINE>
    counts = ConfusionCounts(4, 2, 1, 3)
    np.testing.assert_allclose(recall(counts), 0.8, rtol=1e-9, atol=1e-12)
    <BLANKLINE>
    """
    body = "\n".join(part.strip("\n") for part in parts if part.strip())
    tree, lines = ast.parse(body), body.splitlines()
    modules: dict[str, set[str]] = {}
    whole = set()
    for node in reversed([node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]):
        if isinstance(node, ast.ImportFrom):
            modules.setdefault(node.module or "", set()).update(alias.name for alias in node.names)
        else:
            whole |= {ast.unparse(node)}
        del lines[node.lineno - 1 : node.end_lineno]
    for name in _undefined(tree):
        if name in _LIBRARIES:
            whole.add(_LIBRARIES[name])
        else:
            modules.setdefault(_home(name), set()).add(name)
    standard = sorted(line for line in whole if line.split()[1] in sys.stdlib_module_names)
    own = [
        f"from {module} import {', '.join(sorted(names, key=lambda name: (name.casefold(), name)))}"
        for module, names in sorted(modules.items())
    ]
    blocks = (standard, sorted(whole.difference(standard)), own, ["\n".join(lines).strip("\n")])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def check(expression: str, expected: npt.ArrayLike) -> str:
    """A line that fails unless an expression gives the numbers that stand on the page; nan equals nan.

    >>> check("areas", [0.5, float("nan")])
    'np.testing.assert_allclose(areas, [0.5, float("nan")], rtol=1e-9, atol=1e-12)'
    """
    return f"np.testing.assert_allclose({expression}, {literal(expected)}, rtol=1e-9, atol=1e-12)"


def literal(value: object) -> str:
    """A value as Python reads it back, numpy's numbers and arrays and infinities among them.

    >>> literal((np.float64(0.5), float("inf"), "a"))
    '(0.5, float("inf"), \\'a\\')'
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f'float("{value}")'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(literal, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    return repr(value)


def _undefined(tree: ast.AST) -> set[str]:
    """Names that a program reads and nowhere defines."""
    read, defined = set(), set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.alias):
            defined.add((node.asname or node.name).partition(".")[0])
    return read - defined


@cache
def _home(name: str) -> str:
    """The package whose public name this is."""
    for module in ("evalcore", *(f"evalcore.{package}" for package in _PACKAGES)):
        package = importlib.import_module(module)
        if hasattr(package, name) and not name.startswith("_"):
            return module
    raise NameError(f"{name} is no public name of evalcore.")
