"""The frame around every page: side bar, menu, offers, and what the server adds."""

import inspect
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import KINDS
from evalcore.registry import PAGES, Page
from evalcore.reports import CHAPTERS
from pages.widgets.display.measures import READINGS
from pages.widgets.session import server
from pages.widgets.start.home.home import LESSONS, QUESTIONS
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[2]


def started(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update(parameters)
    test.run()
    assert not test.exception
    return test


def test_nothing_is_open_at_first() -> None:
    test = started()
    assert test.title[0].value == "Evalcore"
    assert test.sidebar.selectbox[0].value is None


def test_the_side_bar_names_what_is_open() -> None:
    test = started(data="cancer_test")
    assert test.sidebar.selectbox[0].value == "cancer_test"
    assert "2\u202f030 people, 30 ill" in test.sidebar.caption[0].value


def test_a_sample_is_swapped_and_a_system_chosen_in_the_side_bar() -> None:
    test = started(data="cancer_test")
    test.sidebar.selectbox[0].select("breast_cancer").run()
    assert test.query_params == {"data": "breast_cancer"}
    system = test.sidebar.selectbox[1]
    system.select(system.options[1]).run()
    assert test.query_params["system"] == system.options[1]


WRITTEN = {path.relative_to(ROOT / "pages").as_posix()[:-3] for path in (ROOT / "pages").glob("[!w]*/*.py")}
ASKED = {page for _, _, page, *_ in (*QUESTIONS, *LESSONS)}
ROW = "its row of PAGES in evalcore/registry/pages.py"
KEYS_OF_TABS = re.compile(r'st\.tabs\((?:[^()]|\([^()]*\))*?key="(?!take_away_as|open_by)(\w+)"')


def lacks(name: str, folder: Path = ROOT / "pages") -> list[str]:
    """What a page still needs to be whole, in sentences."""
    if name not in PAGES:
        return [f"pages/{name}.py has no row in PAGES of evalcore/registry/pages.py: write it there."]
    page, widgets = PAGES[name], folder / "widgets" / name
    files = (folder / f"{name}.py", widgets.with_suffix(".py"), *sorted(widgets.glob("*.py")))
    sources = [file for file in files if file.exists()]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    keys, paths = KEYS_OF_TABS.findall(text), [other.path for other in PAGES.values()]
    of_data = page.section in ("Classify", "Retrieve", "Estimate")
    chapter = inspect.getsource(inspect.getmodule(CHAPTERS[name])) if name in CHAPTERS else ""
    needs = {
        f"pages/{name}.py does not exist: write it.": (folder / f"{name}.py").exists(),
        f'pages/{name}.py has no head: begin it with title("{name}").': f'title("{name}")' in text,
        f"{name} has no title: write it in {ROW}.": page.title,
        f"{name} asks no question: write it in {ROW}, with a question mark.": page.question.endswith("?"),
        f"{name} has the path {page.path!r} of another page: change it in {ROW}.": paths.count(page.path) == 1,
        f"{name} can show no kind of table: name its kinds in {ROW}.": page.kinds or not of_data,
        f"{name} names a kind that does not exist in {ROW}: {', '.join(KINDS)} do.": page.kinds.keys() <= KINDS.keys(),
        f"{name} has no chapter in reports: write it in evalcore/reports, and add it to CHAPTERS of chapters.py.": (
            chapter or not page.kinds
        ),
        f'The chapter of {name} has no title and question: make it by Chapter.of_page("{name}", …).': (
            not chapter or re.search(rf'Chapter\.of_page\(\s*"{name}"', chapter)
        ),
        f"{name} is not among all questions of Home: write its question into "
        f"{'LESSONS' if page.section == 'Learn' else 'QUESTIONS'} in pages/widgets/start/home/home.py.": (
            page.section == "Start" or name in ASKED
        ),
        f"{name} has no text on how to read it: write it in pages/widgets/display/reading.md, under # {name}.": (
            page.section == "Start" or name in READINGS
        ),
        f"{name} keeps its open part in the address under {', '.join(keys)}: name that as parts in {ROW}, and draw the "
        f'folds with show_folds("{name}", …).': not keys,
        f'{name} has parts in {ROW}, and no folds: draw them with show_folds("{name}", …).': (
            not page.parts or re.search(rf'(show_folds\(|PAGES\[)\s*"{name}"', text)
        ),
    }
    return [sentence for sentence, is_met in needs.items() if not is_met]


@pytest.mark.parametrize("page", sorted({*PAGES, *WRITTEN}))
def test_a_page_is_whole(page: str) -> None:
    assert not lacks(page), "\n".join(lacks(page))


def test_a_page_that_is_not_whole_is_told_what_it_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = Page("estimate/made_up", "Made up", "Is it made up", "confusion", kinds={"score": 1}, parts="made_part")
    assert lacks(page.name) == [
        f"pages/{page.name}.py has no row in PAGES of evalcore/registry/pages.py: write it there."
    ]
    monkeypatch.setitem(PAGES, page.name, page)
    needed = (
        "not exist",
        "no head",
        "no question",
        "'confusion'",
        "names a kind",
        "no chapter",
        "into QUESTIONS in",
        "to read it",
        "no folds",
    )
    assert [need in told for need, told in zip(needed, lacks(page.name), strict=True)] == [True] * 9
    monkeypatch.setitem(PAGES, page.name, replace(page, question="Is it?", path="made-up", kinds={}, parts=""))
    (tmp_path / "estimate").mkdir()
    lines = 'title("estimate/made_up")\nst.tabs(list(parts), key="made_part", on_change="rerun", bind="query-params")\n'
    (tmp_path / "estimate" / "made_up.py").write_text(lines)
    needed = ("no kind", "all questions of Home", "to read it", "under made_part")
    assert [need in told for need, told in zip(needed, lacks(page.name, tmp_path), strict=True)] == [True] * 4


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_has_a_page(kind: str) -> None:
    assert KINDS[kind].pages, f"No page shows {KINDS[kind].title}: name {kind!r} among the kinds of one in {ROW}."


def test_a_page_that_needs_something_else_offers_it() -> None:
    test = started(data="cancer_test")
    test.switch_page("pages/classify/threshold.py").run()
    assert "needs the actual class" in test.main.markdown[0].value
    assert "Cancer test" in test.main.markdown[0].value
    test.button(key="offer roc_20").click().run()
    assert test.query_params["data"] == "roc_20"
    assert test.get("bidi_component")


def in_a_new_process(code: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_server_starts_warm_and_keeps_the_modules_from_the_garbage_collector() -> None:
    printed = in_a_new_process(
        """
        import asyncio, gc, sys
        import app
        from pages.widgets.session import server
        from streamlit.runtime.pages_manager import PagesManager

        async def start():
            async with server.AROUND["lifespan"](app.app):
                print(gc.get_freeze_count() > 100_000, len(gc.get_objects()) < gc.get_freeze_count())
                print("plotly.graph_objects" in sys.modules, PagesManager.uses_pages_directory, gc.isenabled())

        asyncio.run(start())
        """
    )
    assert printed.split() == ["True", "True", "True", "False", "True"]


def test_a_page_may_connect_to_its_own_server_only() -> None:
    policy = server.HEADERS["Content-Security-Policy"]
    (connect,) = [part.split() for part in policy.split("; ") if part.startswith("connect-src")]
    assert connect == ["connect-src", "'self'"]


def test_a_page_runs_no_scripts_but_those_of_the_server_and_the_page_of_streamlit() -> None:
    policy = server.HEADERS["Content-Security-Policy"]
    (scripts,) = [part.split()[1:] for part in policy.split("; ") if part.startswith("script-src")]
    own = {"'self'", "blob:"}
    assert own < set(scripts)
    assert all(source.startswith("'sha256-") for source in set(scripts) - own)


def test_a_defect_is_told_in_a_sentence_without_its_traceback() -> None:
    def page() -> None:
        from pages.widgets.session.server import show_defect

        assert show_defect(ZeroDivisionError("secret detail"))

    test = AppTest.from_function(page).run()
    assert "went wrong" in test.error[0].value
    assert "secret" not in test.error[0].value


@pytest.mark.parametrize("data", ["breast_cancer", "digits", "digits_probabilities", "cancer_test", "diabetes"])
def test_any_kind_can_be_chosen_and_taken_back(data: str) -> None:
    test = started(data=data).switch_page("pages/start/data.py").run()
    found = test.segmented_control(key="roles kind").value
    for kind in sorted(KINDS.keys() - {"unknown"}):
        test.segmented_control(key="roles kind").set_value(kind).run()
        assert not test.exception
        # Either the table is of that kind now, or a sentence says why it cannot be.
        assert test.segmented_control(key="roles kind").value == kind or test.error[0].value
        if "roles" in test.query_params:
            next(button for button in test.button if "Reset" in button.label).click().run()
        assert test.segmented_control(key="roles kind").value == found


def test_the_truth_of_a_table_without_roles_is_sooner_a_column_of_few_values_than_the_names_of_the_rows() -> None:
    lines = (f"K{row},{('ja', 'Ja', 'nein')[row % 3]},{500 + row * 7 % 90}.5,{row * 31 % 997}.25" for row in range(60))
    data = stored("Kunde,Abgang?,Wert A,Wert B\n" + "\n".join(lines))
    test = started(data=data).switch_page("pages/start/data.py").run()
    assert test.segmented_control(key="roles kind").value not in ("labels", "scores")
    test.segmented_control(key="roles kind").set_value("scores").run()
    assert test.selectbox(key="roles actual").value == "Abgang?"


def test_the_positive_value_and_the_direction_are_one_click_each() -> None:
    test = started(data="roc_20").switch_page("pages/start/data.py").run()
    test.segmented_control(key="roles positive").set_value("N").run()
    test.segmented_control(key="roles higher_is_positive").set_value(False).run()
    assert "positive~N" in test.query_params["roles"]
    assert "higher_is_positive~False" in test.query_params["roles"]


def test_a_page_that_ends_early_is_complete_all_the_same() -> None:
    test = started()
    test.switch_page("pages/classify/threshold.py").run()
    assert "This page needs" in test.main.markdown[0].value
    assert not test.exception
    before = test.session_state["runs"]
    test.run()
    assert test.session_state["runs"] == before + 1


def test_an_open_tab_is_in_the_address() -> None:
    """But for those of forms, whose unsent texts are in no address either."""
    forms = re.compile('bind="query-params"|"shaping part"|"Your own step"')
    for path in sorted((ROOT / "pages").rglob("*.py")):
        calls = re.findall(r"st\.tabs\((?:[^()]|\([^()]*\))*\)", path.read_text(encoding="utf-8"))
        assert all(map(forms.search, calls)), path.name


def test_a_part_of_a_page_that_the_palette_could_not_find_is_refused() -> None:
    script = "from pages.widgets.display.page import show_folds\nshow_folds('classify/classes', {'Unnamed': print})"
    assert AppTest.from_string(script).run().exception
