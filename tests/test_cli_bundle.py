"""`mcplite bundle`: many modules to one, on small made-up packages; then the package itself, and scripts with it inside."""
from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import types

import pytest

from mcplite.cli.bundle import command as bundle_command
from mcplite.cli.bundle.module_text import BundleError
from mcplite.cli.bundle.one_file import LICENCE_TEXT, new_bundle
from mcplite.cli.bundle.script import embed_runtime, insertion_line, parse_script, runtime_uses
from mcplite.cli.main import cli_main
from mcplite.errors import VERSION

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
of_the_package = pytest.mark.skipif(bool(os.environ.get("MCPLITE_SINGLE")), reason="the one-file mcplite has no modules to bundle")

HEAD = "from __future__ import annotations\n"
SMALL = {
    "__init__": '"""Small.\n\nMore."""\n' + HEAD + """
from .errors import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .client import Client
    from .server import Server

__all__ = ["Client", "Server", "__version__"]

LAZY = {"Server": "server", "Client": "client"}


def __getattr__(name):
    return LAZY[name]
""",
    "errors": '"""Errors."""\n' + HEAD + 'import os\n\nVERSION = "9"   # kept\n\n\nclass Bad(Exception):\n    pass\n',
    "server": '"""The server. And more."""\n' + HEAD + """
import os
import sys

from .errors import (
    Bad,
    VERSION,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import Bad


class Server:
    def fail(self) -> Any:
        from .extra import helper

        return helper(Bad)

    def connect(self):
        from .client import Client
        return Client
""",
    "extra": HEAD + "def helper(kind):\n    return kind('helped')\n",
    "client": HEAD + "from .errors import Bad\n\n\nclass Client:\n    pass\n",
    "cli": '"""Commands."""\n' + HEAD,
    "cli.main": HEAD
     + "import sys\n\nfrom ..errors import VERSION\n\n\ndef cli_main(argv=None):\n    print(VERSION)\n    return 3\n",
    "__main__": HEAD + "import sys\n\nfrom .cli.main import cli_main\n\nif __name__ == '__main__':\n    sys.exit(cli_main())\n",
}


def load(text, name="mcplite"):
    """Run the text as a module; returns it, and leaves sys.modules as it was."""
    module = types.ModuleType(name)
    kept = {key: value for key, value in sys.modules.items() if key.split(".")[0] == name}
    try:
        for key in kept:
            del sys.modules[key]
        sys.modules[name] = module
        exec(compile(text, name + ".py", "exec", dont_inherit=True), module.__dict__)
        module.inside = {key: value for key, value in sys.modules.items() if key.split(".")[0] == name}
    finally:
        for key in [key for key in sys.modules if key.split(".")[0] == name]:
            del sys.modules[key]
        sys.modules.update(kept)
    return module


def body(text):
    """The text from the imports on."""
    return text[text.index("from __future__"):]


# -- joining ----------------------------------------------------------------------------------------------------------

def test_the_whole_text():
    """What the server imports at module level is code; what comes later is text, whose imports load what is late too."""
    rule = "# " + "=" * 118
    early = {
        "errors": '"""Errors."""\n\nVERSION = "9"   # kept\n\n\nclass Bad(Exception):\n    pass',
        "server": ('"""The server. And more."""\n\nclass Server:\n    def fail(self) -> Any:\n        load_bundled("extra")\n\n'
                   "        return helper(Bad)\n\n    def connect(self):\n        load_bundled(\"client\")\n        return Client"),
        "__init__": '__version__ = VERSION\n\n__all__ = ["Client", "Server", "__version__"]',
    }
    late = {
        "extra": HEAD + "def helper(kind):\n    return kind('helped')",
        "client": HEAD + "class Client:\n    pass",
        "cli/__init__": '"""Commands."""\n' + HEAD.rstrip("\n"),
        "cli/main": HEAD + "import sys\n\ndef cli_main(argv=None):\n    print(VERSION)\n    return 3",
    }

    def joined(sections):
        return "".join("\n\n\n%s\n# mcplite/%s.py\n%s\n%s" % (rule, name, rule, section) for name, section in sections.items())

    def plain(text):
        return re.sub("\n+", "\n", text).strip("\n")

    text = body(new_bundle(SMALL, "9", "2026-01-02").text)
    code, text, end = re.split("BUNDLED_TEXT = r'''\n|\n'''\n", text)
    opening = "from __future__ import annotations\n\nimport os\nimport sys\n\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    from typing import Any"
    assert plain(code[:code.index(rule + "\n# The modules by their names")]) == plain(opening + joined(early))
    assert plain(text) == plain(joined(late) + "\n" + rule)
    assert end == ('\nif __name__ != "__main__":\n    register_bundled()\nelse:\n    load_bundled("cli.main")\n    sys.exit(cli_main())\n')


def test_the_head():
    bundle = new_bundle(SMALL, "9", "2026-01-02")
    lines = bundle.text.split("\n")
    assert lines[:11] == [
        "#!/usr/bin/env python3",
        "# mcplite 9 in one file: the Model Context Protocol over stdio. Python 3.8 or newer, nothing else.",
        "#",
        "# Use:     put this file beside your script and write: from mcplite import Server",
        "#          or run it, as the command mcplite: python mcplite.py --help",
        "# Source:  mcplite 9 of 2026-01-02",
        "# Made by: mcplite bundle",
        "#          The modules of the package one after the other, as they are. Only their imports changed: those of each",
        "#          other are left out, or load the module if it is one that waits as text until it is used (marked +).",
        "#          Change the package, not this file.",
        "# Check:   mcplite bundle --check -o THIS_FILE   (with the same mcplite installed: is it exactly that?)"]
    for name in bundle.modules:
        if name == "__main__":
            continue
        place = [line for line in lines if re.match(r"#\s+\d+[ +] %s(?:\s|$)" % re.escape(name), line)]
        assert len(place) == 1, name
        number = int(place[0][1:].split()[0].rstrip("+"))
        assert lines[number] == "# mcplite/%s.py" % ("cli/__init__" if name == "cli" else name.replace(".", "/"))
        assert ("+" in place[0][:11]) == (name in ("extra", "client", "cli", "cli.main"))
    assert any(re.match(r"#\s+\d+  errors    Errors$", line) for line in lines)
    assert any(re.match(r"#\s+\d+  server    The server$", line) for line in lines)


def test_licence_is_the_repository_s():
    with open(os.path.join(REPOSITORY, "LICENSE"), encoding="utf-8") as stream:
        assert stream.read() == LICENCE_TEXT
    assert all("# " + line in new_bundle(SMALL, "9").text for line in LICENCE_TEXT.split("\n") if line)


def test_it_works_as_the_package():
    module = load(new_bundle(SMALL, "9").text)
    assert module.__all__ == ["Client", "Server", "__version__"] and module.__version__ == "9"
    assert str(module.Server().fail()) == "helped"
    assert module.Server().connect() is module.Client
    for name in ("errors", "server"):
        assert module.inside["mcplite." + name] is module
    for name, known in (("extra", "helper"), ("client", "Client"), ("cli.main", "cli_main")):
        assert getattr(module.inside["mcplite." + name], known) is getattr(module, known)
    with pytest.raises(AttributeError) as caught:
        _ = module.nothing
    assert str(caught.value) == "module 'mcplite' has no attribute 'nothing'"


def test_modules_in_folders():
    """What a folder's ``__init__`` shows is there by the folder's name, whatever module of the folder has it."""
    sources = dict(SMALL, **{
        "extra": '"""A folder."""\n' + HEAD + "from .inner import helper\n\n__all__ = ['helper']\n",
        "extra.inner": HEAD + "from ..errors import Bad\n\n\ndef helper(kind):\n    from .deep import word\n    return kind(word)\n",
        "extra.deep": HEAD + "word = 'deep'\n"})
    bundle = new_bundle(sources, "9", server_only=True)
    assert bundle.modules == ["errors", "server", "__init__", "extra.deep", "extra.inner", "extra"]
    module = load(bundle.text)
    assert str(module.Server().fail()) == "deep"
    assert module.inside["mcplite.extra"].helper is module.inside["mcplite.extra.inner"].helper


def test_run_as_a_program_it_is_the_command_line(tmp_path):
    path = tmp_path / "mcplite.py"
    path.write_text(new_bundle(SMALL, "9").text)
    done = subprocess.run([sys.executable, "-I", "-S", str(path)], stdout=subprocess.PIPE, timeout=60)
    assert (done.returncode, done.stdout.split()) == (3, [b"9"])


def test_server_only():
    bundle = new_bundle(SMALL, "9", server_only=True)
    assert bundle.modules == ["errors", "server", "__init__", "extra"]
    assert "# Left out: cli, client\n" in bundle.text and "# Made by: mcplite bundle --server-only\n" in bundle.text
    module = load(bundle.text)
    assert module.__all__ == ["Server", "__version__"]
    assert str(module.Server().fail()) == "helped"


@pytest.mark.parametrize("use", [
    "module.Client", "module.Server().connect()", "module.inside['mcplite.client'].Client",
])
def test_what_is_left_out_says_so(use):
    module = load(new_bundle(SMALL, "9", server_only=True).text)
    with pytest.raises(ImportError) as caught:
        eval(use, {"module": module})
    assert re.sub("mcplite.[cC]lient", "X", str(caught.value)) == "X is not in this one-file mcplite: made with --server-only"


def test_module_for_type_checkers_is_left_out():
    bundle = new_bundle(dict(SMALL, wiretypes="import typing\nX = 1\n"), "9")
    assert "wiretypes" not in bundle.modules
    module = load(bundle.text)
    with pytest.raises(ImportError) as caught:
        _ = module.inside["mcplite.wiretypes"].X
    assert str(caught.value) == ("mcplite.wiretypes is not in this one-file mcplite: it is for type checkers; "
                                 "install the package to use it")


def test_import_that_was_alone_becomes_pass():
    extra = SMALL["extra"] + "\n\ndef warm():\n    from .errors import Bad\n\n\ndef after():\n    return 1\n"
    text = new_bundle(dict(SMALL, extra=extra), "9").text
    assert "def warm():\n    pass\n\n\ndef after():\n    return 1\n" in text


def test_the_same_bytes_whatever_the_order():
    text = new_bundle(SMALL, "9", "2026-01-02").text
    assert new_bundle(dict(reversed(list(SMALL.items()))), "9", "2026-01-02").text == text


def test_order_follows_the_imports_then_the_layers():
    sources = {"__init__": HEAD, "zeta": HEAD + "Z = 1\n", "errors": HEAD + "from .zeta import Z\n", "codec": HEAD + "C = 1\n",
               "codec_more": HEAD + "M = 1\n", "odd": HEAD + "O = 1\n", "server": HEAD
                + "def f():\n    from .odd import O\n    return O\n",
               "peer": HEAD + "from .codec import C\n"}
    assert new_bundle(sources, "9").modules == ["server", "__init__", "zeta", "errors", "codec", "codec_more", "peer", "odd"]


def test_docstrings_and_strings_stay_as_they_are():
    """A late part's too, though it is inside a string itself."""
    odd = "TEXT = '''a\n\n\n\nfrom .x import y  \n'''\n"
    text = new_bundle(dict(SMALL, errors=SMALL["errors"] + odd, extra=SMALL["extra"] + odd.replace("TEXT", "LATE")), "9").text
    assert odd in text
    assert load(text).inside["mcplite.extra"].LATE == load(text).TEXT == "a\n\n\n\nfrom .x import y  \n"


def test_late_parts_can_be_changed_by_their_module():
    """As tests do, and programs that put a function of their own in the place of one."""
    module = load(new_bundle(SMALL, "9").text)
    module.inside["mcplite.extra"].more = 1
    del module.inside["mcplite.extra"].more
    assert not hasattr(module, "more") and vars(module.inside["mcplite.extra"]) is vars(module)
    module.inside["mcplite.extra"].helper = lambda kind: kind("replaced")
    assert str(module.Server().fail()) == "replaced"


def test_what_was_changed_in_a_late_part_for_a_while_is_put_back():
    module = load(new_bundle(SMALL, "9").text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.inside["mcplite.extra"], "helper", lambda kind: kind("replaced"))
        assert str(module.Server().fail()) == "replaced"
    assert str(module.Server().fail()) == "helped"


@pytest.mark.parametrize("flags", [[], ["-B"]])
def test_late_parts_are_kept_compiled_and_their_tracebacks_name_the_true_lines(tmp_path, flags):
    path = tmp_path / "mcplite.py"
    path.write_text(new_bundle(dict(SMALL, extra=SMALL["extra"].replace("return", "raise")), "9").text)
    code = "import sys; sys.path.insert(0, %r); import mcplite; mcplite.Server().fail()" % str(tmp_path)
    line = path.read_text().split("\n").index("    raise kind('helped')") + 1
    for _ in range(2):
        done = subprocess.run([sys.executable, "-I", "-S", *flags, "-c", code], stderr=subprocess.PIPE, timeout=60)
        assert 'mcplite.py", line %d, in helper' % line in done.stderr.decode()
    kept = sorted(entry.name.split(".cpython")[0] for entry in tmp_path.rglob("*.pyc"))
    assert sys.implementation.name != "cpython" or kept == ([] if flags else ["mcplite", "mcplite.mcplite.extra"])


@pytest.mark.parametrize("changes, message", [
    ({"client": SMALL["client"] + "\n\ndef helper():\n    pass\n"},
     "the same name is defined in two modules; rename one of each: helper (mcplite/client.py and mcplite/extra.py)"),
    ({"extra": HEAD + "def sys():\n    pass\n\n\ndef helper():\n    pass\n"},
     'the name "sys" is defined in mcplite/extra.py and imported in mcplite/__main__.py; rename the definition'),
    ({"extra": HEAD + "def print(x):\n    pass\n\n\nhelper = print\n"},
     'mcplite/extra.py: line 2: the name "print" would hide the builtin for every module; call it something else'),
    ({"extra": HEAD + "import json\n"},
     "mcplite/extra.py: line 2: json is imported at module level; import it inside the function that needs it"),
    ({"extra": HEAD + "import mcplite\n"}, 'mcplite/extra.py: line 2: write "from .module import Name" inside the package'),
    ({"extra": HEAD + "from . import errors\n"},
     'mcplite/extra.py: line 2: write "from .module import Name" in place of "from . import"'),
    ({"extra": HEAD + "from .errors import *\n"}, "mcplite/extra.py: line 2: write the names in place of *"),
    ({"extra": HEAD + "from .errors import Bad as Worse\n"}, 'mcplite/extra.py: line 2: import "Bad" by its own name'),
    ({"extra": HEAD + "from .errors import Good\n\n\ndef helper():\n    pass\n"},
     "mcplite/extra.py: line 2: mcplite/errors.py defines no Good"),
    ({"extra": HEAD + "from .nowhere import Good\n"}, "mcplite/extra.py: line 2: there is no module mcplite/nowhere.py"),
    ({"extra": HEAD + "from ..errors import Bad\n"}, "mcplite/extra.py: line 2: the import leaves the package"),
    ({"extra": HEAD + "x = 1; from .errors import Bad\n"}, "mcplite/extra.py: line 2: put this statement on a line of its own"),
    ({"extra": HEAD + "def f(:\n"}, "extra: line 2: invalid syntax"),
    ({"extra": HEAD + "try:\n    from .errors import Bad\nexcept ImportError:\n    pass\n"},
     "mcplite/extra.py: line 3: a relative import may stand at the top of the module or inside a function"),
    ({"extra": HEAD + "def helper():\n    from .errors import Bad\n    Bad = Bad or None\n"},
     'mcplite/extra.py: line 3: helper also assigns "Bad", which it imports; use another name'),
    ({"extra": HEAD + "def __getattr__(name):\n    pass\n\n\ndef helper():\n    pass\n"},
     "mcplite/extra.py: line 2: __getattr__ at module level would become __getattr__ of the whole file; do without"),
    ({"errors": SMALL["errors"] + "\nfrom .server import Server\n"},
     "these modules import each other in a circle: cli.main, client, errors, server"),
])
def test_what_cannot_be_joined(changes, message):
    with pytest.raises(BundleError) as caught:
        new_bundle(dict(SMALL, **changes), "9")
    assert str(caught.value) == message


def test_module_imported_later_that_does_not_exist_is_reported():
    extra = HEAD + "def helper(kind):\n    from .nowhere import Good\n    return Good\n"
    bundle = new_bundle(dict(SMALL, extra=extra), "9")
    assert bundle.missing == ["nowhere"]
    with pytest.raises(ImportError) as caught:
        load(bundle.text).inside["mcplite.extra"].helper(1)
    assert str(caught.value) == "mcplite.nowhere is not in this one-file mcplite: it does not exist"


# -- a script with the runtime inside ---------------------------------------------------------------------------------

RUNTIME = 'from __future__ import annotations\nimport sys\n\ntext = "the runtime\'s"\n\n\ndef fail():\n    raise ValueError(text)\n'
SCRIPT = """#!/usr/bin/env python3
# -*- coding: utf-8 -*-
\"\"\"A script: é.\"\"\"
from __future__ import annotations

import mcplite
from mcplite import fail

text = "mine"

if __name__ == "__main__":
    print(mcplite.text, text, __doc__, annotations.compiler_flag > 0)
    fail()
"""


def run_file(path, *options, **more):
    return subprocess.run([sys.executable, *options, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **more)


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_bytes(embed_runtime(SCRIPT, "script.py", RUNTIME, "9", " --server-only").encode("utf-8"))
    return path


def test_script_runs_alone_and_keeps_its_names(script):
    done = run_file(script, "-I", "-S", env={"PYTHONIOENCODING": "utf-8"} if os.name != "nt" else None)
    assert done.stdout.decode("utf-8", "replace").startswith("the runtime's mine A script: ")
    assert b"True" in done.stdout


def test_tracebacks_name_the_true_lines(script):
    lines = script.read_text(encoding="utf-8").split("\n")
    for _ in range(2):                                          # compiled, then taken from __pycache__
        done = run_file(script, "-I", "-S")
        numbers = re.findall(r'File "(.*?)", line (\d+), in (\S+)', done.stderr.decode("utf-8", "replace"))
        assert [(os.path.basename(path), lines[int(number) - 1].strip(), where) for path, number, where in numbers] == [
            ("script.py", "fail()", "<module>"), ("script.py", "raise ValueError(text)", "fail")]
        assert b"ValueError: the runtime's" in done.stderr


def test_head_stays_in_front(script):
    lines = script.read_text(encoding="utf-8").split("\n")
    assert lines[:4] == SCRIPT.split("\n")[:4]
    at = lines.index("# <<< mcplite 9: from here on it is script.py again")
    assert "\n".join(lines[at + 1:]) == "\n".join(SCRIPT.split("\n")[4:])
    assert "# script.py goes on at line %d. " % (at + 2) in "\n".join(lines)


def test_the_text_inside_can_be_checked(script):
    text = script.read_text(encoding="utf-8")
    first, last = map(int, re.search(r"sed -n '(\d+),(\d+)p'", text).groups())
    inside = "".join(line + "\n" for line in text.split("\n")[first - 1:last])
    assert inside == RUNTIME
    assert hashlib.sha256(inside.encode("utf-8")).hexdigest() in text


def test_compiled_form_is_kept_and_used(script):
    run_file(script, "-I", "-S")
    kept = list((script.parent / "__pycache__").iterdir())
    assert [entry.name.split(".")[:2] for entry in kept] == [["script", "mcplite"]]
    before = kept[0].read_bytes()
    kept[0].write_bytes(before.replace(b"the runtime's", b"the kept one!"))
    assert b"ValueError: the kept one!" in run_file(script, "-I", "-S").stderr


def test_kept_form_of_another_text_is_not_used(script):
    run_file(script, "-I", "-S")
    script.write_bytes(script.read_bytes().replace(b"the runtime's", b"changed"))
    assert b"ValueError: changed" in run_file(script, "-I", "-S").stderr


@pytest.mark.parametrize("garbage", [b"", b"garbage"])
def test_broken_kept_form_is_replaced(script, garbage):
    run_file(script, "-I", "-S")
    kept = next((script.parent / "__pycache__").iterdir())
    good = kept.read_bytes()
    kept.write_bytes(good[:16] + garbage if garbage else garbage)
    assert b"ValueError: the runtime's" in run_file(script, "-I", "-S").stderr


def test_no_writable_place(script):
    (script.parent / "__pycache__").write_text("a file where the folder would be")
    assert b"ValueError: the runtime's" in run_file(script, "-I", "-S").stderr


def test_nothing_is_kept_with_b(script):
    run_file(script, "-I", "-S", "-B")
    assert not (script.parent / "__pycache__").exists()


def test_script_without_a_file(script):
    done = subprocess.run([sys.executable, "-I", "-S", "-c", "exec(open(%r, encoding='utf-8').read())" % str(script)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert b"ValueError: the runtime's" in done.stderr


def test_runtime_with_every_quote():
    runtime = RUNTIME + "a = '''x'''\nb = \"\"\"y\"\"\"\nc = '\\\\'\n"
    text = embed_runtime(SCRIPT, "s.py", runtime, "9", "")
    namespace = {"__name__": "x"}
    exec(compile(text.split("\n\n\ndef load_mcplite")[0], "s", "exec"), namespace)
    assert namespace["MCPLITE_TEXT"] == "\n" + runtime


def test_runtime_that_no_raw_string_can_hold():
    with pytest.raises(BundleError) as caught:
        embed_runtime(SCRIPT, "s.py", RUNTIME + "a = \"\\'''\"\n", "9", "")
    assert str(caught.value) == "the runtime cannot be written as a raw string (a backslash before three quotes)"


@pytest.mark.parametrize("text, at", [
    ("import x\n", 0), ("#!/usr/bin/python\nimport x\n", 1), ("#!/x\n# coding: latin-1\n# more\nimport x\n", 2),
    ('"""doc\nmore"""\nimport x\n', 2),
     ('#!/x\n\n# note\n\n"""doc"""\n# c\nfrom __future__ import (\n    annotations,\n)\nimport x\n', 9),
    ("from __future__ import annotations\nfrom __future__ import division\nx = 1\n", 2), ("# only\n", 0), ("", 0),
])
def test_where_the_runtime_goes(text, at):
    assert insertion_line(text, "s.py") == at


@pytest.mark.parametrize("data, text", [
    (b"x = 1\r\ny = 2\r", "x = 1\ny = 2\n"), (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
    (b"#!/x\n# coding: latin-1\ns = '\xe9'\n", "#!/x\n# coding: utf-8\ns = 'é'\n"),
])
def test_scripts_of_any_encoding(data, text):
    assert parse_script(data, "s.py") == text


@pytest.mark.parametrize("data, message", [
    (b"s = '\xe9'\n", "s.py: "), (b"# coding: nonsense\n", "s.py: "),
])
def test_scripts_that_cannot_be_read(data, message):
    with pytest.raises(BundleError) as caught:
        parse_script(data, "s.py")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text, uses", [
    ("import os\n", (False, False)), ("import mcplite\n", (True, False)), ("from mcplite.schema import Validator\n", (True, False)),
    ("from mcplite import Server, Client\n", (True, True)), ("from mcplite.client import Client\n", (True, True)),
    ("import mcplite.cli.main\n", (True, True)), ("import mcplite\nmcplite.Client([])\n", (True, True)),
    ("def f():\n    from mcplite import Client\n", (True, True)),
])
def test_whether_a_script_needs_the_client(text, uses):
    assert runtime_uses(text) == uses


def test_bundling_twice_is_refused(script):
    with pytest.raises(BundleError) as caught:
        embed_runtime(script.read_text(encoding="utf-8"), "script.py", RUNTIME, "9", "")
    assert str(caught.value) == "script.py has the runtime inside already; bundle the script it was made from"


# -- the command, on the package itself -------------------------------------------------------------------------------

REMEMBERED = {}


@pytest.fixture(autouse=True)
def remembered_package(monkeypatch):
    """Joining the package takes a second; once for each choice of options is enough here."""
    def remembered(sources, version, date=None, server_only=False):
        key = (date, server_only)
        if key not in REMEMBERED:
            REMEMBERED[key] = new_bundle(sources, version, date, server_only)
        return REMEMBERED[key]
    monkeypatch.setattr(bundle_command, "new_bundle", remembered)


@pytest.fixture
def small_package(monkeypatch):
    """The command with a package of a few lines in the place of this one."""
    monkeypatch.setattr(bundle_command, "package_sources", lambda: SMALL)
    monkeypatch.setattr(bundle_command, "new_bundle", new_bundle)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The package as one file, whole and for servers only; made once."""
    folder = tmp_path_factory.mktemp("built")
    outputs = {}
    for name, words in (("whole", []), ("server", ["--server-only"])):
        path = folder / name / "mcplite.py"
        assert cli_main(["bundle", *words, "-o", str(path)]) == 0
        outputs[name] = path
    return outputs


@of_the_package
def test_no_module_of_the_package_is_missing(capsys, tmp_path):
    assert cli_main(["bundle", "-o", str(tmp_path / "mcplite.py")]) == 0
    assert capsys.readouterr().err == ""


@of_the_package
@pytest.mark.parametrize("which", ["whole", "server"])
def test_import_stays_cheap(built, which):
    code = ("import sys; before = set(sys.modules); sys.path.insert(0, %r); import mcplite; "
            "print(sorted(name for name in set(sys.modules) - before if name.split('.')[0] != 'mcplite'))"
             % str(built[which].parent))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], stdout=subprocess.PIPE, timeout=60)
    loaded = set(eval(done.stdout.decode()))
    assert not loaded & {"re", "json", "typing", "enum", "functools", "inspect", "argparse", "subprocess", "logging", "dataclasses"}


@of_the_package
def test_public_names_are_there(built):
    import mcplite

    code = "import sys; sys.path.insert(0, %r); import mcplite; from mcplite import *; print(sorted(mcplite.__all__))"
    for which, names in (("whole", set(mcplite.__all__)), ("server", set(mcplite.__all__) - {"Client"})):
        done = subprocess.run([sys.executable, "-I", "-S", "-c", code % str(built[which].parent)], stdout=subprocess.PIPE,
                              timeout=60)
        assert eval(done.stdout.decode()) == sorted(names)


@of_the_package
def test_submodules_by_name(built):
    code = ("import sys; sys.path.insert(0, %r)\nfrom mcplite.schema import Validator\nimport mcplite.content\n"
            "from mcplite import schema\nprint(Validator({'type': 'string'}).is_valid('x'), mcplite.content.text is mcplite.text)")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code % str(built["server"].parent)], stdout=subprocess.PIPE,
                          timeout=60)
    assert done.stdout.split() == [b"True", b"True"]


@of_the_package
def test_client_left_out_is_an_import_error(built):
    code = ("import sys; sys.path.insert(0, %r)\ntry:\n    from mcplite import Client\n"
            "except ImportError as error:\n    print(error)")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code % str(built["server"].parent)], stdout=subprocess.PIPE,
                          timeout=60)
    assert done.stdout.strip() == b"mcplite.Client is not in this one-file mcplite: made with --server-only"


@of_the_package
def test_one_file_is_the_command_line(built):
    done = subprocess.run([sys.executable, "-I", "-S", str(built["whole"]), "--version"], stdout=subprocess.PIPE, timeout=60)
    assert done.stdout.decode().strip() == "mcplite " + VERSION


@of_the_package
def test_one_file_bundles_scripts_too(built, tmp_path):
    path = tmp_path / "s.py"
    path.write_text("from mcplite import Server\nprint(Server.__name__)\n")
    done = subprocess.run([sys.executable, "-I", "-S", str(built["whole"]), "bundle", str(path), "-o", str(tmp_path / "one.py")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert run_file(tmp_path / "one.py", "-I", "-S").stdout.split() == [b"Server"]
    done = subprocess.run([sys.executable, "-I", "-S", str(built["whole"]), "bundle", "--server-only", "-o",
                           str(tmp_path / "x.py")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert done.stderr.decode().strip() == ("mcplite: bundle: the one-file mcplite cannot leave anything out: install the package "
                                            "for --server-only")


SERVER = """#!/usr/bin/env python3
import sys
from mcplite import Server
server = Server("adder", version="1.0.0")


@server.tool
def add(a: int, b: int) -> int:
    return a + b


def text(value):
    return value


if __name__ == "__main__":
    server.run()
"""
TALK = (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        b'"clientInfo":{"name":"t","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}\n')


@of_the_package
def test_server_with_the_runtime_inside(tmp_path, capsys):
    path, one = tmp_path / "adder.py", tmp_path / "out" / "adder.py"
    path.write_text(SERVER)
    path.chmod(0o755)
    assert cli_main(["bundle", str(path), "-o", str(one)]) == 0
    out = capsys.readouterr()
    assert out.err == "" and re.match(r".*adder\.py: [\d,]+ lines, \d+ KB\n  server        [\d,]+ lines, \d+ KB, \d+ modules\n"
                                      r"  source        mcplite \S+.*\n$", out.out)
    assert os.name == "nt" or one.stat().st_mode & 0o777 == 0o755
    for _ in range(2):
        done = run_file(one, "-I", "-S", input=TALK)
        assert done.stderr == b"" and b'"text":"3"' in done.stdout.split(b"\n")[1]


@of_the_package
def test_check(tmp_path, capsys):
    path, one = tmp_path / "adder.py", tmp_path / "one.py"
    path.write_text(SERVER)
    words = ["bundle", str(path), "-o", str(one)]
    assert cli_main(words) == 0
    capsys.readouterr()
    assert cli_main([*words, "--check"]) == 0
    assert capsys.readouterr().out == "%s is up to date\n" % one
    path.write_text(SERVER.replace("a + b", "a - b"))
    assert cli_main([*words, "--check"]) == 1
    number = one.read_text(encoding="utf-8").split("\n").index("    return a + b") + 1
    assert capsys.readouterr().out == ("%s is not up to date: it differs from line %d on; make it anew with the same command "
    "without "
                                       "--check\n" % (one, number))


@of_the_package
def test_source_date(small_package, tmp_path, capsys, monkeypatch):
    one = tmp_path / "mcplite.py"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert cli_main(["bundle", "--server-only", "-o", str(one)]) == 0
    assert ("# Source:  mcplite %s of 1970-01-02\n" % VERSION) in one.read_text(encoding="utf-8")
    first = one.read_bytes()
    assert cli_main(["bundle", "--server-only", "-o", str(one)]) == 0
    assert one.read_bytes() == first
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert cli_main(["bundle", "--server-only", "--check", "-o", str(one)]) == 0    # the date of the file counts
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    capsys.readouterr()
    assert cli_main(["bundle", "-o", str(one)]) == 1
    assert capsys.readouterr().err == "mcplite: bundle: SOURCE_DATE_EPOCH must be a number of seconds, not 'soon'\n"


@of_the_package
def test_standard_output(tmp_path):
    done = subprocess.run([sys.executable, "-m", "mcplite", "bundle", "--server-only", "-o", "-"], cwd=REPOSITORY,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    assert done.stdout.startswith(b"#!/usr/bin/env python3\n# mcplite ") and done.stderr.startswith(b"-: ")


@pytest.mark.parametrize("words, status, message", [
    (["nowhere.py", "-o", "x"], 1, "bundle: cannot read nowhere.py: No such file or directory; name the script of your server"),
    (["plain.py", "-o", "x"], 1, "bundle: plain.py does not import mcplite: there is nothing to put inside"),
    (["bad.py", "-o", "x"], 1, "bundle: bad.py: line 1: "),
    (["--full", "-o", "x"], 2, "bundle: --full is for a script: without one, everything is inside unless --server-only is given"),
    (["s.py", "--full", "--server-only", "-o", "x"], 2, "bundle: --full and --server-only exclude each other"),
    (["--check", "-o", "-"], 2, "bundle: --check needs a file to compare: name it with -o"),
    (["--check", "-o", "nowhere.py"], 1, "bundle: cannot read nowhere.py: No such file or directory"),
    ([], 2, "bundle: the following arguments are required: -o/--output (mcplite bundle --help shows how)"),
])
def test_called_wrongly(words, status, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text("import os\n")
    (tmp_path / "bad.py").write_text("import (\n")
    assert cli_main(["bundle", *words]) == status
    out = capsys.readouterr()
    assert out.out == "" and out.err.startswith("mcplite: " + message) and out.err.count("\n") == 1
    assert not (tmp_path / "x").exists()


@of_the_package
def test_overwriting_the_script_is_refused(small_package, tmp_path, capsys):
    path = tmp_path / "adder.py"
    path.write_text(SERVER)
    assert cli_main(["bundle", str(path), "-o", str(path)]) == 1
    assert capsys.readouterr().err == ("mcplite: bundle: %s would overwrite the script it is made from; write to another file\n"
                                       "" % path)
    assert path.read_text() == SERVER


@of_the_package
def test_modules_beside_the_script_are_noted(small_package, tmp_path, capsys):
    path = tmp_path / "adder.py"
    path.write_text("import helper\n" + SERVER.split("\n", 1)[1])
    (tmp_path / "helper.py").write_text("")
    assert cli_main(["bundle", str(path), "-o", str(tmp_path / "one.py")]) == 0
    assert capsys.readouterr().err == ("mcplite: bundle: note: %s imports helper, which lies beside it and is not put inside\n"
                                       "" % path)
