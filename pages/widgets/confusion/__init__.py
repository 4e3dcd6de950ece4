"""The frame of the 2×2 and what is said about it."""
