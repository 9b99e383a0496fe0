"""Regular expressions of ECMA-262, translated exactly or refused, and never slow.

Read in this order: ``parser`` (text to tree), ``translation`` (tree to Python's dialect), ``positions`` (how long matching can
take), ``states`` (a table for long texts, loaded when one comes), ``matching`` (all of it together).
"""
from __future__ import annotations

from .matching import compile_pattern, is_pattern, pattern_problem, pattern_search

__all__ = ["compile_pattern", "is_pattern", "pattern_problem", "pattern_search"]
