"""Probabilities and what came true: reliability, losses, recalibration."""
