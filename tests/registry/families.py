"""The measures of a family, for tests that hold for all of them."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Signature, signature

import pytest

from evalcore import METRICS, MetricDef


def of_family(family: str) -> list[MetricDef]:
    return [definition for definition in METRICS.values() if definition.family == family]


def each_of(family: str, name: str = "definition") -> pytest.MarkDecorator:
    """One test per measure of the family."""
    return pytest.mark.parametrize(name, of_family(family), ids=lambda definition: definition.key)


def of_all(values: Iterable[object]) -> Callable:
    """Ask a test of each value, its first argument, about the same drawn rows: they take longer to draw than to ask."""
    values = list(values)

    def ask(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def asked(*drawn: object, **named: object) -> None:
            for value in values:
                try:
                    test(value, *drawn, **named)
                except BaseException as error:
                    error.add_note(f"It was asked of {value}.")
                    raise

        del asked.__wrapped__
        asked.__signature__ = Signature(list(signature(test).parameters.values())[1:])
        return asked

    return ask
