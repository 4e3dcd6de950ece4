"""The measures of a family, for tests that hold for all of them."""

import pytest

from evalcore import METRICS, MetricDef


def of_family(family: str) -> list[MetricDef]:
    return [definition for definition in METRICS.values() if definition.family == family]


def each_of(family: str, name: str = "definition") -> pytest.MarkDecorator:
    """One test per measure of the family."""
    return pytest.mark.parametrize(name, of_family(family), ids=lambda definition: definition.key)
