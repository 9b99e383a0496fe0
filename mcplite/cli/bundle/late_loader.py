"""The lines that a made file carries: what loads its late parts, and what loads the runtime inside a script.

Here: these lines, as text. Not here: which parts are late (`one_file`), where the lines go (`one_file`, `script`).

1. What a server needs before its first answer is plain code of the one file; every other module is text inside it, compiled
   when it is first used. A file that Python cannot keep compiled (a main script, a place where nothing can be written) would
   otherwise pay for all of it at each start.
2. The compiled form of a text is kept in `__pycache__`, where and how Python keeps that of an imported file. Without a
   writable place it is compiled each time.
3. Line numbers tell the truth: a text is compiled as lines of the file that it stands in.
"""
from .module_text import BundleError

LATE_BEGIN = "BUNDLED_TEXT = r'''"
LATE_END = "'''"

KEEPER = '''\
def compile_kept(text, place, first_line, kept_as):
    """Compile text that begins at that line of the file `place`; the compiled form is kept as that of an imported file."""
    import sys

    source = "\\n" * (first_line - 1) + text            # so that a traceback shows the true lines of the file
    kept = None
    try:
        import _frozen_importlib_external as files      # what "import" itself uses; loaded always
        import _imp
        import marshal
        import os
        stamp = files.MAGIC_NUMBER + _imp.source_hash(first_line, (place + text).encode("utf-8"))
        kept = files.cache_from_source("%s.%s.py" % (place[:-3] if place[-3:] == ".py" else place, kept_as))
        with open(kept, "rb") as stream:
            data = stream.read()
        if data[:len(stamp)] == stamp:
            return marshal.loads(data[len(stamp):])
    except Exception:                                   # nothing kept yet, or a Python that keeps nothing
        pass
    code = compile(source, place, "exec", dont_inherit=True)
    try:
        if kept and os.path.isfile(place) and not sys.dont_write_bytecode:
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            files._write_atomic(kept, stamp + marshal.dumps(code))
    except Exception:                                   # no writable place: compiled again next time
        pass
    return code
'''

LATE_LOADER = '''\
BUNDLED_LOADED = set()


def load_bundled(name):
    """Make what a late module defines known, once: its text stands in BUNDLED_TEXT, under the name of its file."""
    if name in BUNDLED_LOADED:
        return
    heading = "# %s\\n# %s\\n# %s\\n" % ("=" * 118, BUNDLED_LATE[name], "=" * 118)
    start = BUNDLED_TEXT.index(heading) + len(heading)
    end = BUNDLED_TEXT.index("\\n# " + "=" * 118, start)
    line = BUNDLED_LINE + BUNDLED_TEXT.count("\\n", 0, start)
    exec(compile_kept(BUNDLED_TEXT[start:end], globals().get("__file__") or "<mcplite>", line, "mcplite." + name), globals())
    BUNDLED_LOADED.add(name)


def register_bundled():
    """Let every module of the package be imported by its name: each of them is this one module, or leads to it."""
    for name in BUNDLED_MODULES:
        sys.modules[__name__ + "." + name] = new_stand_in(name) if name in BUNDLED_LATE else sys.modules[__name__]
    for name in LEFT_OUT_OF_BUNDLE:
        sys.modules[__name__ + "." + name] = new_stand_in(name)


def new_stand_in(name):
    """Stands where a late module would: its names are those of this one module, once it is loaded. The names of one that is
    left out are an ImportError that says why."""
    whole = sys.modules[__name__]

    class StandIn(type(sys)):
        __dict__ = property(lambda self: vars(whole))       # who puts something in a name's place for a while looks here first

        def __getattr__(self, wanted):
            if name in LEFT_OUT_OF_BUNDLE and wanted[:2] != "__":
                raise ImportError(LEFT_OUT_OF_BUNDLE[name])
            if name in BUNDLED_LATE and wanted[:2] != "__":
                load_bundled(name)
                return getattr(whole, wanted)
            raise AttributeError("module %r has no attribute %r" % (self.__name__, wanted))

        def __setattr__(self, wanted, value):
            if wanted[:2] == "__":
                type(sys).__setattr__(self, wanted, value)
            else:
                load_bundled(name)
                setattr(whole, wanted, value)

        def __delattr__(self, wanted):
            delattr(whole, wanted)

    return StandIn(__name__ + "." + name)


def __getattr__(name):
    if name in BUNDLED_NAMES:
        load_bundled(BUNDLED_NAMES[name])
        return globals()[name]
    if name in LEFT_OUT_OF_BUNDLE:
        raise ImportError(LEFT_OUT_OF_BUNDLE[name])
    for known in (name, "cli." + name):
        if known in BUNDLED_MODULES:
            return sys.modules[__name__ + "." + known]
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
'''

# The lines after the runtime inside a script. FIRST_LINE is the line where its text begins, LATE_LINE that of the late parts.
SCRIPT_LOADER = '''\
def load_mcplite(text, late_text, end_text, first_line, late_line):
    """Make the text importable as mcplite."""
    import sys

    place = globals().get("__file__") or "<mcplite>"
    gap = "\\n" * (late_text.count("\\n") + 2)             # the lines between
    code = compile_kept(text + gap + end_text, place, first_line, "mcplite")
    module = type(sys)("mcplite")
    module.__file__ = place
    module.BUNDLED_TEXT = late_text
    sys.modules["mcplite"] = module
    exec(code, module.__dict__)
    module.BUNDLED_LINE = late_line


load_mcplite(MCPLITE_TEXT, BUNDLED_TEXT, MCPLITE_END, FIRST_LINE, LATE_LINE)
del MCPLITE_TEXT, BUNDLED_TEXT, MCPLITE_END, compile_kept, load_mcplite
'''


def raw_literal(runtime: str) -> str:
    """A raw string literal, over many lines, whose value is a line feed and the runtime."""
    import ast

    quotes = "'" * 3
    pieces = ("\n" + runtime).split(quotes)
    joint = "%s \"%s\" r%s" % (quotes, quotes, quotes)
    literal = "r" + quotes + joint.join(pieces) + quotes
    try:
        good = ast.literal_eval(literal) == "\n" + runtime
    except (SyntaxError, ValueError):
        good = False
    if not good:
        raise BundleError("the runtime cannot be written as a raw string (a backslash before three quotes)")
    return literal
