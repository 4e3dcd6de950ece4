"""Inference: how far a number found on a sample can be trusted."""

from evalcore.inference.intervals import Interval, clopper_pearson, delong, log_ratio_interval, wilson

__all__ = ["Interval", "clopper_pearson", "delong", "log_ratio_interval", "wilson"]
