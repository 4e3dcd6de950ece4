"""What all tests share: nothing they do may touch the uploads of whoever runs them."""

import gc
import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import FunctionType
from typing import Any

# Before NumPy is loaded. Workers share the processors, where threads of linear algebra would wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import local_script_runner

from evalcore import readers
from evalcore.readers.join import files_together
from tests import words

os.environ["EVALCORE_WORKSPACE"] = tempfile.mkdtemp(prefix="evalcore-tests-")
# Workers, servers and scripts share what one of them has compiled, even where others are told to write nothing.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How slow the machine is shall not decide; every run draws other examples.
settings.register_profile(
    "patient", settings.default, max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")

# Each page under test looks for components in every installed package, which takes longer than the page itself. One
# look is enough: no package of ours brings any.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

# A page under test has no session of a server, which Streamlit would say a hundred times above what failed.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True


# Each would also be asked a thousand times a second whether it is done, in turns with what it computes.
def _waited(runner: Any, timeout: float = 3, asked=local_script_runner.require_widgets_deltas) -> None:
    runner._script_thread.join(timeout)
    asked(runner, timeout)


local_script_runner.require_widgets_deltas = _waited

# And each would compile app.py and its page, as a server does once.
_compiled = cache(lambda path, changed, compiled=ScriptCache.get_bytecode: compiled(ScriptCache(), path))
ScriptCache.get_bytecode = lambda self, path: _compiled(path, os.stat(path).st_mtime_ns)

# No test changes a sample, so each is read once.
readers.read_sample = files_together.read_sample = cache(files_together.read_sample)


gc.disable()  # while modules are loaded and tests collected, of which nothing becomes garbage


def pytest_collection_finish() -> None:
    """Take what is loaded out of the garbage collector's way, as the server does: each run of a page collects."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="module")
def fewer_resamples() -> Iterator[None]:
    """Draw 200 resamples where others are not asked for: enough where two ways to the same intervals are compared."""
    from pages.widgets.session import current_dataset  # here, because what Streamlit says of it is captured here

    modules = [module for name, module in sys.modules.items() if name.startswith("evalcore.inference.")]
    functions = {one for module in modules for one in vars(module).values() if isinstance(one, FunctionType)}
    with pytest.MonkeyPatch.context() as patch:
        for one in functions:
            named = one.__code__.co_varnames[: one.__code__.co_argcount]
            if "resamples" in named[len(named) - len(defaults := one.__defaults__ or ()) :]:
                place = named.index("resamples") - len(named)
                patch.setattr(one, "__defaults__", (*defaults[:place], 200, *defaults[place:][1:]))
        current_dataset._clear()
        yield
    current_dataset._clear()


FIRST = ("tests/browser/", "tests/test_library.py", "tests/pages/")
"""What takes long starts first; short files come last, so that all workers end together."""


_cases: Counter[str] = Counter()
_passed: Counter[str] = Counter()
"""Of each test: how many cases were collected, and how many have passed."""


@pytest.hookimpl(tryfirst=True)  # before any are deselected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _cases.update(item.nodeid.partition("[")[0] for item in items)
    for item in items:
        if {"facts", "sentence_with", "PageWords"} & vars(item.module).keys() or words.golden_of(item.path).exists():
            item.add_marker("words")
    items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in FIRST])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _passed[report.nodeid.partition("[")[0]] += report.when == "call" and report.passed


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After the last test of a file, its golden file of words holds nothing else; a case alone says too little."""
    if (nextitem is None or nextitem.path != item.path) and not any("[" in argument for argument in item.config.args):
        file = item.nodeid.partition("::")[0]
        tests = {test for test in _cases if test.partition("::")[0] == file and _passed[test] == _cases[test]}
        words.settle(item.path, {test.partition("::")[2] for test in tests})


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Workers take a file at a time, in the order the tests stand in: its tests share servers and what is cached."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)
