"""Draws docs/architecture.svg from the imports of the package, so that the picture stays true.

    python docs/draw_architecture.py            writes the picture
    python docs/draw_architecture.py --check    exits with 1 where the picture is not what the imports say

A box is a module of the core or a folder; it stands above everything that imports it. A line goes from a box to one that it
imports, dashed where that is loaded only when it is needed. Lines that others imply are left out (what a box imports through
another one it may import itself).
"""
import ast
import os
import sys
from html import escape

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(os.path.dirname(HERE), "mcplite")
PICTURE = os.path.join(HERE, "architecture.svg")
LEFT_OUT = ("__init__", "__main__", "wiretypes")
BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN = 132, 30, 16, 44, 24
ROUNDS = 8          # of sorting the rows by what stands near


def box_of(module):
    return module.split(".")[0]


def read_modules():
    """Dotted name → the text of the module; a folder's own name is its ``__init__``."""
    found = {}
    for folder, folders, files in os.walk(PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for file in sorted(files):
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                name = os.path.relpath(path, PACKAGE)[:-3].replace(os.sep, ".")
                with open(path, encoding="utf-8") as stream:
                    found[name[:-len(".__init__")] if name.endswith(".__init__") else name] = stream.read()
    return found


def is_type_checking(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports_of(module, text, is_folder):
    """(dotted name, whether it is loaded at once) of each import inside the package that runs."""
    package = module.split(".") if is_folder else module.split(".")[:-1]

    def walk(node, at_once):
        for child in ast.iter_child_nodes(node):
            if is_type_checking(child):
                continue
            if isinstance(child, ast.ImportFrom) and child.level:
                yield ".".join(package[:len(package) - (child.level - 1)] + [child.module]), at_once
            yield from walk(child, at_once and not isinstance(child, (ast.FunctionDef, ast.Lambda)))

    return walk(ast.parse(text), True)


def read_boxes():
    """Return the boxes, and (box, box) → whether the second is loaded at once."""
    modules = read_modules()
    folders = {name.rpartition(".")[0] for name in modules}
    boxes, arrows = set(), {}
    for module, text in modules.items():
        box = box_of(module)
        if box in LEFT_OUT:
            continue
        boxes.add(box)
        for target, at_once in imports_of(module, text, module in folders):
            if box_of(target) != box:
                key = box, box_of(target)
                arrows[key] = arrows.get(key, False) or at_once
    return boxes, arrows


def rows_of(boxes, arrows):
    """The boxes in rows: each one below all that it imports. Raises ``SystemExit`` where arrows make a circle."""
    level = {}

    def find(box, path):
        if box in path:
            raise SystemExit("a circle of imports: %s" % " → ".join(path[path.index(box):] + (box,)))
        if box not in level:
            level[box] = 1 + max([find(below, path + (box,)) for above, below in arrows if above == box], default=-1)
        return level[box]

    for box in boxes:
        find(box, ())
    rows = [[] for _ in range(1 + max(level.values()))]
    for box in sorted(boxes):
        rows[level[box]].append(box)
    return rows


def without_implied(arrows):
    """The arrows that no chain of others implies."""
    below = {}
    for above, target in arrows:
        below.setdefault(above, set()).add(target)

    def reaches(start, goal):
        return any(step == goal or reaches(step, goal) for step in below.get(start, ()))

    return {(above, target): at_once for (above, target), at_once in arrows.items()
            if not any(reaches(step, target) for step in below[above] if step != target)}


def chains_of(rows, arrows):
    """Each arrow as the boxes that it passes, with a place of its own, a ``(box, box, row)``, in every row between: a line never
    runs behind a box. The places join their rows."""
    level = {box: number for number, row in enumerate(rows) for box in row}
    chains = {}
    for above, target in sorted(arrows):
        between = [(above, target, number) for number in range(level[target] + 1, level[above])]
        for step in between:
            rows[step[2]].append(step)
        chains[above, target] = [target, *between, above]
    return chains


def width_of(item):
    return BOX_WIDTH + GAP_X if isinstance(item, str) else GAP_X


def place(rows, chains):
    """Item → (x, y) of its middle. Within a row an item stands near those that it is joined to, above it and below."""
    neighbours = {}
    for chain in chains.values():
        for upper, lower in zip(chain, chain[1:]):
            neighbours.setdefault(upper, []).append(lower)
            neighbours.setdefault(lower, []).append(upper)
    widest = max(sum(map(width_of, row)) for row in rows)
    places = {}
    for sweep in range(ROUNDS):
        for number, row in (list(enumerate(rows)) if sweep % 2 == 0 else list(enumerate(rows))[::-1]):
            def wish(item):
                near = [places[other][0] for other in neighbours.get(item, ()) if other in places]
                return (sum(near) / len(near) if near else widest / 2), str(item)

            x = MARGIN + (widest - sum(map(width_of, row))) / 2
            for item in sorted(row, key=wish):
                places[item] = x + width_of(item) / 2, MARGIN + number * (BOX_HEIGHT + GAP_Y) + BOX_HEIGHT / 2
                x += width_of(item)
    return places, widest + 2 * MARGIN, 2 * MARGIN + len(rows) * (BOX_HEIGHT + GAP_Y) - GAP_Y


def line_of(chain, places):
    """The path of one line: from box to box, through its places between them."""
    (x, y), half = places[chain[0]], BOX_HEIGHT / 2
    out = ["M%.0f %.0f" % (x, y + half)]
    for item in chain[1:]:
        (x2, y2), bend = places[item], GAP_Y * 0.5
        out.append("C%.0f %.0f %.0f %.0f %.0f %.0f" % (x, y + half + bend, x2, y2 - half - bend, x2, y2 - half))
        if not isinstance(item, str):
            out.append("V%.0f" % (y2 + half))
        x, y = x2, y2
    return "".join(out)


def draw(boxes, arrows):
    rows = rows_of(boxes, arrows)           # first: it tells circles, in which the next line would never end
    kept = without_implied(arrows)
    chains = chains_of(rows, kept)
    places, width, height = place(rows, chains)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" text-anchor="middle">' % (width, height),
           '<rect width="100%" height="100%" fill="#fff"/>']
    for arrow, chain in sorted(chains.items()):
        out.append('<path d="%s" fill="none" stroke="#789" stroke-width="1.2"%s/>' % (
            line_of(chain, places), "" if kept[arrow] else ' stroke-dasharray="4 4"'))
    for box in sorted(boxes):
        x, y = places[box]
        is_folder = os.path.isdir(os.path.join(PACKAGE, box))
        out.append('<rect x="%.0f" y="%.0f" width="%d" height="%d" rx="6" fill="%s" stroke="#456"/>' % (
            x - BOX_WIDTH / 2, y - BOX_HEIGHT / 2, BOX_WIDTH, BOX_HEIGHT, "#e6eef5" if is_folder else "#fdf6e3"))
        out.append('<text x="%.0f" y="%.0f" font-size="14">%s</text>' % (x, y + 5, escape(box + ("/" if is_folder else ""))))
    return "\n".join(out + ["</svg>"]) + "\n"


def main(words):
    text = draw(*read_boxes())
    if words == ["--check"]:
        with open(PICTURE, encoding="utf-8") as stream:
            same = stream.read() == text
        print("docs/architecture.svg is %s" % ("up to date" if same else "not up to date: run python docs/draw_architecture.py"))
        return 0 if same else 1
    with open(PICTURE, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
