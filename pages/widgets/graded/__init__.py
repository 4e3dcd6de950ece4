"""Grades, discounts and the ideal list."""
