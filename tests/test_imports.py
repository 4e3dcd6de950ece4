"""Imports go one way — app.py → pages → pages/widgets → evalcore/figures → evalcore — and each library has one user."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE, FIGURES, WIDGETS = ROOT / "evalcore", ROOT / "evalcore" / "figures", ROOT / "pages" / "widgets"
FILES = [
    ROOT / "app.py",
    *(
        path
        for folder in ("evalcore", "pages", "sample_data", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    ),
]
USERS = {
    "scipy": ("inference", "estimation", "engines"),
    "pandas": ("readers", "library"),
    "pyarrow": ("readers", "engines"),
    "openpyxl": ("readers",),
    "python_calamine": ("readers",),
    "pyreadstat": ("readers",),
    "charset_normalizer": ("readers",),
    "PIL": ("readers",),
    "plotly": ("figures",),
    "_plotly_utils": ("figures",),
    "narwhals": ("engines",),
    "duckdb": ("engines",),
    "sqlalchemy": ("engines",),
    "sqlglot": ("engines",),
    "numpy": ("",),
}
"""Which rooms of evalcore may import a library; "" is every room."""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def imported(path: Path) -> frozenset[str]:
    """Full names of the modules, or of what of them, a file imports, wherever in it the import stands."""
    package = path.relative_to(ROOT).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def rings(folder: Path, node: Callable[[Path], Path]) -> list[set[str]]:
    """Nodes (files, or their folders) that import one another in a ring; imports for types and in functions count."""
    modules = {name(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in FILES}
    reach: dict[str, set[str]] = {}
    for path in FILES:
        if folder in path.parents and path.name != "__init__.py":  # which collects what its folder offers
            targets = {modules.get(m) or modules.get(m.rpartition(".")[0]) for m in imported(path)} - {None}
            reach.setdefault(name(node(path)), set()).update({name(node(t)) for t in targets if node(t) != node(path)})
    for middle in reach:  # Warshall: who reaches the middle reaches what the middle reaches
        for start in reach:
            if middle in reach[start]:
                reach[start] |= reach[middle]
    return [
        {other for other in reach if start in reach[other]} & reach[start] for start in reach if start in reach[start]
    ]


def reaches(path: Path, *modules: str) -> set[str]:
    """What a file imports of some modules or of what lies in them."""
    return {m for m in imported(path) if any(m == target or m.startswith(f"{target}.") for target in modules)}


def within(*folders: Path, but: tuple[Path, ...] = ()) -> Callable:
    """Ask a test of every file in some folders: to keep a book of a test for each would take longer than to ask."""
    paths = [p for p in FILES if any(f in p.parents for f in folders) and not any(b in p.parents for b in but)]

    def ask(test: Callable[[Path], None]) -> Callable[[], None]:
        def asked_of_all() -> None:
            failures = {}
            for path in paths:
                try:
                    test(path)
                except AssertionError as error:
                    failures[name(path)] = str(error)
            assert paths
            assert failures == {}

        return asked_of_all

    return ask


@within(CORE)
def test_evalcore_knows_no_page_and_no_browser(path: Path) -> None:
    assert not reaches(path, "pages", "app", "streamlit", "tests", "benchmarks", "sample_data")


@within(CORE, but=(FIGURES, CORE / "reports", CORE / "library", CORE / "lessons", CORE / "notebook"))
def test_numbers_know_no_pictures(path: Path) -> None:
    assert not reaches(path, "evalcore.figures")


@within(
    CORE,
    but=tuple(
        CORE / room
        for room in (
            *("figures", "readers", "inference", "analyses", "engines", "learning", "reports", "library", "lessons"),
            "notebook",
        )
    ),
)
def test_the_core_needs_no_reader_and_no_inference(path: Path) -> None:
    if path.name != "__main__.py":
        assert not reaches(path, "evalcore.readers", "evalcore.inference")


@within(CORE)
def test_each_library_has_its_room(path: Path) -> None:
    room = path.relative_to(CORE).parts[0]
    for module in {m.partition(".")[0] for m in imported(path)} - set(sys.stdlib_module_names) - {"evalcore"}:
        assert module in USERS, f"{module} is used nowhere else in evalcore"
        assert "" in USERS[module] or room in USERS[module], f"only {USERS[module]} may import {module}"


def test_no_files_of_evalcore_import_each_other_in_a_ring() -> None:
    assert not rings(CORE, node=lambda path: path)


@pytest.mark.parametrize("room", [CORE, ROOT / "pages"], ids=name)
def test_no_folders_import_each_other_in_a_ring(room: Path) -> None:
    # what stands in evalcore itself is shared by all its folders, and opens all of them
    assert not rings(room, node=lambda path: path if path.parent == CORE else path.parent)


@pytest.mark.parametrize("room", [CORE, ROOT / "pages", ROOT / "tests"], ids=name)
def test_a_folder_can_be_taken_in_at_a_glance(room: Path) -> None:
    files: dict[str, int] = {}
    for path in room.rglob("*"):
        if path.is_file() and not {"__pycache__", "words"} & {*path.parts} and path.name != "__init__.py":
            files[name(path.parent)] = files.get(name(path.parent), 0) + 1
    assert {folder: number for folder, number in files.items() if number > 15} == {}, "at most 15 files in a folder"


@within(WIDGETS)
def test_widgets_know_no_page(path: Path) -> None:
    pages = {child.name for child in (ROOT / "pages").iterdir() if child.is_dir()} - {"widgets"}
    assert not reaches(path, "app", "tests", *(f"pages.{page}" for page in pages))


@within(ROOT / "pages", but=(WIDGETS,))
def test_pages_know_only_widgets_and_evalcore(path: Path) -> None:
    own = {m for m in reaches(path, "pages", "app", "tests") if not m.startswith("pages.widgets") and m != "pages"}
    assert not own


def test_a_file_can_be_read_in_one_sitting() -> None:
    rooms = (ROOT / "pages", CORE)
    scripts = [path for room in rooms for ending in ("js", "css") for path in room.rglob(f"*.{ending}")]
    long = {path.name for path in (*FILES, *scripts) if len(path.read_text(encoding="utf-8").splitlines()) > 600}
    assert not long, "split these: no file is over 600 lines"


DRAWS = re.compile("show_|choose(_|$)|(bound|segmented|select|number|exact|beside|open_rows|opened_rows|_COMPONENT)$")


def test_widgets_ask_and_draw_and_decide_nothing() -> None:
    """Fewer than one line in ten of the definitions in pages/widgets mentions no Streamlit, address or other widget."""
    lines = free = 0
    for path in FILES:
        theirs = {"st", "address"}
        for node in ast.parse(path.read_text(encoding="utf-8")).body if WIDGETS in path.parents else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit."):
                theirs |= {alias.name for alias in node.names}
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                length = node.end_lineno - first + 1
                names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
                asks = names & theirs or path.name == "address.py" or any(map(DRAWS.match, names))
                lines, free = lines + length, free + (0 if asks else length)
    assert free < lines / 10, f"{free} of {lines} lines belong into evalcore/analyses or evalcore/figures"


@within(ROOT / "pages")
def test_pages_import_evalcore_from_its_packages(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        module = node.module if isinstance(node, ast.ImportFrom) and not node.level else None
        if module and module.startswith("evalcore"):
            assert (ROOT / module.replace(".", "/")).is_dir(), f"{module}: import from its package"


@pytest.mark.parametrize("package", sorted(p.parent for p in CORE.glob("*/__init__.py")), ids=name)
def test_a_public_name_is_listed_once_and_exists(package: Path) -> None:
    public = importlib.import_module(f"evalcore.{package.name}")
    listed = {}
    rooms = re.findall(r"^from \.(\w+) import", (package / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    for path in (
        path for room in rooms for path in (package / f"{room}.py", *(package / room).glob("*.py")) if path.exists()
    ):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for item in getattr(module, "__all__", ()):
            assert listed.setdefault(item, path) == path, f"{item} is listed twice"
            assert getattr(public, item) is getattr(module, item)


HEAVY = ["pandas", "pyarrow", "plotly", "streamlit", "scipy", "sklearn", "narwhals", "duckdb", "openpyxl"]


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("evalcore, evalcore.classification, evalcore.retrieval", HEAVY),
        ("evalcore.analyses", ["scipy.stats", "scipy.optimize"]),  # every server and script would wait for them
    ],
)
def test_importing_a_package_loads_no_heavy_library(module: str, heavy: list[str]) -> None:
    program = f"import sys, {module}; print(*[name for name in {heavy!r} if name in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == []
