"""Two or more systems on the same rows."""
