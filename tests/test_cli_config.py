"""`mcplite config`: entries and paths of every host, and edits that change nothing else."""
from __future__ import annotations

import json
import os
import re
import stat
import sys

import pytest

from mcplite.cli.config import command as config_command
from mcplite.cli.config import files as config_files
from mcplite.cli.config.edit import ConfigSyntaxError
from mcplite.cli.config.hosts import CONFIG_HOSTS, config_path
from mcplite.cli.config.jsonc import read_jsonc, set_jsonc_entry
from mcplite.cli.config.toml import set_toml_table
from mcplite.cli.config.yaml import read_yaml_list, set_yaml_item
from mcplite.cli.main import cli_main

ENTRY = {"command": "/usr/bin/python3", "args": ["/srv/server.py"]}
LINUX = {"HOME": "/home/U"}
MACOS = {"HOME": "/Users/u"}
WINDOWS = {"USERPROFILE": "C:\\Users\\u", "APPDATA": "C:\\Users\\u\\AppData\\Roaming"}
needs_tomllib = pytest.mark.skipif(sys.version_info < (3, 11), reason="existing TOML files are edited with Python 3.11 or newer")


# -- paths and entries ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("host, linux, macos, windows", [
    ("claude-desktop", "/home/U/.config/Claude/claude_desktop_config.json",
     "/Users/u/Library/Application Support/Claude/claude_desktop_config.json",
     "C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json"),
    ("claude-code", "/home/U/.claude.json", "/Users/u/.claude.json", "C:\\Users\\u\\.claude.json"),
    ("vscode", "/home/U/.config/Code/User/mcp.json", "/Users/u/Library/Application Support/Code/User/mcp.json",
     "C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json"),
    ("cursor", "/home/U/.cursor/mcp.json", "/Users/u/.cursor/mcp.json", "C:\\Users\\u\\.cursor\\mcp.json"),
    ("zed", "/home/U/.config/zed/settings.json", "/Users/u/.config/zed/settings.json",
     "C:\\Users\\u\\AppData\\Roaming\\Zed\\settings.json"),
    ("windsurf", "/home/U/.codeium/windsurf/mcp_config.json", "/Users/u/.codeium/windsurf/mcp_config.json",
     "C:\\Users\\u\\.codeium\\windsurf\\mcp_config.json"),
    ("continue", "/home/U/.continue/config.yaml", "/Users/u/.continue/config.yaml", "C:\\Users\\u\\.continue\\config.yaml"),
    ("gemini-cli", "/home/U/.gemini/settings.json", "/Users/u/.gemini/settings.json", "C:\\Users\\u\\.gemini\\settings.json"),
    ("codex", "/home/U/.codex/config.toml", "/Users/u/.codex/config.toml", "C:\\Users\\u\\.codex\\config.toml"),
    ("kiro", "/home/U/.kiro/settings/mcp.json", "/Users/u/.kiro/settings/mcp.json", "C:\\Users\\u\\.kiro\\settings\\mcp.json"),
    ("copilot-cli", "/home/U/.copilot/mcp-config.json", "/Users/u/.copilot/mcp-config.json",
     "C:\\Users\\u\\.copilot\\mcp-config.json"),
    ("roo-code", None, None, None),
    ("opencode", None, None, None),
])
def test_user_paths(host, linux, macos, windows):
    found = [config_path(CONFIG_HOSTS[host], "user", platform, environment, ".", "x")
             for platform, environment in (("linux", LINUX), ("darwin", MACOS), ("win32", WINDOWS))]
    assert found == [linux, macos, windows]


def test_every_host_is_in_the_path_test():
    rows = [mark.args[1] for mark in test_user_paths.pytestmark if mark.name == "parametrize"][0]
    assert [row[0] for row in rows] == list(CONFIG_HOSTS)


@pytest.mark.parametrize("host, path", [
    ("claude-code", "/p/.mcp.json"), ("vscode", "/p/.vscode/mcp.json"), ("cursor", "/p/.cursor/mcp.json"),
    ("continue", "/p/.continue/mcpServers/notes.yaml"), ("gemini-cli", "/p/.gemini/settings.json"),
    ("codex", "/p/.codex/config.toml"), ("kiro", "/p/.kiro/settings/mcp.json"), ("roo-code", "/p/.roo/mcp.json"),
    ("opencode", "/p/opencode.json"),
    ("claude-desktop", None), ("zed", None), ("windsurf", None), ("copilot-cli", None),
])
def test_project_paths(host, path):
    assert config_path(CONFIG_HOSTS[host], "project", "linux", LINUX, "/p", "notes") == path


def test_xdg_config_home_is_followed_on_linux_only():
    environment = {"HOME": "/h", "XDG_CONFIG_HOME": "/x"}
    assert config_path(CONFIG_HOSTS["zed"], "user", "linux", environment, ".", "n") == "/x/zed/settings.json"
    assert config_path(CONFIG_HOSTS["zed"], "user", "darwin", environment, ".", "n") == "/h/.config/zed/settings.json"
    assert config_path(CONFIG_HOSTS["vscode"], "user", "linux", environment, ".", "n") == "/x/Code/User/mcp.json"


def test_codex_home_is_followed():
    assert config_path(CONFIG_HOSTS["codex"], "user", "linux", {"CODEX_HOME": "/c", "HOME": "/h"}, ".", "n") == "/c/config.toml"


def test_windows_without_appdata():
    path = config_path(CONFIG_HOSTS["vscode"], "user", "win32", {"USERPROFILE": "C:\\u"}, ".", "n")
    assert path == "C:\\u\\AppData\\Roaming\\Code\\User\\mcp.json"


@pytest.mark.parametrize("host, entry", [
    ("claude-desktop", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("claude-code", {"type": "stdio", "command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("vscode", {"type": "stdio", "command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("cursor", {"type": "stdio", "command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("zed", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("windsurf", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("continue", {"type": "stdio", "command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("gemini-cli", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("codex", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("kiro", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("copilot-cli", {"type": "local", "command": "c", "args": ["a"], "env": {"K": "v"}, "tools": ["*"]}),
    ("roo-code", {"command": "c", "args": ["a"], "env": {"K": "v"}}),
    ("opencode", {"type": "local", "command": ["c", "a"], "environment": {"K": "v"}}),
])
def test_entries(host, entry):
    assert CONFIG_HOSTS[host].build("c", ["a"], {"K": "v"}) == entry
    assert not {"env", "environment"} & set(CONFIG_HOSTS[host].build("c", [], {}))


def test_every_host_names_its_documentation():
    assert all(host.page.startswith("https://") for host in CONFIG_HOSTS.values())


# -- the command made absolute ----------------------------------------------------------------------------------------

@pytest.mark.skipif(os.name == "nt", reason="POSIX paths")
def test_program_from_path_and_files_become_absolute(tmp_path):
    program = tmp_path / "bin" / "tool"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "server.py").write_text("")
    (tmp_path / "data").mkdir()
    words = ["tool", "server.py", "data", ".", "./data", "-x", "missing.py", "--flag=server.py"]
    command, args = config_command.absolute_command(words, str(tmp_path), {"PATH": str(program.parent)})
    here = str(tmp_path)
    assert command == str(program)
    assert args == [here + "/server.py", "data", here, here + "/data", "-x", "missing.py", "--flag=server.py"]


def test_program_not_found_stays_and_is_noted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli_main(["config", "zed", "--json", "--", "no-such-program-here"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert out["entry"] == {"command": "no-such-program-here", "args": []}
    assert out["notes"] == ["no-such-program-here was not found on PATH; Zed may not find it either"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX paths")
def test_relative_program_is_kept_even_when_it_is_a_link(tmp_path):
    (tmp_path / "real").write_text("")
    os.symlink("real", str(tmp_path / "python"))
    assert config_command.absolute_command(["./python"], str(tmp_path), {})[0] == str(tmp_path / "python")


@pytest.mark.parametrize("words, name", [
    (["python3", "weather.py"], "weather"), (["/x/python3.11", "-m", "pkg.server", "x.py"], "pkg"), (["C.exe"], "C"),
    (["/opt/my tool.sh"], "my-tool"), (["uvx", "thing"], "uvx"), (["..."], "server"),
])
def test_name_from_the_command(words, name):
    assert config_command.server_name_from(words) == name


# -- JSON with comments -----------------------------------------------------------------------------------------------

def jsonc(text, name="new", entry=None, keys=("servers",)):
    return set_jsonc_entry(text, keys, name, ENTRY if entry is None else entry)


NEW_4 = '"new": {\n            "command": "/usr/bin/python3",\n            "args": ["/srv/server.py"]\n        }'


@pytest.mark.parametrize("before, after", [
    ("",
     '{\n  "servers": {\n    "new": {\n      "command": "/usr/bin/python3",\n      "args": ["/srv/server.py"]\n    }\n  }\n}\n'),
    ("{}",
     '{\n  "servers": {\n    "new": {\n      "command": "/usr/bin/python3",\n      "args": ["/srv/server.py"]\n    }\n  }\n}'),
    # comments and a trailing comma; four blanks
    ('// head\n{\n    // one\n    "a": 1, // two\n    "servers": {\n        "old": {"x": 1}, // three\n        /* four */\n    '
    '},\n}\n// end\n',
     '// head\n{\n    // one\n    "a": 1, // two\n    "servers": {\n        "old": {"x": 1}, // three\n        ' + NEW_4
     + ',\n        /* four */\n    },\n}\n// end\n'),
    # the last member has no comma, and a remark behind it
    ('{\n    "servers": {\n        "old": {"x": 1} // mine\n    }\n}\n',
     '{\n    "servers": {\n        "old": {"x": 1}, // mine\n        ' + NEW_4 + '\n    }\n}\n'),
    # an empty object with a remark inside
    ('{\n    "servers": {\n        // none yet\n    }\n}\n', '{\n    "servers": {\n        // none yet\n        ' + NEW_4
                                                                                 + '\n    }\n}\n'),
    # on one line
    ('{"servers": {"old": {}}}', '{"servers": {"old": {}, "new": {"command": "/usr/bin/python3", "args": ["/srv/server.py"]}}}'),
    ('{"servers": {"old": {},}}', '{"servers": {"old": {}, "new": {"command": "/usr/bin/python3", "args": ["/srv/server.py"]},}}'),
    # the key is missing
    ('{\n\t"a": [1,2]\n}\n',
     '{\n\t"a": [1,2],\n\t"servers": {\n\t\t"new": {\n\t\t\t"command": "/usr/bin/python3",\n\t\t\t"args": ["/srv/server.py"]\n'
     '\t\t}\n\t}\n}\n'),
    # a number that Python does not take
    ('{"a": %s}' % ("9" * 5000), '{"a": %s, "servers": {"new": {"command": "/usr/bin/python3", "args": ["/srv/server.py"]}}}'
     % ("9" * 5000)),
])
def test_jsonc_insertion(before, after):
    assert jsonc(before) == after


def test_jsonc_keeps_crlf():
    edited = jsonc('{\r\n  "servers": {\r\n    "old": {}\r\n  }\r\n}\r\n')
    assert edited.replace("\r\n", "").count("\n") == 0
    assert edited.startswith('{\r\n  "servers": {\r\n    "old": {},\r\n    "new": {\r\n')


def test_jsonc_replaces_in_place():
    before = '{\n  "servers": {\n    "new": {"command": "old"}, // keep\n    "z": 1\n  }\n}\n'
    assert jsonc(before) == ('{\n  "servers": {\n    "new": {\n      "command": "/usr/bin/python3",\n      "args": '
    '["/srv/server.py"]\n    }, '
                             '// keep\n    "z": 1\n  }\n}\n')


def test_jsonc_long_lists_get_lines():
    edited = jsonc("", entry={"command": "c", "args": ["x" * 50, "y" * 50]})
    assert '      "args": [\n        "%s",\n        "%s"\n      ]\n' % ("x" * 50, "y" * 50) in edited


@pytest.mark.parametrize("text, message", [
    ('{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected "," or "}"'),
    ('{\n  "a" 1}', 'line 2, column 7: expected ":" after the key'),
    ('{"a": }', "line 1, column 7: expected a value"),
    ('{"a": 01}', "line 1, column 7: expected a value"),
    ('{"a": "x\n"}', "line 1, column 7: this string has no end"),
    ('{"a": "\\x"}', "line 1, column 7: this string has an escape or a control character that JSON does not allow"),
    ('{"a": 1', 'line 1, column 8: expected "," or "}"'),
    ("{", 'line 1, column 2: the end, but "}" is missing'),
    ("{} x", "line 1, column 4: text after the end of the value"),
    ("{ /* x ", "line 1, column 3: this comment has no end"),
    ("{é: 1}", 'line 1, column 2: expected a key in double quotes or "}"'),
    ("[" * 100000, "nested too deeply"),
])
def test_jsonc_errors_name_the_place(text, message):
    with pytest.raises(ConfigSyntaxError) as caught:
        read_jsonc(text)
    assert str(caught.value) == message or str(caught.value).endswith(": " + message)


@pytest.mark.parametrize("text, message", [
    ("[]", "line 1, column 1: the file is not an object"),
    ('{\n "servers": []}', "line 2, column 13: servers is not an object"),
    ('{"servers": null}', "line 1, column 13: servers is not an object"),
    ('{"servers": {},\n "servers": {}}', "line 2, column 13: servers is there twice; keep one of them"),
    ('{"servers": {"new": {}, "new": {}}}', "line 1, column 32: new is there twice; keep one of them"),
])
def test_jsonc_refuses_other_shapes(text, message):
    with pytest.raises(ConfigSyntaxError) as caught:
        jsonc(text)
    assert str(caught.value) == message


def test_jsonc_any_layout_keeps_every_other_value():
    hypothesis = pytest.importorskip("hypothesis")
    strategies = hypothesis.strategies
    values = strategies.recursive(
        strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(max_size=8),
        lambda inner: strategies.lists(inner, max_size=3) | strategies.dictionaries(strategies.text(max_size=5), inner, max_size=3),
        max_leaves=12)
    documents = strategies.dictionaries(strategies.text(max_size=5) | strategies.just("servers"), values, max_size=4)

    @hypothesis.settings(max_examples=25, deadline=None)
    @hypothesis.given(documents, strategies.sampled_from([None, 1, 2, "\t"]), strategies.booleans())
    def holds(document, indent, crlf):
        if not isinstance(document.get("servers", {}), dict):
            document["servers"] = {}
        text = json.dumps(document, indent=indent, ensure_ascii=False)
        edited = jsonc(text.replace("\n", "\r\n") if crlf else text)
        expected = json.loads(json.dumps(document))
        expected.setdefault("servers", {})["new"] = ENTRY
        assert json.loads(edited) == expected
        assert jsonc(edited) == jsonc(jsonc(edited))

    holds()


# -- YAML -------------------------------------------------------------------------------------------------------------

ITEM = {"name": "new", "type": "stdio", "command": "/usr/bin/python3", "args": ["a", "--b"], "env": {"K": "1"}}
ITEM_TEXT = ('  - name: new\n    type: stdio\n    command: /usr/bin/python3\n    args:\n      - a\n      - "--b"\n'
             '    env:\n      K: "1"\n')


@pytest.mark.parametrize("before, after", [
    ("", "mcpServers:\n" + ITEM_TEXT),
    ("name: x # mine\nmodels:\n  - name: m\n", "name: x # mine\nmodels:\n  - name: m\n\nmcpServers:\n" + ITEM_TEXT),
    ("name: x\nmodels: []", "name: x\nmodels: []\n\nmcpServers:\n" + ITEM_TEXT),
    ("mcpServers: [] # none\nrules: []\n", "mcpServers: # none\n" + ITEM_TEXT + "rules: []\n"),
    ("mcpServers:\nrules: []\n", "mcpServers:\n" + ITEM_TEXT + "rules: []\n"),
    ("mcpServers:\n  # one\n  - name: old\n    command: c # why\n    args: []\n\n# rules\nrules:\n  - r\n",
     "mcpServers:\n  # one\n  - name: old\n    command: c # why\n    args: []\n" + ITEM_TEXT + "\n# rules\nrules:\n  - r\n"),
    ("mcpServers:\n- name: old\n  command: c\nrules:\n- r\n",
     "mcpServers:\n- name: old\n  command: c\n" + ITEM_TEXT.replace("\n  ", "\n")[2:] + "rules:\n- r\n"),
])
def test_yaml_insertion(before, after):
    assert set_yaml_item(before, "mcpServers", ITEM) == after


def test_yaml_replaces_the_item_of_that_name():
    before = "mcpServers:\n  - name: new\n    command: old\n\n  # next\n  - name: z\n    command: c\n"
    assert set_yaml_item(before, "mcpServers", ITEM) == "mcpServers:\n" + ITEM_TEXT + "\n  # next\n  - name: z\n    command: c\n"


def test_yaml_keeps_crlf():
    edited = set_yaml_item("name: x\r\n", "mcpServers", ITEM)
    assert edited == ("name: x\n\nmcpServers:\n" + ITEM_TEXT).replace("\n", "\r\n")


def test_yaml_agrees_with_a_yaml_reader():
    yaml = pytest.importorskip("yaml")
    strange = {"name": "n", "command": "C:\\x y\\p.exe", "args": ["yes", "1", "", "a: b", "#", "é", "null", "- x", "'", "a\tb"],
               "env": {"K-1": "on", "Y": "{}"}}
    assert yaml.safe_load(set_yaml_item("a: 1\n", "mcpServers", strange)) == {"a": 1, "mcpServers": [strange]}


@pytest.mark.parametrize("text, message", [
    ("name: x\nmcpServers: [{name: a}]\n", "line 2, column 13: mcpServers is not a list in block style; add the entry by hand"),
    ("mcpServers:\n  a: 1\n", "line 2, column 3: mcpServers is not a list; add the entry by hand"),
    ("mcpServers:\n\t- name: a\n", "line 2, column 1: a tab; YAML indents with blanks"),
    ("a: 1\n---\nb: 2\n", "line 2, column 1: a second document begins here; add the entry by hand"),
    ("{a: 1}\n", 'line 1, column 1: expected a "key:" here'),
    ("a: 1\nwhat is this\n", 'line 2, column 1: expected a "key:" here'),
    ("mcpServers: []\nmcpServers: []\n", "line 2, column 1: mcpServers is there twice"),
    ("- a\n", 'line 1, column 1: the file is a list; expected a "key:" here'),
    ("a: [1, 2\nb: 3\n", "line 1, column 4: this bracket is not closed"),
    ("a:\n  - b: {c: 1\n  - d\n", "line 2, column 8: this bracket is not closed"),
    ('a: 1\nb: "x\nc: 3\n', "line 2, column 4: this text is not closed"),
    ("a: 'it''s\n", "line 1, column 4: this text is not closed"),
])
def test_yaml_errors_name_the_place(text, message):
    with pytest.raises(ConfigSyntaxError) as caught:
        read_yaml_list(text, "mcpServers")
    assert str(caught.value) == message


@pytest.mark.parametrize("before", [
    "a: [1,\n  2] # x\n", "a:\n  b: [\n    1,\n  ]\n", "a: {b: [1, '}'], c: \"]\"}\n", 'a: "x\n  y"\n', "a: 'it''s' # [\n", "a: |\n  \"x\n  [\n",
    "a: >-\n  it's [\n", "a: it's [ok\n", '"a b": [1] # {\n', "a:\n  - 'x'\n  - [1]\n  - |\n    \"\n"])
def test_yaml_that_is_closed_is_taken(before):
    assert set_yaml_item(before, "mcpServers", ITEM) == before + "\nmcpServers:\n" + ITEM_TEXT


def test_yaml_items_with_remarks_are_understood():
    items = read_yaml_list("mcpServers:\n  - name: a # x\n    command: \"c # d\" # y\n    args:\n      - 'e' # z\n      - f#g\n", "mcpServers").items
    assert [value for _, _, value in items] == [{"name": "a", "command": "c # d", "args": ["e", "f#g"]}]


# -- TOML -------------------------------------------------------------------------------------------------------------

TABLE = '[mcp_servers.new]\ncommand = "/usr/bin/python3"\nargs = ["/srv/server.py"]\n'


def toml(text, entry=None):
    return set_toml_table(text, "mcp_servers", "new", ENTRY if entry is None else entry)


def test_toml_new_file():
    assert toml("") == TABLE


@needs_tomllib
def test_toml_is_appended():
    before = '# mine\nmodel = "m"  # x\n\n[mcp_servers.old]\ncommand = "c"\n\n\n'
    assert toml(before) == '# mine\nmodel = "m"  # x\n\n[mcp_servers.old]\ncommand = "c"\n\n' + TABLE


@needs_tomllib
def test_toml_table_is_replaced_with_its_own_tables():
    before = '[mcp_servers.new]\ncommand = "old"\n[mcp_servers.new.env]\nK = "v"\n\n[other] # stays\nx = 1\n'
    assert toml(before) == TABLE + '\n[other] # stays\nx = 1\n'


@needs_tomllib
@pytest.mark.parametrize("text, message", [
    ("a = \n", "line 1, column 5: Invalid value"),
    ("a = 1\nmcp_servers = []\n", "line 2, column 1: mcp_servers is not a table"),
    ("a = 1\n\n[[mcp_servers]]\nb = 1\n", "line 3, column 1: mcp_servers is not a table"),
    ('mcp_servers = "x"\n', "line 1, column 1: mcp_servers is not a table"),
    ('a = 1\nmcp_servers = { old = { command = "c" } }\n',
     "line 2, column 1: mcp_servers stands so that the entry cannot be put in without changing more; add it by hand"),
    ('mcp_servers = { new = { command = "c" } }\n',
     "line 1, column 1: mcp_servers.new is there, but not as a table of its own; change it by hand"),
])
def test_toml_refusals(text, message):
    with pytest.raises(ConfigSyntaxError) as caught:
        toml(text)
    assert str(caught.value) == message


@pytest.mark.skipif(sys.version_info >= (3, 11), reason="for Pythons without tomllib")
def test_toml_without_a_reader():
    with pytest.raises(ConfigSyntaxError) as caught:
        toml("a = 1\n")
    assert str(caught.value) == "reading an existing TOML file takes Python 3.11 or newer; add the entry by hand"


# -- the command ------------------------------------------------------------------------------------------------------

@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "settings.json"


def config(*words, file=None, host="zed", server=("/bin/tool", "x")):
    return cli_main(["config", host, *(["--file", str(file)] if file else []), *words, "--", *server])


def test_prints_entry_and_place(place, capsys):
    assert config("--name", "n", "--env", "A=1=2", file=place) == 0
    assert capsys.readouterr().out == (
        "Zed, %s:\n\n"
        '{\n  "context_servers": {\n    "n": {\n      "command": "/bin/tool",\n      "args": ["x"],\n      "env": {\n        '
        '"A": "1=2"\n'
        "      }\n    }\n  }\n}\n\nTo write it there: the same command with --write. Then: Zed starts the server by itself.\n"
         % place)
    assert not place.exists()


def test_writes_a_new_file_for_its_owner_only(place, capsys):
    assert config("--write", file=place) == 0
    assert capsys.readouterr().out == "%s: tool added. Then: Zed starts the server by itself.\n" % place
    assert json.loads(place.read_text()) == {"context_servers": {"tool": {"command": "/bin/tool", "args": ["x"]}}}
    assert os.name == "nt" or stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [entry.name for entry in place.parent.iterdir()] == ["settings.json"]


def test_writing_twice_changes_nothing(place, capsys):
    config("--write", file=place)
    before = place.stat().st_mtime_ns
    capsys.readouterr()
    assert config("--write", file=place) == 0
    assert capsys.readouterr().out == "%s: tool is there already; nothing was changed\n" % place
    assert place.stat().st_mtime_ns == before


def test_keeps_backup_mode_bom_and_everything_else(place, capsys):
    old = b'\xef\xbb\xbf{\r\n  // mine\r\n  "theme": "dark"\r\n}\r\n'
    place.write_bytes(old)
    place.chmod(0o640)
    assert config("--write", file=place) == 0
    assert capsys.readouterr().out == "%s: tool added; before: %s.bak. Then: Zed starts the server by itself.\n" % (place, place)
    new = place.read_bytes()
    assert new.startswith(b'\xef\xbb\xbf{\r\n  // mine\r\n  "theme": "dark",\r\n  "context_servers": {\r\n')
    assert (place.parent / "settings.json.bak").read_bytes() == old
    assert os.name == "nt" or [stat.S_IMODE(os.stat(str(path)).st_mode) for path in (place, str(place) + ".bak")] == [0o640, 0o640]


def test_second_backup_has_its_own_name(place):
    place.write_text("{}")
    config("--write", file=place)
    config("--write", "--name", "b", file=place)
    assert sorted(entry.name for entry in place.parent.iterdir()) == ["settings.json", "settings.json.bak", "settings.json.bak1"]
    assert (place.parent / "settings.json.bak").read_text() == "{}"


@pytest.mark.skipif(os.name == "nt", reason="symbolic links")
def test_follows_a_symbolic_link(place):
    real = place.parent / "dotfiles" / "zed.json"
    real.parent.mkdir()
    real.write_text("{}")
    os.symlink(str(real), str(place))
    assert config("--write", file=place) == 0
    assert os.path.islink(str(place)) and "tool" in real.read_text()
    assert (real.parent / "zed.json.bak").read_text() == "{}"


def test_different_entry_needs_force(place, capsys):
    config("--write", file=place)
    text = place.read_text()
    capsys.readouterr()
    assert config("--write", file=place, server=("/bin/tool", "y")) == 1
    assert capsys.readouterr().err == ('mcplite: config: %s has a different entry "tool": --force replaces it, --name chooses '
    'another name; '
                                       "the file was left alone\n" % place)
    assert place.read_text() == text
    assert config("--write", "--force", file=place, server=("/bin/tool", "y")) == 0
    assert json.loads(place.read_text())["context_servers"]["tool"]["args"] == ["y"]


def test_force_keeps_settings_that_are_not_ours(place):
    place.write_text('{"context_servers": {"tool": {"command": "old", "env": {"A": "1"}, "disabled": true}}}')
    assert config("--write", "--force", file=place) == 0
    assert json.loads(place.read_text())["context_servers"]["tool"] == {"command": "/bin/tool", "args": ["x"], "disabled": True}


def test_more_settings_in_the_same_entry_are_no_difference(place):
    place.write_text('{"context_servers": {"tool": {"command": "/bin/tool", "args": ["x"], "env": {}, "disabled": true}}}')
    before = place.read_text()
    assert config("--write", file=place) == 0
    assert place.read_text() == before


@pytest.mark.parametrize("data, message", [
    (b'{\n  "a": tru\n}', "line 2, column 8: expected a value"),
    (b'{\n "a": "\xe9\xff"}', "line 2, column 8: not UTF-8 (byte E9); save it as UTF-8"),
    ("{}".encode("utf-16-le"), "line 1, column 1: the file is UTF-16; save it as UTF-8"),
    (b'{\n  "a": "\0"}', "line 2, column 9: a NUL character, which no text has; the file may be damaged"),
    ("{}".encode("utf-16"), "line 1, column 1: the file is UTF-16; save it as UTF-8"),
])
def test_refuses_what_it_cannot_read(place, capsys, data, message):
    place.write_bytes(data)
    assert config("--write", file=place) == 1
    assert capsys.readouterr().err == ("mcplite: config: %s: %s; the file was left alone; correct it there and try again\n"
                                       % (place, message))
    assert place.read_bytes() == data
    assert [entry.name for entry in place.parent.iterdir()] == ["settings.json"]


BROKEN = {
    "json": [b'{"%s": {"a": {"command": "x"', b'{"%s": []}', b'{"%s": "x"}', b"[]", b'{"%s": {}, "%s": {}}', b"{'%s': {}}", b"// none yet\n"],
    "yaml": [b'%s:\n  - name: "a\nb: 1\n', b"%s:\n  a: 1\n", b"%s: x\n", b"- a\n", b"%s: []\n%s: []\n", b"{a: 1}\n",
             b"%s:\n  - name: tool\n  - name: tool\n"],
    "toml": [b'[%s.a]\ncommand = "x', b"%s = []\n", b'%s = "x"\n', b"[[%s]]\n", b"%s = 1\n%s = 2\n"],
}
OF_EVERY_FORMAT = [b"\xff\xfea\0", b"a\0", b"# \xff\n", b"# a\0\n"]


@pytest.mark.parametrize("host", CONFIG_HOSTS)
def test_a_broken_file_stays_as_it_is(host, place, capsys):
    """For every host: the file, line and column are named, no byte is changed, nothing is left beside it."""
    if CONFIG_HOSTS[host].file_format == "toml" and sys.version_info < (3, 11):
        pytest.skip("existing TOML files are edited with Python 3.11 or newer")
    key = CONFIG_HOSTS[host].keys[0].encode()
    for text in BROKEN[CONFIG_HOSTS[host].file_format.replace("jsonc", "json")] + OF_EVERY_FORMAT:
        data = text.replace(b"%s", key)
        place.write_bytes(data)
        assert config("--write", "--force", file=place, host=host) == 1, data
        assert re.match(r"mcplite: config: %s: line \d+, column \d+: .*; the file was left alone" % re.escape(str(place)),
                        capsys.readouterr().err), data
        assert place.read_bytes() == data
        assert [entry.name for entry in place.parent.iterdir()] == ["settings.json"]


REMARKS = {
    "jsonc": (b'// a\n{ /* b */\n\t"%s": { // c\n\t\t"old": {"command": "x",}, // d\n', b"\t\t/* e */\n\t}, // f\n}\n// g"),
    "yaml": (b"# a\nname: x # b\n%s: # c\n  # d\n  - name: old # e\n    command: c\n", b"\n# f\nrules: 1\n# g"),
    "toml": (b'# a\nb = 1 # c\n\n[%s.old] # d\ncommand = "c" # e\n# f\n[z]\ny = 1 # g\n# h\n\n', b""),
}


PLAIN_HOSTS = [name for name, host in CONFIG_HOSTS.items() if host.file_format == "json"]


@pytest.mark.parametrize("text, message", [
    ('{\n  // mine\n  "a": 1\n}\n', "line 2, column 3: a comment"), ('{"a": 1} /* end */', "line 1, column 10: a comment"),
    ('{"a": [1, 2,],\n "b": 1}', "line 1, column 13: a comma before this bracket"), ('{\n  "a": 1,\n}\n', "line 3, column 1: a comma before this bracket")])
@pytest.mark.parametrize("host", PLAIN_HOSTS)
def test_comments_where_a_host_reads_plain_json_are_told_and_nothing_is_written(host, text, message, place, capsys):
    place.write_text(text)
    assert config("--write", "--force", file=place, host=host) == 1
    assert capsys.readouterr().err == (
        "mcplite: config: %s: %s, which this host's plain JSON does not have; the file was left alone; correct it there and try again\n"
        % (place, message))
    assert place.read_text() == text and [entry.name for entry in place.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("host", [name for name in CONFIG_HOSTS if name not in PLAIN_HOSTS])
def test_remarks_and_everything_else_stay_byte_for_byte(host, crlf, place):
    if CONFIG_HOSTS[host].file_format == "toml" and sys.version_info < (3, 11):
        pytest.skip("existing TOML files are edited with Python 3.11 or newer")
    head, tail = (text.replace(b"%s", CONFIG_HOSTS[host].keys[0].encode()).replace(b"\n", b"\r\n" if crlf else b"\n")
                  for text in REMARKS[CONFIG_HOSTS[host].file_format])
    place.write_bytes(head + tail)
    place.chmod(0o644)
    assert config("--write", file=place, host=host) == 0
    new = place.read_bytes()
    assert new.startswith(head) and new.endswith(tail) and len(new) > len(head + tail)
    assert not crlf or new.count(b"\n") == new.count(b"\r\n")
    assert os.name == "nt" or stat.S_IMODE(place.stat().st_mode) == 0o644
    assert (place.parent / "settings.json.bak").read_bytes() == head + tail


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_a_write_protected_file_is_left_alone(place, capsys):
    place.write_text("{}")
    place.chmod(0o444)
    assert config("--write", file=place) == 1
    assert capsys.readouterr().err == "mcplite: config: %s is write-protected; the file was left alone\n" % place
    assert place.read_text() == "{}"
    assert [entry.name for entry in place.parent.iterdir()] == ["settings.json"]


def test_a_folder_is_no_file(place, capsys):
    place.mkdir()
    assert config("--write", file=place) == 1
    assert capsys.readouterr().err == "mcplite: config: %s is not a file; name one with --file\n" % place


@pytest.mark.skipif(os.name == "nt", reason="named pipes")
def test_a_pipe_is_not_waited_for(place, capsys):
    os.mkfifo(str(place))
    assert config("--write", file=place) == 1
    assert capsys.readouterr().err == "mcplite: config: %s is not a file; name one with --file\n" % place


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser reads everything")
def test_a_file_that_cannot_be_read_is_named(place, capsys):
    place.write_text("{}")
    place.chmod(0)
    assert config("--write", file=place) == 1
    assert capsys.readouterr().err == "mcplite: config: %s: Permission denied; the file was left alone\n" % place


def test_an_entry_that_is_null_needs_force(place, capsys):
    place.write_text('{"context_servers": {"tool": null}}')
    assert config("--write", file=place) == 1
    assert place.read_text() == '{"context_servers": {"tool": null}}'
    assert config("--write", "--force", file=place) == 0
    assert json.loads(place.read_text()) == {"context_servers": {"tool": {"command": "/bin/tool", "args": ["x"]}}}


def test_file_that_changes_meanwhile_is_left_alone(place, capsys, monkeypatch):
    place.write_text("{}")
    keep = config_files.keep_backup

    def slow_backup(path, data):
        result = keep(path, data)
        place.write_text('{"theirs": 1}')
        return result
    monkeypatch.setattr(config_files, "keep_backup", slow_backup)
    assert config("--write", file=place) == 1
    assert capsys.readouterr().err == ("mcplite: config: %s changed while it was being read; try again; the file was left "
    "alone\n" % place)
    assert place.read_text() == '{"theirs": 1}'
    assert [entry.name for entry in place.parent.iterdir()] == ["settings.json"]


def test_continue_project_file_has_a_head(place):
    assert config("--write", "--project", host="continue") == 0
    path = place.parent / ".continue" / "mcpServers" / "tool.yaml"
    assert path.read_text() == ("name: tool\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: tool\n    type: stdio\n"
                                "    command: /bin/tool\n    args:\n      - x\n")


def test_continue_twice_changes_nothing(place, capsys):
    yaml = place.parent / "config.yaml"
    config("--write", file=yaml, host="continue", server=("/bin/tool",))
    text = yaml.read_text()
    capsys.readouterr()
    assert config("--write", file=yaml, host="continue", server=("/bin/tool",)) == 0
    assert capsys.readouterr().out == "%s: tool is there already; nothing was changed\n" % yaml
    assert yaml.read_text() == text


@needs_tomllib
def test_codex_twice_changes_nothing(place, capsys):
    path = place.parent / "config.toml"
    config("--write", "--env", "A=b", file=path, host="codex")
    capsys.readouterr()
    assert config("--write", "--env", "A=b", file=path, host="codex") == 0
    assert capsys.readouterr().out == "%s: tool is there already; nothing was changed\n" % path


def test_project_only_host_needs_no_option(place, capsys):
    assert config("--write", host="roo-code") == 0
    assert json.loads((place.parent / ".roo" / "mcp.json").read_text()) == {"mcpServers": {"tool": {"command": "/bin/tool",
                                                                                                    "args": ["x"]}}}


@pytest.mark.parametrize("words, message", [
    (["config"], "which host? mcplite config --list shows them"),
    (["config", "vscod", "--", "x"], 'no host "vscod"; did you mean "vscode"? mcplite config --list shows them'),
    (["config", "zed"], 'no server: put its command line after "--", as in: mcplite config zed -- python server.py'),
    (["config", "zed", "--env", "A", "--", "x"], "--env takes NAME=VALUE, not 'A'"),
    (["config", "zed", "--project", "--", "x"], "Zed has no documented file for a project: use --user, or name one with --file"),
    (["config", "zed", "--name", "a b", "--", "x"],
     "the name 'a b' is not good for every host: use letters, digits, - and _, at most 64 (--name)"),
])
def test_called_wrongly(words, message, capsys):
    assert cli_main(words) == 2
    assert capsys.readouterr() == ("", "mcplite: config: " + message + "\n")


@pytest.mark.parametrize("host, words, note", [
    ("claude-code", [],
     "Claude Code rewrites this file while it runs: close it first, or let it do the work: claude mcp add --scope user"),
    ("vscode", ["--project", "--env", "K=v"], "the file of a project is usually shared: keep secrets out of --env"),
    ("vscode", ["--env", "K=${HOME}"], "VS Code replaces ${...} in what it reads here"),
])
def test_notes(host, words, note, place, capsys):
    assert config(*words, host=host) == 0
    assert capsys.readouterr().err == "mcplite: config: note: %s\n" % note


def test_list(capsys):
    assert cli_main(["config", "--list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["host"] for row in rows] == list(CONFIG_HOSTS)
    assert all(row["documentation"].startswith("https://") and (row["user"] or row["project"]) for row in rows)
    assert cli_main(["config", "--list"]) == 0
    out = capsys.readouterr().out
    assert "roo-code        Roo Code (json)\n    project: " in out
