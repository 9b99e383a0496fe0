"""Matching in linear time, for texts that ``re`` would take too long for.

Here: all places that a pattern can be in at once, as one state of a table that grows with use. Not here: which patterns
need it (``matching``).
"""
from __future__ import annotations

from .parser import walk_pattern
from .positions import PositionGraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, FrozenSet, List, Set, Tuple

    from .parser import PatternNode

MAX_TABLE = 20000           # transitions remembered by ``StateTable``, and places in its states, times ten
MAX_TABLE_STEPS = 100000000     # letters of the text times transitions of the pattern


class StateTable:
    """Matching in linear time, for long texts: all places the pattern can be in at once, as one state."""

    def __init__(self, node: PatternNode) -> None:
        branches = node[1] if node[0] == "alt" else [node]
        self.graph = PositionGraph(True)
        self.start: Set[int] = set()        # where a match can begin, anywhere
        self.anchored: Set[int] = set()     # where one can begin at the start of the text
        self.done: Set[int] = set()         # where one may end, anywhere
        self.done_at_end: Set[int] = set()
        self.empty = self.empty_at_end = False
        for branch in branches:
            parts = list(branch[1]) if branch[0] == "seq" else [branch]
            at_start = bool(parts) and parts[0] == ("at", "^")
            parts = parts[1:] if at_start else parts
            at_end = bool(parts) and parts[-1] == ("at", "$")
            parts = parts[:-1] if at_end else parts
            if any(part[0] == "at" for part in walk_pattern(("seq", parts))):
                raise OverflowError         # an anchor in the middle
            empty, first, last = self.graph.add(("seq", parts))
            (self.anchored if at_start else self.start).update(first)
            (self.done_at_end if at_end else self.done).update(last)
            if empty and at_start and at_end:
                self.empty_at_end = True
            elif empty:
                self.empty = True           # matches nothing somewhere: always
        self.numbers: Dict[FrozenSet[int], int] = {}
        self.states: List[FrozenSet[int]] = []
        self.table: Dict[Tuple[int, str], int] = {}
        self.size = 0
        self.edges = 1 + sum(map(len, self.graph.follow))

    def number(self, state: FrozenSet[int]) -> int:
        known = self.numbers.get(state)
        if known is None:
            known = self.numbers[state] = len(self.states)
            self.states.append(state)
            self.size += len(state)
        return known

    def found(self, text: str) -> bool:
        if self.empty or not text and self.empty_at_end:
            return True
        if len(text) * self.edges > MAX_TABLE_STEPS:
            return False
        state = -1
        for letter in text:
            following = self.table.get((state, letter))
            if following is None:
                following = self.step(state, letter)
            if following == -2:
                return True
            state = following
        return bool(self.states[state] & self.done_at_end) if state >= 0 else False

    def step(self, state: int, letter: str) -> int:
        if len(self.table) > MAX_TABLE or self.size > 10 * MAX_TABLE:
            self.table.clear()
            self.size = 0
            current = self.states[state] if state >= 0 else frozenset()
            self.numbers, self.states = {}, []
            state = self.number(current) if state >= 0 else -1
        code = ord(letter)
        begin = self.start | self.anchored if state == -1 else self.start
        reached = set(begin)
        for p in self.states[state] if state >= 0 else ():
            reached.update(self.graph.follow[p])
        here = frozenset(p for p in reached if any(low <= code <= high for low, high in self.graph.sets[p]))
        following = -2 if here & self.done else self.number(here)
        self.table[state, letter] = following
        return following
