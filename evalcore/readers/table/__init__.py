"""A table with its roles, the rows that are used, and findings about them."""

from .table import *
