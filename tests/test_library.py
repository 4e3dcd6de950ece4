"""The library as it is installed: built, put into environments of its own, and used far from this folder."""

import re
import subprocess
import sys
import venv
from itertools import product
from pathlib import Path

import pytest

from evalcore.analyses import (
    AgreementLimits,
    BestConstants,
    BinChoice,
    DistanceSettings,
    DistributionComparison,
    ErrorSettings,
    EstimateComparison,
    EstimateRows,
    LossSetting,
    Overlap,
    OverlapSettings,
    Regression,
    Source,
    Tolerance,
    TwoDistributions,
)
from evalcore.readers import read_files, read_masks, read_sample
from tests.pages.application import application, unfold
from tests.readers.join.test_masks import MASK, picture, zipped
from tests.test_docs import DOCUMENTS, text_of

ROOT = Path(__file__).parents[1]
PACKAGES = Path(pytest.__file__).parents[1]
ASKING = ("challenges", "examples", "lecture")
"""Pages that ask; what they show stands on other pages, with its Python."""
PAGES = [
    path
    for path in sorted((ROOT / "pages").glob("[!w]*/*.py"))
    if path.parent.name != "start" and path.stem not in ASKING
]
SAMPLES = (
    "digits_labels",
    "digits_label_sets",
    "breast_cancer",
    "digits",
    "digits_probabilities",
    "four_methods",
    "diabetes",
    "digit_masks",
    "two_methods",
)
FITTING = {"classify": SAMPLES[:6], "retrieve": SAMPLES[-1:]}
"""Of the sections whose pages show only some kinds."""
EXAMPLES = {
    f"{path.stem}_{number}": example
    for path in DOCUMENTS
    for number, example in enumerate(re.findall(r"^```python\n(.*?)^```", text_of(path), re.DOTALL | re.MULTILINE))
}
RUN_ALL = "import runpy, sys; [runpy.run_path(script) for script in sys.argv[1:]]"


class Environment:
    """A virtual environment outside the checkout, with the wheel and nothing of this folder on its path."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        self.packages = next(folder.glob("lib/python*/site-packages"), folder / "Lib" / "site-packages")
        self.python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        pip = [sys.executable, "-m", "pip", "--python", self.python]
        subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)

    def run(self, program: str, *arguments: Path, with_all: bool = True) -> str:
        """What a program prints; all requirements but NumPy are those of the environment that runs the tests."""
        others = f"import sys; sys.path.append({str(PACKAGES)!r})\n" if with_all else ""
        command = [self.python, "-I", "-W", "error", "-c", others + program, *arguments]
        answer = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def library(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("all"), wheel)
    for path in PACKAGES.glob("numpy*"):
        (environment.packages / path.name).symlink_to(path)
    (environment.folder / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    rows = (f"{number % 2},{number % 7 / 7 + number % 2 / 5:.3f}\n" for number in range(40))
    (environment.folder / "scores.csv").write_text("".join(["actual,score\n", *rows]))
    for name, first in (("a", 2), ("b", 1)):
        lines = [f"q{q} Q0 d{d} {d} {-abs(d - first)} {name}\n" for q in (1, 2) for d in (1, 2)]
        (environment.folder / f"{name}.run").write_text("".join(lines))
    return environment


def test_the_core_needs_numpy_alone(library: Environment) -> None:
    answer = library.run(
        "import evalcore, evalcore.classification, evalcore.retrieval; print(evalcore.__version__, evalcore.__file__)",
        with_all=False,
    )
    assert re.match(r"\d+\.\d+\.\d+ ", answer)
    assert str(library.folder) in answer


def test_samples_and_types_travel_with_it(library: Environment) -> None:
    program = "from evalcore.readers import samples, read_sample; print(*[read_sample(id).kind for id in samples()])"
    assert "scores" in library.run(program)
    installed = library.packages / "evalcore"
    assert (installed / "py.typed").is_file()
    assert not list((installed / "sample_data").glob("*.py"))


def test_the_dashboard_and_its_command_travel_with_it(library: Environment) -> None:
    folder = library.packages / "evalcore" / "_application"
    shipped = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    ours = (path for path in (ROOT / "pages").rglob("*") if path.is_file() and path.suffix != ".pyc")
    pages = {path.relative_to(ROOT).as_posix() for path in ours}
    # What pages read beside them: the notes of lessons, and the page on serving.
    beside = {path.relative_to(ROOT).as_posix() for path in (ROOT / "sample_data" / "lessons").iterdir()}
    beside |= {"app.py", ".streamlit/config.toml", "docs/serving.md"}
    assert shipped - {path for path in shipped if path.endswith(".pyc")} == pages | beside
    for file in sorted(beside):
        assert (folder / file).read_bytes() == (ROOT / file).read_bytes()
    command = library.python.with_name("evalcore.exe" if sys.platform == "win32" else "evalcore")
    help = subprocess.run([command, "--help"], cwd=library.folder, capture_output=True, text=True, check=True)
    assert "check" in help.stdout  # with numpy alone


def test_examples_of_the_documents(library: Environment, tmp_path: Path) -> None:
    for name, example in EXAMPLES.items():
        (tmp_path / f"{name}.py").write_text(example, encoding="utf-8")
    assert {"library_0", "engines_0", "CONTRIBUTING_0"} <= EXAMPLES.keys()
    library.run(RUN_ALL, *sorted(tmp_path.iterdir()))


def test_every_script_that_a_page_exports(library: Environment, tmp_path: Path) -> None:
    scripts = {page: set() for page in PAGES}
    for sample, page in product(SAMPLES, PAGES):
        if sample not in FITTING.get(page.parent.name, SAMPLES):
            continue
        test = application()
        test.query_params["data"] = sample
        unfold(test.switch_page(str(page)))
        scripts[page] |= {block.value for block in test.code if block.language == "python"}
    for page, exported in scripts.items():
        assert exported, f"{page} exports no Python"
        for number, script in enumerate(sorted(exported)):
            name = f"{page.parent.name}_{page.stem}_{number}.py"
            (tmp_path / name).write_text(script, encoding="utf-8")
    library.run(RUN_ALL, *sorted(tmp_path.iterdir()))


def test_scripts_of_estimates_masks_and_distributions(library: Environment, tmp_path: Path) -> None:
    source = Source.of(read_sample("diabetes"), sample="diabetes")
    rows, settings = EstimateRows.of(source), ErrorSettings(tau=0.9, order="", horizon=2)
    sides = [{f"{name}.png": picture(MASK) for name in names} for names in (("a", "b_gt"), ("a", "b_pred"))]
    for folder, files in zip(("actual", "predicted"), sides, strict=True):
        (library.folder / folder).mkdir()
        for name, data in files.items():
            (library.folder / folder / name).write_bytes(data)
    both = {"masks.zip": zipped({f"{side}/a.png": picture(MASK) for side in ("truth", "prediction")})}
    (library.folder / "masks.zip").write_bytes(both["masks.zip"])
    two = TwoDistributions.of_columns(source, "truth", "linear_regression", BinChoice("quantiles"))
    typed = TwoDistributions.of_text("low; 3; 1\nhigh; 5; 9")
    parts = [
        Regression(rows, settings),
        AgreementLimits(rows, 0.9),
        EstimateComparison(source, *source.systems, settings=settings),
        Tolerance(rows, 20.0),
        BestConstants(rows, LossSetting(outlier=900.0)),
        Overlap(Source.of(read_masks(*sides)), OverlapSettings(spacing=(0.5, 2.0))),
        Overlap(Source.of(read_files(both)), OverlapSettings()),
        *(DistributionComparison(each, DistanceSettings(smoothing=0.5)) for each in (two, typed)),
    ]
    for number, part in enumerate(parts):
        (tmp_path / f"{number}_{type(part).__name__}.py").write_text(part.code, encoding="utf-8")
    library.run(RUN_ALL, *sorted(tmp_path.iterdir()))
