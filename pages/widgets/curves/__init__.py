"""Curves of scores over every threshold, and the tables that belong to them."""
