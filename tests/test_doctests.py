"""Every example in a docstring of evalcore is run."""

import doctest
import importlib
import pkgutil

import pytest

import evalcore

MODULES = [
    module.name
    for module in pkgutil.walk_packages(evalcore.__path__, "evalcore.")
    if not module.name.rpartition(".")[2].startswith("__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    run = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert not run.failed
