"""Ranked lists, their curves and the table of queries."""
