"""Readers that run in a child process, for files that could harm the process that reads them."""
