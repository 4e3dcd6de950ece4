"""The matrix of several classes, its order, its collapse and its rows."""
