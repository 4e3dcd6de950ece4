"""The glossary: every measure, term and message with an entry, how measures hang together, and which one when."""

from .entries import *
