"""Challenges: questions with drawn numbers, whose answers are checked and whose wrong answers are diagnosed."""

# ruff: noqa: I001 (imported in the order in which they are offered)
from .challenge import *
from .tables import *
from .scores import *
from .rankings import *
