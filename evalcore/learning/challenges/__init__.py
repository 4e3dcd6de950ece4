"""Challenges: questions with drawn numbers, whose answers are checked and whose wrong answers are diagnosed."""

from . import rankings
from .challenge import *
