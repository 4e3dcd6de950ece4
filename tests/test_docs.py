"""What README, CONTRIBUTING and the pages of docs/ say of files, names and commands is there, and they say it once."""

import re
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import evalcore
from tests.pythons import MINORS

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
OF_STREAMLIT = {"allowedHosts", "maxUploadSize"}
IGNORED = tuple((ROOT / ".gitignore").read_text().split())
"""What exists on a machine where it has been made, such as .streamlit/secrets.toml."""

each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose(path: Path) -> str:
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text_of(path), flags=re.DOTALL | re.MULTILINE)


def quoted(path: Path) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`\n]+)`", prose(path))


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@cache
def written(*folders: str) -> str:
    """All Python under some folders."""
    return "\n".join(text_of(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


@cache
def words_of_the_code() -> set[str]:
    return set(re.findall(r"\w+", written("evalcore", "pages", "tests", "sample_data")))


def test_the_readme_and_the_pages_are_short_and_the_readme_or_the_library_leads_to_each() -> None:
    lengths = {path.name: len(text_of(path).splitlines()) for path in DOCUMENTS}
    assert {name for name, lines in lengths.items() if lines > 150} == set()
    led_to = re.findall(r"\(docs/(\w+\.md)", text_of(DOCUMENTS[0]))
    led_to += re.findall(r"\((\w+\.md)", text_of(ROOT / "docs" / "library.md"))
    assert {page.name for page in PAGES} <= {*led_to}


@each_document
def test_a_link_leads_to_a_file_and_its_heading(path: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)|(?:src|srcset)=\"([^\"]+)\"", prose(path)):
        link, _, anchor = "".join(target).partition("#")
        if not link.startswith("http"):
            file = path.parent / link if link else path
            assert file.exists(), link
            assert not anchor or anchor in anchors(file), f"{link}#{anchor}"


@each_document
def test_a_file_that_is_named_exists(path: Path) -> None:
    top = {entry.name for entry in ROOT.iterdir()}
    for name in filter(re.compile(r"[\w./<>-]+").fullmatch, quoted(path)):
        is_file = name.partition("/")[0] in top or name.endswith((".py", ".txt", ".lock"))
        if is_file and not name.startswith(IGNORED):
            assert any(ROOT.glob(re.sub("<[^>]+>", "*", name).rstrip("/"))), name


def test_the_structure_in_the_readme_is_that_of_the_folders() -> None:
    block = re.search(r"## Structure\n+```\n(.*?)```", text_of(DOCUMENTS[0]), re.DOTALL)[1]
    above, rooms = ROOT, set()
    for line in block.splitlines():
        if (indent := len(line) - len(line.lstrip())) < 4:
            names = [name for name in line.strip().partition("  ")[0].split() if name.endswith(("/", ".py"))]
            rooms |= {(ROOT if not indent else above) / name for name in names}
            above = above if indent else ROOT / names[0]
    assert {room for room in rooms if not room.exists()} == set()
    assert {folder.parent for folder in (ROOT / "evalcore").glob("*/__init__.py")} <= rooms


@each_document
def test_a_name_of_the_code_that_is_quoted_stands_in_the_code(path: Path) -> None:
    words = words_of_the_code()
    others = re.search(r"## (?:Beside other tools|Names)\n.*?(?=\n## |\Z)|\Z", prose(path), re.DOTALL)[0]
    assert [name for name in re.findall(r"\bec\.(\w+)", text_of(path)) if not hasattr(evalcore, name)] == []
    quotes = [quote for quote in quoted(path) if "/" not in quote and f"`{quote}`" not in others]
    named = {word for quote in quotes for word in re.findall(r"[A-Za-z]\w*", quote)}
    assert {word for word in named if re.search(r"[a-z]_[a-z]|[a-z][A-Z]", word)} - words - OF_STREAMLIT == set()
    assert set(re.findall(r"EVALCORE_\w+", text_of(path))) <= words


@each_document
def test_a_command_that_is_named_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text_of(path), re.MULTILINE)) <= targets
    modules = re.findall(r"python -m ((?:evalcore|benchmarks|tests|sample_data)[\w.]*)", text_of(path))
    assert {module for module in modules if find_spec(module) is None} == set()


@each_document
def test_a_source_is_one_that_the_code_names(path: Path) -> None:
    assert {doi for doi in re.findall(r"doi\.org/([^)\s]+)", text_of(path)) if doi not in written("evalcore")} == set()


def test_no_sentence_stands_twice() -> None:
    sentences = Counter(
        " ".join(sentence.split())
        for path in DOCUMENTS
        for line in re.split(r"\n\n|\n(?=[|*#])", prose(path))
        for sentence in re.split(r"(?<=[.:])\s+", line)
        if len(sentence) > 50
    )
    assert [sentence for sentence, times in sentences.items() if times > 1] == []


def test_the_changelog_begins_with_this_version_and_its_date() -> None:
    first = re.search(r"^## (.+)$", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)[1]
    assert re.fullmatch(re.escape(evalcore.__version__) + r" – 20\d\d-\d\d-\d\d", first)


def test_github_runs_what_a_contributor_runs_on_every_python_that_is_promised() -> None:
    workflow = text_of(ROOT / ".github" / "workflows" / "ci.yml")
    assert "- run: .ci/run\n" in workflow
    promised = [f"3.{minor}" for minor in MINORS]
    assert re.findall(r'"(3\.\d+)"', workflow) == promised
    for page in (DOCUMENTS[0], ROOT / "docs" / "install.md"):
        assert f"Python {', '.join(promised[:-1])} or {promised[-1]}" in text_of(page)
