"""How long matching a pattern can take.

Here: the characters of a pattern as positions, and which can follow which; the tests for exponential and polynomial time.
Not here: matching by them (``states``).

1. A pattern that can take exponential time (``(a+)+$``) is refused. The test is exact for the positions of the pattern:
   is there a loop that reads the same text in two ways?
2. One that can take polynomial time (``\\s+$``) has a degree: the power of the length of the text.
"""
from __future__ import annotations

from .parser import ANY_CODE, PatternError, parts_of, ranges_meet, walk_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, List, Optional, Set, Tuple

    from .parser import PatternNode, Ranges

MAX_POSITIONS = 1500        # of a pattern, its counted parts written out
MAX_PAIR_STEPS = 300000     # of the test for exponential time
MAX_CHOICES = 16            # two to this power ways to read a text outside of loops
MANY_TURNS = 10             # of a counted repetition

EXPONENTIAL = ("can take exponential time: a repetition in it can match one text in several ways, as in (a+)+; "
               "write it so that there is one way")


class PositionGraph:
    """The characters of a pattern as positions, and which can follow which, with the number of ways."""

    def __init__(self, exact: bool) -> None:
        self.exact = exact
        self.sets: List[Ranges] = []
        self.follow: List[Dict[int, int]] = []

    def add(self, node: PatternNode) -> Tuple[bool, List[int], List[int]]:
        """Take a node in; can it be empty, where can it begin, where can it end."""
        kind = node[0]
        if kind == "set":
            self.sets.append(node[1])
            self.follow.append({})
            if len(self.sets) > MAX_POSITIONS:
                raise OverflowError
            return False, [len(self.sets) - 1], [len(self.sets) - 1]
        if kind == "seq":
            return self.chain([self.add(part) for part in node[1]])
        if kind == "alt":
            made = [self.add(part) for part in node[1]]
            return (any(part[0] for part in made), [p for part in made for p in part[1]],
                    [p for part in made for p in part[2]])
        if kind == "group":
            return self.add(node[1])
        if kind == "repeat":
            return self.repeat(node[1], node[2], node[3])
        if kind == "back":          # could be anything, or nothing
            return (True,) + self.add(("set", ANY_CODE))[1:]
        return True, [], []         # "at", "look": no character of their own

    def chain(self, made: List[Tuple[bool, List[int], List[int]]]) -> Tuple[bool, List[int], List[int]]:
        empty = True
        first: List[int] = []
        last: List[int] = []
        for part_empty, part_first, part_last in made:
            self.connect(last, part_first)
            first = first + part_first if empty else first
            last = last + part_last if part_empty else part_last
            empty = empty and part_empty
        return empty, first, last

    def connect(self, ends: List[int], starts: List[int]) -> None:
        for p in ends:
            for q in starts:
                self.follow[p][q] = self.follow[p].get(q, 0) + 1

    def repeat(self, node: PatternNode, low: int, high: Optional[int]) -> Tuple[bool, List[int], List[int]]:
        size = sum(1 for part in walk_pattern(node) if part[0] == "set")
        if high == 0:
            return True, [], []
        if high is not None and (self.exact or low == high and size * high <= 64 or high <= 3):
            made: Tuple[bool, List[int], List[int]] = (True, [], [])
            for count in range(high, 0, -1):        # x{1,3} is x(x(x)?)?: no two ways to leave one out
                made = self.chain([self.add(node), made])
                if count > low:
                    made = (True, made[1], made[2])
            return made
        copies = [self.add(node) for _ in range(low - 1 if self.exact else 0)]
        empty, first, last = self.add(node)
        self.connect(last, first)
        return self.chain(copies + [(empty or low == 0, first, last)])

    def loops(self) -> List[List[int]]:
        return find_circles(range(len(self.sets)), self.follow.__getitem__)

    def meet(self, p: int, q: int) -> bool:
        return self.sets[p] == self.sets[q] or ranges_meet(self.sets[p], self.sets[q])

    def reads_twice(self, loop: List[int]) -> bool:
        """Can this loop read one text in two ways? Then n turns have 2**n, and all are tried before giving up."""
        inside = set(loop)
        for p in loop:
            if any(ways > 1 and q in inside for q, ways in self.follow[p].items()):
                return True
        steps = 0
        after: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}
        todo = [(p, p) for p in loop]
        seen = set(todo)
        while todo:             # pairs of places that one text can lead to from one place: do they come together again?
            pair = todo.pop()
            reached = after[pair] = []
            for p in self.follow[pair[0]]:
                for q in self.follow[pair[1]] if p in inside else ():
                    steps += 1
                    if q in inside and self.meet(p, q):
                        other = (p, q) if p <= q else (q, p)
                        reached.append(other)
                        if other not in seen:
                            seen.add(other)
                            todo.append(other)
            if steps > MAX_PAIR_STEPS:
                raise OverflowError
        return any(len({p == q for p, q in circle}) > 1 for circle in find_circles(after, after.__getitem__))

    def degree(self, loops: List[List[int]]) -> int:
        """How many loops in a row can share one text: the power of its length that matching can take."""
        best = [1] * len(loops)
        place = {p: index for index, loop in enumerate(loops) for p in loop}
        for index in range(len(loops) - 1, -1, -1):
            inside = set(loops[index])
            todo = [(p, p) for p in loops[index]]
            seen = set(todo)
            while todo:             # one reader stays in the loop while the other goes on, with the same text
                stays, goes = todo.pop()
                for p in self.follow[stays]:
                    for q in self.follow[goes] if p in inside else ():
                        if (p, q) not in seen and self.meet(p, q):
                            seen.add((p, q))
                            todo.append((p, q))
                            if place.get(q, index) != index:
                                best[index] = max(best[index], best[place[q]] + 1)
                if len(seen) > MAX_PAIR_STEPS:
                    raise OverflowError
        return max(best) if loops else 0

    def choices(self, first: List[int], loops: List[List[int]]) -> float:
        """The binary logarithm of the ways to read one text outside of loops: ``a?a?a?aaa`` has one for each ``?``."""
        looping = {p for loop in loops for p in loop}
        best = [0.0] * len(self.sets)
        steps = 0
        for p in range(len(self.sets) - 1, -2, -1):         # -1 stands for the start
            follow = dict.fromkeys(first, 1) if p < 0 else self.follow[p]
            steps += len(follow) ** 2
            if steps > MAX_PAIR_STEPS:
                raise OverflowError
            after = max([best[q] for q in follow if q > p] or [0.0])
            ways = 1
            if p not in looping:
                ways = max([sum(follow[r] for r in follow if self.meet(q, r)) for q in follow] or [1])
            if p < 0:
                return after + ways.bit_length() - 1
            best[p] = after + ways.bit_length() - 1
        return 0.0


def find_circles(starts: Iterable[Any], follow: Callable[[Any], Iterable[Any]]) -> List[List[Any]]:
    """The strongly connected parts that hold a circle, each before those it leads to (Tarjan, without recursion)."""
    order: Dict[Any, int] = {}
    low: Dict[Any, int] = {}
    stack: List[Any] = []
    on_stack: Set[Any] = set()
    found: List[List[Any]] = []

    def enter(node: Any) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        on_stack.add(node)
        work.append((node, iter(follow(node))))

    work: List[Any] = []
    for start in starts:
        if start not in order:
            enter(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in order:
                    enter(other)
                    break
                if other in on_stack:
                    low[node] = min(low[node], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    part = [stack.pop()]
                    while part[-1] != node:
                        part.append(stack.pop())
                    on_stack.difference_update(part)
                    if len(part) > 1 or node in follow(node):
                        found.append(part)
    return found[::-1]


def loop_degree(node: PatternNode) -> int:
    """The degree of a pattern; raises PatternError if its time is exponential."""
    graph = PositionGraph(False)
    _, first, _ = graph.add(node)
    loops = graph.loops()
    if any(graph.reads_twice(loop) for loop in loops) or graph.choices(first, loops) > MAX_CHOICES:
        raise PatternError(EXPONENTIAL)
    return graph.degree(loops)


def check_counts(node: PatternNode, times: int) -> None:
    """A counted repetition of something that can be read in two ways is as bad as an endless one."""
    if node[0] == "repeat" and node[3] is not None:
        times *= node[3]
        if times >= MANY_TURNS and node[3] > 1 and node[1][0] != "set":
            loop_degree(("repeat", node[1], 0, None))
            if PositionGraph(False).add(node[1])[0]:        # each turn can be left out
                raise PatternError(EXPONENTIAL)
    for part in parts_of(node):
        check_counts(part, times)


def begins_at_start(node: PatternNode) -> bool:
    if node[0] == "seq":
        for part in node[1]:
            if part[0] != "look":
                return begins_at_start(part)
        return False
    if node[0] == "alt":
        return all(begins_at_start(part) for part in node[1])
    return node == ("at", "^") or node[0] == "group" and begins_at_start(node[1])
