"""Regular expressions of ECMA-262, translated exactly or refused, and never slow.

Read in this order: ``parser`` (text to tree), ``positions`` (how long matching can take), ``matching`` (in Python's dialect),
``states`` (a table for long texts, loaded when one comes). Import from here only what stands below.
"""
from __future__ import annotations

from .matching import compile_pattern, is_pattern, pattern_problem, pattern_search

__all__ = ["compile_pattern", "is_pattern", "pattern_problem", "pattern_search"]
