"""examples/sqlite_server.py from outside: a process, plain JSON lines, both directions judged by tests/official.py."""
from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import pytest
from harness import HANDSHAKE_DATES, PING, PONG, REPO, SOURCE, ServerProcess, call, environment, modern, request

from mcplite import Client
from mcplite.cli.main import cli_main

EXAMPLE = os.path.join(REPO, "examples", "sqlite_server.py")
SEED = """
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', photo BLOB, weight REAL);
CREATE TABLE books (id INTEGER PRIMARY KEY, author INTEGER REFERENCES authors(id), title TEXT);
CREATE UNIQUE INDEX titles ON books (author, title);
CREATE VIEW titled AS SELECT name, title FROM authors JOIN books ON author = authors.id;
CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE "odd ""name/?#%" (x);
INSERT INTO authors VALUES (1, 'Ada', x'0001feff', 9e999), (2, 'Bob', NULL, -9e999), (3, 'Cy', zeroblob(5000), 1.5);
"""
# Long enough for any machine: 10 to the 15th rows
ENDLESS = "SELECT count(*) FROM books a, books b, books c, books d, books e WHERE a.id + b.id + c.id + d.id + e.id = 0"
READ_ONLY = "This server only reads: attempt to write a readonly database."


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("seeded") / "library.db")
    with sqlite3.connect(path) as database:
        database.executescript(SEED)
        database.executemany("INSERT INTO books (author, title) VALUES (?, ?)",
                             [(1 + number % 3, "Book %d" % number) for number in range(1000)])
    database.close()
    return path


@pytest.fixture
def path(seeded, tmp_path):
    return shutil.copy(seeded, str(tmp_path / "library.db"))


@pytest.fixture
def library(path):
    with ServerProcess(EXAMPLE, path) as server:
        server.start()
        yield server


def tool(server, name, **arguments):
    """The structured content of a call that must succeed."""
    result = server.ask(call(name, arguments))["result"]
    assert not result.get("isError"), result
    return result["structuredContent"]


def rows(server, sql, **arguments):
    return tool(server, "query", sql=sql, **arguments)["rows"]


def refusal(server, sql, **arguments):
    """The text of a query that must fail."""
    result = server.ask(call("query", dict(arguments, sql=sql)))["result"]
    assert result.get("isError"), result
    return result["content"][0]["text"]


def read(server, uri):
    [contents] = server.ask(request("resources/read", {"uri": uri}))["result"]["contents"]
    return contents


def complete(server, ref, name, value, **filled):
    params = {"ref": ref, "argument": {"name": name, "value": value}}
    if filled:
        params["context"] = {"arguments": filled}
    return server.ask(request("completion/complete", params))["result"]["completion"]["values"]


# The start


@pytest.mark.parametrize("words, text", [
    (["{folder}/none.db"], "sqlite_server.py: {folder}/none.db does not exist"),
    (["{folder}/text.db"], "sqlite_server.py: {folder}/text.db: file is not a database"),
    (["{folder}"], "sqlite_server.py: {folder} is no file"),
    ([], "sqlite_server.py: usage: python sqlite_server.py file.db [--max-rows N] [--seconds N]"),
    (["a", "b"], "sqlite_server.py: usage: python sqlite_server.py file.db [--max-rows N] [--seconds N]"),
    (["a", "--max-rows"], "sqlite_server.py: --max-rows needs a number"),
    (["a", "--max-rows", "many"], "sqlite_server.py: --max-rows needs a number"),
    (["a", "--seconds", "0"], "sqlite_server.py: --seconds must be above 0"),
    (["a", "--seconds", "nan"], "sqlite_server.py: --seconds must be above 0"),
    (["--wal", "a"], "sqlite_server.py: unknown option --wal; usage: python sqlite_server.py file.db [--max-rows N] [--seconds N]"),
])
def test_a_wrong_start_is_one_line_and_status_2(tmp_path, words, text):
    (tmp_path / "text.db").write_text("This is a text, and it is longer than the header of a database would be." * 20)
    words = [word.replace("{folder}", str(tmp_path)) for word in words]
    done = subprocess.run([sys.executable, EXAMPLE, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(), timeout=30)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == text.replace("{folder}", str(tmp_path)) + "\n"
    assert sorted(os.listdir(str(tmp_path))) == ["text.db"]     # and no file was made


def test_a_file_name_may_hold_what_a_uri_may_not(path, tmp_path):
    odd = str(tmp_path / "a?mode=rwc#b%20ä.db")
    shutil.copy(path, odd)
    with ServerProcess(EXAMPLE, odd) as server:
        server.start()
        assert rows(server, "SELECT count(*) FROM books") == [[1000]]
        assert server.close() == 0
        assert server.stderr == ""


def test_it_is_written_for_python_3_8_and_imports_public_names():
    with open(EXAMPLE, encoding="utf-8") as file:
        tree = ast.parse(file.read(), feature_version=(3, 8))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "mcplite"
             for alias in node.names}
    assert names == {"Context", "McpError", "Server", "ToolError", "resource_link", "tool_result"}


# Every revision


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_every_revision(path, revision):
    with ServerProcess(EXAMPLE, path) as server:
        server.start(revision)
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            assert server.ask(request(method))["result"]
        result = server.ask(call("query", {"sql": "SELECT id, name FROM authors ORDER BY id LIMIT 1"}))["result"]
        assert json.loads(result["content"][0]["text"]) == {"columns": ["id", "name"], "rows": [[1, "Ada"]]}
        assert ("structuredContent" in result) == (revision >= "2025-06-18")
        assert server.ask(call("link_blob", {"table": "authors", "column": "photo", "rowid": 1}))["result"]["content"]
        assert json.loads(read(server, "sqlite://schema/books")["text"])["name"] == "books"
        assert server.ask(request("prompts/get", {"name": "explore", "arguments": {}}))["result"]["messages"]
        assert server.close() == 0
        assert server.stderr == ""


def test_the_stateless_revision(path):
    with ServerProcess(EXAMPLE, path) as server:
        for method in ("server/discover", "tools/list", "resources/list", "prompts/list"):
            assert server.ask(modern(method))["result"]
        result = server.ask(modern("tools/call", {"name": "query", "arguments": {"sql": "SELECT 1"}}))["result"]
        assert result["structuredContent"] == {"columns": ["1"], "rows": [[1]]}
        assert server.ask(modern("resources/read", {"uri": "sqlite://value/1?table=authors&column=photo"}))["result"]["contents"][0]["blob"]


def test_nothing_is_wrong_with_it(path, capsys):
    status = cli_main(["check", "--json", "--strict", "--call-all", "--env", "PYTHONPATH=" + SOURCE, "--", sys.executable, EXAMPLE, path])
    report = json.loads(capsys.readouterr().out)
    assert (status, report["findings"], len(report["revisions"])) == (0, [], 5)


# Pages


def test_pages(library):
    sql, seen, offset = "SELECT id FROM books ORDER BY id", [], 0
    while offset is not None:
        page = tool(library, "query", sql=sql, offset=offset)
        assert len(page["rows"]) == 100                          # --max-rows unless it is said
        seen += page["rows"]
        offset = page.get("next_offset")
    assert seen == [[number] for number in range(1, 1001)]


def test_the_limit_is_bounded_by_the_command_line(path):
    with ServerProcess(EXAMPLE, path, "--max-rows", "3") as server:
        server.start()
        for limit, length in ((None, 3), (2, 2), (50, 3)):
            page = tool(server, "query", sql="SELECT id FROM books", limit=limit)
            assert (len(page["rows"]), page["next_offset"]) == (length, length)
        assert "next_offset" not in tool(server, "query", sql="SELECT id FROM books LIMIT 3")
        assert tool(server, "query", sql="SELECT id FROM books", offset=5000)["rows"] == []
        assert refusal(server, "SELECT 1", limit=0) == refusal(server, "SELECT 1", offset=-1) == (
            "offset is 0 or more, limit 1 or more.")


# Values


def test_values_that_json_cannot_hold(library):
    assert rows(library, "SELECT weight, photo FROM authors ORDER BY id") == [
        [{"real": "Infinity"}, {"blob": base64.b64encode(b"\0\1\xfe\xff").decode(), "size": 4}],
        [{"real": "-Infinity"}, None],
        [1.5, {"blob": base64.b64encode(bytes(1024)).decode(), "size": 5000}]]
    assert rows(library, "SELECT 9007199254740991, 9007199254740992, -9223372036854775808, NULL, '', 'ä', 0.1") == [
        [9007199254740991, {"integer": "9007199254740992"}, {"integer": "-9223372036854775808"}, None, "", "ä", 0.1]]
    assert rows(library, "SELECT 9e999 - 9e999") == [[None]]    # NaN is NULL to SQLite
    assert rows(library, "SELECT CAST(x'61ff62' AS TEXT)") == [["a\ufffdb"]]
    [[long]] = rows(library, "SELECT hex(zeroblob(15000))")
    assert (long["text"], long["size"]) == ("0" * 20000, 30000)


def test_what_comes_out_goes_in_again(library):
    values = [1, "x", None, 2.5, {"integer": "9007199254740993"}, {"real": "-Infinity"}, {"blob": "AAH+/w==", "size": 4}]
    assert rows(library, "SELECT ?, ?, ?, ?, ?, ?, ?", parameters=values) == [values]
    assert rows(library, "SELECT id FROM authors WHERE photo = ?", parameters=[{"blob": "AAH+/w=="}]) == [[1]]
    assert rows(library, "SELECT :a + :b", parameters={"a": 1, "b": {"integer": "9007199254740992"}}) == [
        [{"integer": "9007199254740993"}]]


@pytest.mark.parametrize("sql, parameters, part", [
    ("SELECT ?", [], "Incorrect number of bindings supplied"),
    ("SELECT ?", [2 ** 70], "too large"),
    ("SELECT ?", [{"blob": "?"}], "A parameter that is an object is"),
    ("SELECT ?", [{"integer": "x"}], "A parameter that is an object is"),
    ("SELECT ?", [{"more": 1, "than": 2}], "A parameter that is an object is"),
    ("SELEC 1", None, 'near "SELEC": syntax error'),
    ("SELECT absent", None, "no such column: absent"),
    ("SELECT * FROM absent", None, "no such table: absent"),
    ("SELECT 1; SELECT 2", None, "one statement at a time"),
    ("SELECT hex(zeroblob(2000000000))", None, "too big"),
    ("SELECT '\0'", None, "null character"),
])
def test_a_wrong_query_is_explained(library, sql, parameters, part):
    assert part in refusal(library, sql, **({} if parameters is None else {"parameters": parameters}))
    assert rows(library, "SELECT 1") == [[1]]
    assert library.close() == 0
    assert library.stderr == ""


# Nothing is written


@pytest.mark.parametrize("sql, text", [
    ("INSERT INTO books VALUES (5000, 1, 'x')", READ_ONLY),
    ("UPDATE books SET title = 'x'", READ_ONLY),
    ("DELETE FROM books", READ_ONLY),
    ("WITH x AS (SELECT 1) DELETE FROM books", READ_ONLY),
    ("INSERT INTO sqlite_master VALUES (1, 1, 1, 1, 1)", "table sqlite_master may not be modified"),
    ("DROP TABLE books", "DROP TABLE is not allowed: this server only reads."),
    ("CREATE TABLE x (y)", "CREATE TABLE is not allowed: this server only reads."),
    ("CREATE TEMP TABLE x (y)", "CREATE TEMP TABLE is not allowed: this server only reads."),
    ("CREATE INDEX x ON books (title)", "CREATE INDEX is not allowed: this server only reads."),
    ("ALTER TABLE books ADD COLUMN x", "ALTER TABLE is not allowed: this server only reads."),
    ("ATTACH '{folder}/other.db' AS other", "ATTACH is not allowed: this server only reads."),
    ("DETACH main", "DETACH is not allowed: this server only reads."),
    ("VACUUM INTO '{folder}/other.db'", "ATTACH is not allowed: this server only reads."),
    ("BEGIN EXCLUSIVE", "BEGIN, COMMIT or ROLLBACK is not allowed: this server only reads."),
    ("SAVEPOINT x", "SAVEPOINT is not allowed: this server only reads."),
    ("REINDEX", "REINDEX is not allowed: this server only reads."),
    ("PRAGMA query_only = OFF", "PRAGMA query_only is not allowed: this server only reads."),
    ("PRAGMA journal_mode = WAL", "PRAGMA journal_mode is not allowed: this server only reads."),
    ("PRAGMA user_version = 7", "PRAGMA user_version is not allowed: this server only reads."),
    ("PRAGMA writable_schema = 1", "PRAGMA writable_schema is not allowed: this server only reads."),
    ("PRAGMA temp_store_directory = '/'", "PRAGMA temp_store_directory is not allowed: this server only reads."),
    ("SELECT load_extension('x')", "The function load_extension is not allowed: this server only reads."),
])
def test_nothing_is_written(library, path, tmp_path, sql, text):
    before = hashlib.sha256(open_bytes(path)).hexdigest()
    assert refusal(library, sql.replace("{folder}", str(tmp_path))) == text
    assert hashlib.sha256(open_bytes(path)).hexdigest() == before
    assert os.listdir(str(tmp_path)) == ["library.db"]
    assert rows(library, "SELECT count(*) FROM books") == [[1000]]


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.mark.parametrize("sql", [
    "EXPLAIN QUERY PLAN SELECT * FROM books", "VALUES (1), (2)", "PRAGMA table_info(books)", "PRAGMA user_version",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3) SELECT * FROM c",
    "SELECT name FROM pragma_table_info('books')", "SELECT * FROM titled LIMIT 1"])
def test_what_only_reads_is_allowed(library, sql):
    assert rows(library, sql)


def test_a_virtual_table_can_be_read(path):
    with sqlite3.connect(path) as database:
        try:
            database.executescript("CREATE VIRTUAL TABLE boxes USING rtree (id, low, high); INSERT INTO boxes VALUES (1, 2, 3);")
        except sqlite3.OperationalError as error:
            pytest.skip("this SQLite: %s" % error)
    database.close()
    with ServerProcess(EXAMPLE, path) as server:
        server.start()
        assert rows(server, "SELECT * FROM boxes") == [[1, 2.0, 3.0]]
        assert refusal(server, "INSERT INTO boxes VALUES (2, 3, 4)") == READ_ONLY


def test_another_program_may_write_meanwhile(library, path):
    with sqlite3.connect(path) as database:
        assert rows(library, "SELECT count(*) FROM books") == [[1000]]
        database.execute("INSERT INTO books VALUES (5000, 1, 'More')")
    assert rows(library, "SELECT count(*) FROM books") == [[1001]]
    database.isolation_level = None
    database.execute("BEGIN EXCLUSIVE")
    assert refusal(library, "SELECT 1 FROM books") == "database is locked: another program is writing, try again."
    database.execute("COMMIT")
    database.close()
    assert rows(library, "SELECT count(*) FROM books") == [[1001]]


# Long queries


def test_a_cancelled_query_stops(library):
    library.send(call("query", {"sql": ENDLESS}, request_id=7, _meta={"progressToken": 0}))
    note = library.receive()["params"]
    assert (note["progressToken"], note["total"]) == (0, 30)
    assert note["message"].endswith(" million steps")
    library.send(PING)
    message = library.receive()
    while message != PONG:                                      # answered while SQLite works
        assert message["method"] == "notifications/progress"
        message = library.receive()
    began = time.monotonic()
    library.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
    assert rows(library, "SELECT count(*) FROM books") == [[1000]]      # and no answer to 7 came before this one
    assert time.monotonic() - began < 5
    assert library.close() == 0
    assert library.stderr == ""


def test_a_query_is_stopped_when_its_time_is_over(path):
    with ServerProcess(EXAMPLE, path, "--seconds", "0.3") as server:
        server.start()
        assert refusal(server, ENDLESS) == "Stopped after 0.3 seconds: narrow the query, or start the server with a larger --seconds."
        assert rows(server, "SELECT 1") == [[1]]
        assert refusal(server, "SELECT a.id FROM books a, books b, books c", offset=10 ** 9).startswith("Stopped after 0.3 seconds")
        assert server.close() == 0
        assert server.stderr == ""


def test_sigterm_ends_a_query(library):
    library.send(call("query", {"sql": ENDLESS}, request_id=7, _meta={"progressToken": 0}))
    library.receive()
    library.signal()
    library.open_ids = (7,)
    assert library.process.wait(10) == 143


def test_with_our_client(path):
    with Client([sys.executable, EXAMPLE, path, "--seconds", "2"], env=environment(), inherit_env=False) as client:
        seen = []
        result = client.call_tool("query", {"sql": ENDLESS}, on_progress=lambda *values: seen.append(values))
        assert result["isError"] and len(seen) >= 2
        assert client.call_tool("query", {"sql": "SELECT 1"})["structuredContent"] == {"columns": ["1"], "rows": [[1]]}


# The schema


def test_tables(library):
    names = [("authors", "table"), ("books", "table"), ('odd "name/?#%', "table"), ("pairs", "table"), ("titled", "view")]
    assert [(row["name"], row["type"]) for row in tool(library, "tables")["tables"]] == names
    found = json.loads(read(library, "sqlite://schema")["text"])
    assert [(row["name"], row["type"]) for row in found] == names
    assert found[0]["sql"].startswith("CREATE TABLE authors")


def test_a_table(library):
    found = tool(library, "describe", table="books")
    assert found == json.loads(read(library, "sqlite://schema/books")["text"])
    assert [(column["name"], column["type"], column["primary_key"]) for column in found["columns"]] == [
        ("id", "INTEGER", 1), ("author", "INTEGER", 0), ("title", "TEXT", 0)]
    assert found["indexes"] == [{"name": "titles", "unique": True, "columns": ["author", "title"]}]
    assert found["foreign_keys"] == [{"column": "author", "table": "authors", "references": "id"}]
    assert (found["rows_about"], len(found["sample"]), found["type"]) == (1000, 3, "table")
    name = tool(library, "describe", table="authors")["columns"][1]
    assert (name["nullable"], name["default"]) == (False, "'nobody'")


def test_tables_of_other_kinds(library, path):
    assert tool(library, "describe", table="titled")["rows_about"] is None
    assert tool(library, "describe", table="pairs")["rows_about"] is None
    assert tool(library, "describe", table='odd "name/?#%')["rows_about"] == 0
    assert json.loads(read(library, "sqlite://schema/odd%20%22name%2F%3F%23%25")["text"])["columns"][0]["name"] == "x"
    with sqlite3.connect(path) as database:
        database.execute("ANALYZE")
        database.execute("DELETE FROM books WHERE id < 900")
    database.close()
    assert tool(library, "describe", table="books")["rows_about"] == 1000        # what ANALYZE has counted


def test_what_is_not_there(library):
    result = library.ask(call("describe", {"table": "nothing"}))["result"]
    assert result["content"][0]["text"] == (
        "There is no table 'nothing', only: authors, books, odd \"name/?#%, pairs, titled.")
    for uri in ("sqlite://schema/nothing", "sqlite://value/1?table=nothing&column=x", "sqlite://value/1?table=books&column=nothing",
                "sqlite://value/9999?table=books&column=title", "sqlite://value/2?table=authors&column=photo"):
        error = library.ask(request("resources/read", {"uri": uri}))["error"]
        assert (error["code"], error["data"]) == (-32002, {"uri": uri})
    assert library.ask(request("resources/read", {"uri": "sqlite://value/x?table=books&column=title"}))["error"]["code"] == -32602
    assert library.ask(request("resources/read", {"uri": "sqlite://value/1?table=books"}))["error"]["code"] == -32602


def test_a_whole_value(library):
    [link] = library.ask(call("link_blob", {"table": "authors", "column": "photo", "rowid": 3}))["result"]["content"]
    assert (link["type"], link["uri"]) == ("resource_link", "sqlite://value/3?table=authors&column=photo")
    assert base64.b64decode(read(library, link["uri"])["blob"]) == bytes(5000)
    assert read(library, "sqlite://value/1?table=authors&column=name")["text"] == "Ada"
    assert read(library, "sqlite://value/3?table=authors&column=weight")["text"] == "1.5"


def test_the_prompt(library):
    def get(**arguments):
        return library.ask(request("prompts/get", {"name": "explore", "arguments": arguments}))
    text = get(table="books", question="Who wrote most?")["result"]["messages"][0]["content"]["text"]
    assert text.startswith("Who wrote most? ") and "CREATE TABLE books" in text and "authors (id" not in text
    assert "CREATE VIEW titled" in get()["result"]["messages"][0]["content"]["text"]
    assert get(table="nothing")["error"]["code"] == -32602


def test_completion(library):
    template = {"type": "ref/resource", "uri": "sqlite://schema/{+table}"}
    value = {"type": "ref/resource", "uri": "sqlite://value/{rowid}{?table,column}"}
    assert complete(library, template, "table", "") == ["authors", "books", 'odd "name/?#%', "pairs", "titled"]
    assert complete(library, template, "table", "B") == ["books"]
    assert complete(library, {"type": "ref/prompt", "name": "explore"}, "table", "p") == ["pairs"]
    assert complete(library, value, "table", "t") == ["titled"]
    assert complete(library, value, "column", "", table="books") == ["id", "author", "title"]
    assert complete(library, value, "column", "x") == []


def test_subscribers_hear_of_a_new_table(library, path):
    library.ask(request("resources/subscribe", {"uri": "sqlite://schema"}))
    time.sleep(2.2)                                             # one look at the version before the change
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE late (x)")
    database.close()
    assert library.receive() == {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "sqlite://schema"}}
