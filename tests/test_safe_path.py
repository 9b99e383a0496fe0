"""safe_path: what a client names stays inside one directory."""
import os
import pathlib

import pytest

from mcplite import PathError, safe_path


@pytest.fixture
def root(tmp_path):
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("a")
    (tmp_path / "in2").mkdir()
    (tmp_path / "key").write_text("secret")
    os.symlink(str(tmp_path / "key"), str(tmp_path / "in" / "link"))
    os.symlink("..", str(tmp_path / "in" / "up"))
    os.symlink("a.txt", str(tmp_path / "in" / "near"))
    os.symlink("loop", str(tmp_path / "in" / "loop"))
    return tmp_path / "in"


@pytest.mark.parametrize("parts, found", [
    (["a.txt"], "a.txt"), (["sub/new.txt"], "sub/new.txt"), (["sub", "new.txt"], "sub/new.txt"), (["sub/../a.txt"], "a.txt"), (["./a.txt"], "a.txt"),
    (["near"], "a.txt"), ([""], ""), ([], ""), (["..a"], "..a"), (["a..b"], "a..b"), ([pathlib.Path("sub", "x")], "sub/x"), (["nope/../a.txt"], "a.txt")])
def test_what_stays_inside(root, parts, found):
    assert safe_path(root, *parts) == safe_path(str(root), *parts) == os.path.join(os.path.realpath(str(root)), *found.split("/")).rstrip(os.sep)


@pytest.mark.parametrize("parts", [
    ["../key"], [".."], ["sub/../../key"], ["../in2"], ["../in2/x"], ["nope/../../key"], ["/etc/passwd"], ["//host/share"], ["", "/etc/passwd"], ["sub", "/etc/passwd"], ["sub", "..", "..", "key"],
    ["..\\key"], ["sub\\..\\..\\key"], ["\\\\host\\share"], ["C:/key"], ["C:key"], ["sub/C:key"], ["c:\\key"], ["a.txt\0.png"], ["link"], ["up/key"], ["up/up"], ["/"]], ids=repr)
def test_what_leads_out(root, parts):
    with pytest.raises(PathError):
        safe_path(root, *parts)


def test_a_loop_of_links_opens_nothing(root):
    with pytest.raises((PathError, OSError)):
        open(safe_path(root, "loop"))


def test_the_text_names_what_came_and_not_where(root):
    with pytest.raises(ValueError) as caught:
        safe_path(root, "../key")
    assert str(caught.value) == "the path '../key' leads out of its directory"


@pytest.mark.parametrize("path", [None, 5, ["a"]])
def test_what_is_no_path(root, path):
    with pytest.raises(TypeError):
        safe_path(root, path)


def test_the_file_system_as_root():
    assert safe_path("/", "etc") == os.path.realpath("/etc")
