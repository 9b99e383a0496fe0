"""Scratch environments for the interop tests: one directory per peer, outside the repository.

What lives here: the list of peers with their pinned version ranges, how each is installed, and where its
interpreter or program is found afterwards. What must not: anything a peer does (drivers) or should do (tests).

    python tests/interop/environments.py            # install what is missing, say what was done
    python tests/interop/environments.py --list     # say what is there, install nothing
    python tests/interop/environments.py py2 ts1    # only these

The place is $MCPLITE_INTEROP, or `mcplite-interop` in the temporary directory. Running it twice is harmless: an
environment whose stamp names the same packages is left alone. A peer that cannot be installed (no network, no node)
is reported and the others go on; its tests then skip and print the reason. The exit status is 0 only when all are
there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile

# One row a peer: how it is installed, its packages with their pinned ranges, and the program that runs it
# (None: the interpreter; a name: an entry of bin/ or node_modules/.bin/).
PEERS = {
    # Clients, and the programs the drivers run in.
    "py1": ("pip", ["mcp>=1.30,<2"], None),
    "py2": ("pip", ["mcp>=2.3,<3"], None),
    "fastmcp": ("pip", ["fastmcp>=4.2,<5"], None),
    "ts1": ("npm", ["@modelcontextprotocol/sdk@^1.32.2"], None),
    "ts2": ("npm", ["@modelcontextprotocol/client@^2.4.0"], None),
    "inspector": ("npm", ["@modelcontextprotocol/inspector@^2.12.0"], "mcp-inspector"),
    # Servers that nobody here wrote.
    "server-everything": ("npm", ["@modelcontextprotocol/server-everything"], "mcp-server-everything"),
    "server-filesystem": ("npm", ["@modelcontextprotocol/server-filesystem"], "mcp-server-filesystem"),
    "server-memory": ("npm", ["@modelcontextprotocol/server-memory"], "mcp-server-memory"),
    "server-sequential-thinking": (
        "npm", ["@modelcontextprotocol/server-sequential-thinking"], "mcp-server-sequential-thinking"),
    "server-time": ("pip", ["mcp-server-time", "mcp<2"], "mcp-server-time"),
    "server-git": ("pip", ["mcp-server-git", "mcp<2"], "mcp-server-git"),
    # Gateways that put a stdio server on HTTP (docs/gateway.md).
    "mcp-proxy": ("pip", ["mcp-proxy>=0.13,<1"], "mcp-proxy"),
    "supergateway": ("npm", ["supergateway@^4.0.0"], "supergateway"),
    # The official conformance suite, and the node that it needs (tests/conformance).
    "conformance": ("npm", ["@modelcontextprotocol/conformance@0.2.0-alpha.12", "node@^22"], "conformance"),
    # The official tool for one-click bundles.
    "mcpb": ("npm", ["@anthropic-ai/mcpb"], "mcpb"),
}

OLDEST_PYTHON = (3, 10)  # what the official SDKs need


def interop_root():
    """The directory that holds all scratch environments."""
    return os.environ.get("MCPLITE_INTEROP") or os.path.join(tempfile.gettempdir(), "mcplite-interop")


def home(peer):
    """The directory of one peer's environment."""
    return os.path.join(interop_root(), peer)


def scripts(peer):
    """The directory of a Python environment's programs."""
    return os.path.join(home(peer), "Scripts" if os.name == "nt" else "bin")


def program(peer):
    """The path that runs a peer: its Python or node, or its own program; None where that is not to be found."""
    how, _, name = PEERS[peer]
    if name is None:
        return shutil.which("python", path=scripts(peer)) if how == "pip" else shutil.which("node")
    folder = scripts(peer) if how == "pip" else os.path.join(home(peer), "node_modules", ".bin")
    return shutil.which(name, path=folder)


def missing(peer):
    """Why a peer cannot be used, in one line; None when it can."""
    if not os.path.isfile(os.path.join(home(peer), "installed.json")):
        return "%s is not installed in %s: run python tests/interop/environments.py %s" % (peer, home(peer), peer)
    if program(peer) is None:
        return "%s is installed in %s, but its program is not found" % (peer, home(peer))
    return None


def versions(peer):
    """{package: version} of what an environment holds; {} when it is not there."""
    try:
        with open(os.path.join(home(peer), "installed.json"), encoding="utf-8") as file:
            return json.load(file)["versions"]
    except OSError:
        return {}


def quiet_environment():
    """This process's environment without what would reach into a peer: PYTHON and NODE settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NODE_"))}


def new_enough_python():
    """A Python that the official SDKs support: this one, or the newest on the PATH; None when there is none."""
    names = ["python3.%d" % minor for minor in range(14, OLDEST_PYTHON[1] - 1, -1)]
    candidates = [sys.executable] + [shutil.which(name) for name in names]
    for candidate in filter(None, candidates):
        script = "import sys; sys.exit(sys.version_info[:2] < %r)" % (OLDEST_PYTHON,)
        if subprocess.call([candidate, "-c", script], stderr=subprocess.DEVNULL) == 0:
            return candidate
    return None


def run(command, cwd=None):
    """Run one installing command; its output is shown only when it fails."""
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        tail = done.stdout.decode("utf-8", "replace").strip().splitlines()[-5:]
        raise RuntimeError("%s exited with %d: %s" % (" ".join(command[:4]), done.returncode, " / ".join(tail)))
    return done.stdout.decode("utf-8", "replace")


def install_pip(peer, packages):
    """A virtual environment with these packages; gives back {package: version}."""
    python = new_enough_python()
    if python is None:
        raise RuntimeError("no Python %d.%d or newer found" % OLDEST_PYTHON)
    run([python, "-m", "venv", home(peer)])
    own = shutil.which("python", path=scripts(peer))
    run([own, "-m", "pip", "install", "-q", "--disable-pip-version-check"] + packages)
    listed = json.loads(run([own, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]))
    return {row["name"]: row["version"] for row in listed if row["name"].startswith(("mcp", "fastmcp"))}


def install_npm(peer, packages):
    """A directory with these packages in node_modules; gives back {package: version}."""
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError("npm is not on the PATH")
    os.makedirs(home(peer), exist_ok=True)
    with open(os.path.join(home(peer), "package.json"), "w", encoding="utf-8") as file:
        json.dump({"name": "mcplite-interop", "private": True, "type": "module"}, file)
    run([npm, "install", "--no-audit", "--no-fund", "--loglevel=error"] + packages, cwd=home(peer))
    listed = json.loads(run([npm, "ls", "--json", "--depth=0"], cwd=home(peer)))
    return {name: row["version"] for name, row in listed["dependencies"].items()}


def ensure(peer):
    """Install one peer unless it is there already; gives back one line about what was done."""
    how, packages, _ = PEERS[peer]
    stamp = os.path.join(home(peer), "installed.json")
    wanted = {"packages": packages, "python": OLDEST_PYTHON[1]}
    if missing(peer) is None:
        with open(stamp, encoding="utf-8") as file:
            found = json.load(file)
        if found["wanted"] == wanted:
            return "there already"
    if os.path.isdir(home(peer)):  # half an installation, or one of other versions
        shutil.rmtree(home(peer))
    got = (install_pip if how == "pip" else install_npm)(peer, packages)
    with open(stamp, "w", encoding="utf-8") as file:
        json.dump({"wanted": wanted, "versions": got}, file)
    if program(peer) is None:
        raise RuntimeError("installed, but its program %r is not found" % (PEERS[peer][2] or how))
    return "installed"


def main(arguments):
    """The command line; gives back the exit status."""
    listing = "--list" in arguments
    chosen = [name for name in arguments if name != "--list"] or list(PEERS)
    unknown = [name for name in chosen if name not in PEERS]
    if unknown:
        print("unknown peer %s: known are %s" % (", ".join(unknown), ", ".join(PEERS)), file=sys.stderr)
        return 2
    print("environments in %s" % interop_root(), flush=True)
    failures = 0
    for peer in chosen:
        try:
            done = (missing(peer) or "there") if listing else ensure(peer)
        except (RuntimeError, OSError, ValueError) as problem:
            failures += 1
            done = "NOT INSTALLED: %s" % problem
        found = ", ".join("%s %s" % pair for pair in sorted(versions(peer).items()))
        print("%-27s %s%s" % (peer, done, " (%s)" % found if found else ""), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
