"""Python to take away: the lines of an analysis with the imports they need and the numbers they must give."""

import ast
import builtins
import importlib
import math
import sys
from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from evalcore.readers import FORMATS, DataSet, Roles, Unloaded, files_of, samples

__all__ = ["check", "literal", "script"]

_LIBRARIES = {"math": "import math", "np": "import numpy as np", "pd": "import pandas as pd"}
_INSTALL = '# Needs Evalcore: run  pip install ".[all]"  in its folder.'
_PACKAGES = ("classification", "estimation", "inference", "retrieval", "readers", "analyses", "wording")


def script(*parts: str) -> str:
    """Join blocks of code into a complete program.

    What the blocks use of ``evalcore``, ``math``, ``np`` and ``pd`` is imported at the top, as is what they import. A
    comment above says how to install it; at the end the program prints what its checks have compared.

    Raises
    ------
    NameError
        When a block uses a name that is neither defined in the program nor public in evalcore.

    Examples
    --------
    >>> print(script("counts = ConfusionCounts(4, 2, 1, 3)", check("recall(counts)", 0.8)))
    # Needs Evalcore: run  pip install ".[all]"  in its folder.
    import numpy as np
    <BLANKLINE>
    from evalcore.classification import ConfusionCounts, recall
    <BLANKLINE>
    counts = ConfusionCounts(4, 2, 1, 3)
    np.testing.assert_allclose(recall(counts), 0.8, rtol=1e-9, atol=1e-12)
    print('The same as on the page: recall(counts)')
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
    names = {module: sorted(own, key=lambda name: (name.casefold(), name)) for module, own in sorted(modules.items())}
    own = [f"from {module} import {', '.join(names[module])}" for module in names]
    checked = ", ".join(_checked(tree))
    end = [f"print({f'The same as on the page: {checked}'!r})"] * bool(checked)
    blocks = (standard, sorted(whole.difference(standard)), own, ["\n".join(lines).strip("\n"), *end])
    return "\n".join((_INSTALL, "\n\n".join("\n".join(block) for block in blocks if block), ""))


def check(expression: str, expected: npt.ArrayLike) -> str:
    """Line of Python that asserts that an expression gives the numbers of the page; nan equals nan."""
    return f"np.testing.assert_allclose({expression}, {literal(expected)}, rtol=1e-9, atol=1e-12)"


def literal(value: object) -> str:
    """A value as a Python literal, including numpy numbers, arrays and infinities.

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


def _checked(tree: ast.Module) -> list[str]:
    """What a program compares: expressions, and in a loop over a dictionary that is written out, its keys."""
    keys: dict[str, list[str]] = {}
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            keys[ast.unparse(node.targets[0])] = [ast.unparse(key).strip("'") for key in node.value.keys if key]
        checks = [_compared(one) for one in ast.walk(node)]
        loop = ast.unparse(node.iter).partition(".")[0] if isinstance(node, ast.For) else ""
        found += keys.get(loop, filter(None, checks)) if any(checks) else ()
    return [*dict.fromkeys(found)]


def _compared(node: ast.AST) -> str:
    """The expression that an assertion compares with a number; empty for what is none."""
    if isinstance(node, ast.Assert):
        test = node.test
        return ast.unparse(test.left if isinstance(test, ast.Compare) else getattr(test, "args", [test])[0])
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.testing.assert_allclose":
        return ast.unparse(node.args[0])
    return ""


@cache
def _home(name: str) -> str:
    """Package that exports a public name."""
    # Packages first: a script computes with states, and `evalcore` has functions of arrays by the same names.
    for module in (*(f"evalcore.{package}" for package in _PACKAGES), "evalcore"):
        package = importlib.import_module(module)
        if hasattr(package, name) and not name.startswith("_"):
            return module
    raise NameError(f"{name} is no public name of evalcore.")


def reading_code(source_id: str, dataset: DataSet, detected: Roles | None) -> str:
    """Python that reads a data set into ``data``, with the roles that were chosen instead of those detected."""
    file = dataset.unshaped
    pictures = dataset.kind == "masks" and not any(file.name.lower().endswith(form.endings) for form in FORMATS)
    if source_id in samples():
        lines = ["from evalcore.readers import read_sample", "", f"data = read_sample({source_id!r})"]
    elif file.unloaded is not None:
        lines = _unloaded_lines(file, file.unloaded)
    elif pictures and not file.name.endswith(".zip"):
        lines = ["from pathlib import Path", "", "from evalcore.readers import read_masks", ""]
        lines += ["# Put the actual and the predicted masks, or a zip of each, into two folders beside this script."]
        lines += ["sides = [list(Path(folder).iterdir()) for folder in ('actual', 'predicted')]"]
        lines += ["data = read_masks(*({path.name: path.read_bytes() for path in side} for side in sides))"]
    elif files := (file.name,) if pictures else files_of(file):
        lines = ["from pathlib import Path", "", "from evalcore.readers import read_files", ""]
        lines += [f"files = {files!r}", "data = read_files({name: Path(name).read_bytes() for name in files})"]
    elif file.joined:
        lines = _join_lines(file)
    elif "." not in file.name:  # arrays or a frame, which had no file
        saved = f"{file.name}.parquet"
        lines = ["from evalcore.readers import read_table", ""]
        lines += [f"# Save the rows first: answer.source.frame.to_parquet({saved!r})", f"data = {_reading(saved, {})}"]
    else:
        options = file.lines.origin.arguments() if file.lines.origin else {}
        lines = ["from evalcore.readers import read_table", "", f"data = {_reading(file.name, options)}"]
    if faces := file.face_files:
        lines = ["from pathlib import Path", "", "from evalcore.readers import add_faces", "", *lines]
        lines.append(f"data = add_faces(data, {{name: Path(name).read_bytes() for name in {faces!r}}})")
    if dataset.shape.steps:
        lines.append(f"data = data.shaped({dataset.shape.to_text()!r})")
    text = dataset.roles.to_text()
    if detected is not None and text != detected.to_text():
        lines.append(f"data = data.with_roles({text!r})")
    return "\n".join(lines)


def _unloaded_lines(file: DataSet, unloaded: Unloaded) -> list[str]:
    """Python that opens a table without loading it, and reads its first rows or counts all."""
    if unloaded.judged:
        return _ranking(file, unloaded)
    address = file.name if unloaded.way == "upload" else unloaded.address
    lines = _opening(unloaded, address, "first_rows, open_stored, summary_dataset")
    lines += [f"stored = {_opened(unloaded, address, unloaded.table)}", "data = first_rows(stored)"]
    if unloaded.is_counted:
        counted = f"{unloaded.system!r}, stored.name" if unloaded.system else "name=stored.name"
        lines.append(f"data = summary_dataset(stored.frame, data.with_roles({unloaded.roles!r}).roles, {counted})")
    return lines


def _ranking(file: DataSet, unloaded: Unloaded) -> list[str]:
    """Python that opens runs and judgments without loading them, and ranks and joins them."""
    arguments = {"name": file.name, **unloaded.judged}
    run = _opened(unloaded, unloaded.address, unloaded.table)
    judged = _opened(unloaded, arguments.pop("address"), arguments.pop("table", None))
    lines = _opening(unloaded, unloaded.address, "open_stored, ranked_dataset")
    options = ", ".join(f"{word}={value!r}" for word, value in arguments.items())
    return [*lines, f"run = {run}", f"judged = {judged}", f"data = ranked_dataset(run, judged, {options})"]


def _opened(unloaded: Unloaded, address: str, table: str | None) -> str:
    """Call that opens a file, a folder or a database table without loading it."""
    if unloaded.way == "connection":
        return f"tables.open({table!r})"
    return f"open_stored({address!r}{'' if table is None else f', {table!r}'})"


def _opening(unloaded: Unloaded, address: str, imports: str) -> list[str]:
    """First lines of Python that opens tables; a connection of Streamlit's secrets has its tables first."""
    if unloaded.way != "connection":
        return [f"from evalcore.engines import {imports}", ""]
    own = f"from evalcore.engines import connected, {imports.replace('open_stored, ', '')}"
    return [
        *("import tomllib", "from pathlib import Path", "", own, ""),
        "# The connection is the one of Streamlit's secrets: put such a file beside this script.",
        'secrets = tomllib.loads(Path(".streamlit/secrets.toml").read_text(encoding="utf-8"))',
        f'tables = connected(secrets["connections"][{address!r}], {address!r}).tables()',
    ]


def _join_lines(dataset: DataSet) -> list[str]:
    """Python that reads and joins files as a user did: some at first, and perhaps more later."""
    lines = ["from evalcore.readers import join_tables, read_table", ""]
    for number, stage in enumerate(dataset.joined):
        tables = []
        for name in dict.fromkeys(name for name, _ in stage):
            tables.append(_reading(name, {word: value for file, word, value in dataset.joined_with if file == name}))
        keys = dict(stage if number else stage[1:])
        lines.append(f"data = join_tables([{', '.join(['data'] * bool(number) + tables)}], {keys!r})")
    return lines


def _reading(name: str, options: Mapping[str, object]) -> str:
    """Call of `read_table` for a file, with its options."""
    return f"read_table({', '.join([repr(name), *(f'{word}={value!r}' for word, value in options.items())])})"
