"""The examples in the docstrings of the readers are true."""

import doctest
import importlib
import pkgutil

import pytest

import evalcore.readers

MODULES = [module.name for module in pkgutil.walk_packages(evalcore.readers.__path__, "evalcore.readers.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert not failed
