"""A SQLite database as an MCP server that only reads: queries in pages, the schema as resources, blobs as resources.

    python examples/sqlite_server.py shop.db
    python examples/sqlite_server.py shop.db --max-rows 500 --seconds 10

Read it from top to bottom: the connection and what may be done with it, values, queries, then tools, resources, prompt and
completion, then the start. Rules:

1. Nothing is written, three times over: the file is opened read-only, ``query_only`` is on, and an authorizer lets
   through what reads, by name (no ATTACH, no PRAGMA but those that describe, no load_extension, no transactions).
2. A query is never out of reach: SQLite calls a ``Look`` every few thousand steps, which reports progress and ends the query
   when the client has cancelled it or its time is over.
3. A value that JSON or a JavaScript client cannot hold is an object that says what it is: {"real": "Infinity"},
   {"integer": "9007199254740993"}, {"blob": "<base64>", "size": 5}; so is a text that is too long.
"""

import os
import sqlite3
import sys
import time
from typing import Any, Dict, Iterator, List, Optional, Union

from mcplite import Context, McpError, Server, ToolError, resource_link, tool_result

OPTIONS = {"--max-rows": 100, "--seconds": 30.0}  # rows of one page at most; how long a query may take
STEPS = 20000  # of SQLite's virtual machine between two looks: a few milliseconds
SAFE_INTEGER = 2 ** 53 - 1  # what every JSON reader keeps exactly
BLOB_LIMIT = 1024  # bytes of a blob in a result; the resource has it whole
TEXT_LIMIT = 20000  # characters of a text in a result
VALUE_LIMIT = 64 * 1024 * 1024  # bytes of one value: a single function call cannot be interrupted
SAMPLE_ROWS = 3

# No interval timer (interrupt=False): what a tick raised while SQLite calls us, SQLite would swallow. Look asks instead.
server = Server(
    "sqlite",
    version="1.0.0",
    title="SQLite, read-only",
    instructions="Call tables first, describe for a table's columns, then query with SELECT. Pages: pass next_offset as offset.",
    interrupt=False,
)

# ---- The connection (1). ----

database = None  # an open connection from the first line of main() on
refused = []  # type: List[str]

ALLOWED = {  # actions of the authorizer by number, as sqlite3.h has them: not all have names in Python's sqlite3
    20: "READ", 21: "SELECT", 31: "FUNCTION", 33: "RECURSIVE",
    # Refused by the file and by query_only; virtual tables prepare them even to be read.
    9: "DELETE", 18: "INSERT", 23: "UPDATE",
}
ACTIONS = {
    1: "CREATE INDEX", 2: "CREATE TABLE", 3: "CREATE TEMP INDEX", 4: "CREATE TEMP TABLE", 5: "CREATE TEMP TRIGGER",
    6: "CREATE TEMP VIEW", 7: "CREATE TRIGGER", 8: "CREATE VIEW", 10: "DROP INDEX", 11: "DROP TABLE", 16: "DROP TRIGGER",
    17: "DROP VIEW", 19: "PRAGMA", 22: "BEGIN, COMMIT or ROLLBACK", 24: "ATTACH", 25: "DETACH", 26: "ALTER TABLE",
    27: "REINDEX", 28: "ANALYZE", 29: "CREATE VIRTUAL TABLE", 30: "DROP VIRTUAL TABLE", 31: "The function", 32: "SAVEPOINT",
}
FUNCTIONS_REFUSED = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"}
PRAGMAS = {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list"}
PRAGMAS_ALONE = {"schema_version", "data_version", "encoding", "user_version", "application_id", "page_count", "page_size"}


def open_database(path: str) -> None:
    """Open the file; raises ``sqlite3.Error`` where it is missing or no database."""
    global database
    from pathlib import Path

    database = sqlite3.connect(Path(path).absolute().as_uri() + "?mode=ro", uri=True, isolation_level=None, timeout=1)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    database.execute("PRAGMA query_only = ON")
    database.execute("SELECT count(*) FROM sqlite_master").fetchall()
    if hasattr(database, "setlimit"):  # Python 3.11
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT)
    database.set_authorizer(authorize)


def authorize(action: int, first: Optional[str], second: Optional[str], schema: Optional[str], source: Optional[str]) -> int:
    """SQLite asks this about everything that a statement would do."""
    first, second = c_text(first), c_text(second)
    if action in ALLOWED and not (action == 31 and (second or "").lower() in FUNCTIONS_REFUSED):
        return sqlite3.SQLITE_OK
    if action == 19 and ((first or "").lower() in PRAGMAS or (first or "").lower() in PRAGMAS_ALONE and second is None):
        return sqlite3.SQLITE_OK
    detail = {19: first, 31: second}.get(action)
    refused.append(ACTIONS.get(action, "This") + (" " + detail if detail else ""))
    return sqlite3.SQLITE_DENY


def c_text(value: Any) -> Optional[str]:
    """PyPy gives an authorizer the pointers that it got from SQLite."""
    if value is None or isinstance(value, str):
        return value
    from _sqlite3 import _ffi

    return _ffi.string(value).decode("utf-8", "replace") if value else None


# ---- Values (3). ----


def to_json(value: Any) -> Any:
    """A value of SQLite's as one that every JSON reader understands."""
    if isinstance(value, bytes):
        from binascii import b2a_base64

        return {"blob": b2a_base64(value[:BLOB_LIMIT], newline=False).decode("ascii"), "size": len(value)}
    if isinstance(value, int) and abs(value) > SAFE_INTEGER:
        return {"integer": str(value)}
    if isinstance(value, float) and value - value != 0:  # only infinities get here: SQLite keeps NaN as NULL
        return {"real": "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, str) and len(value) > TEXT_LIMIT:
        return {"text": value[:TEXT_LIMIT], "size": len(value)}
    return value


def from_json(value: Any) -> Any:
    """A parameter: the same the other way round."""
    if isinstance(value, dict):
        try:
            [(kind, data)] = [item for item in value.items() if item[0] != "size"]
            if kind == "blob":
                from base64 import b64decode

                return b64decode(data, validate=True)
            return {"integer": int, "real": float, "text": str}[kind](data)
        except (KeyError, TypeError, ValueError):
            raise ToolError('A parameter that is an object is {"blob": "<base64>"}, {"integer": "..."} or {"real": "..."}, '
                            "not %r." % value)
    return value


def quoted(name: str) -> str:
    return '"%s"' % name.replace('"', '""')


# ---- Queries (2). ----


class Look:
    """What SQLite calls while it works: progress for the client, and the end of a query nobody waits for."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.calls = 0
        self.began = self.reported = time.monotonic()
        self.late = False
        self.failure = None  # type: Optional[BaseException]
        self.looks = self.look_on()
        next(self.looks)

    def look_on(self) -> Iterator[bool]:
        """One step for each call: true ends the query. What is raised (a cancellation, SIGTERM) SQLite would swallow, so it is
        kept. A generator, since a signal's exception appears at the first step of a call: here that is inside the ``try``."""
        while True:
            try:
                while True:
                    yield self.late or self.failure is not None
                    self.look()
            except GeneratorExit:
                return
            except BaseException as error:
                self.failure = self.failure or error

    def look(self) -> None:
        self.calls += 1
        now = time.monotonic()
        self.late = now - self.began > OPTIONS["--seconds"]
        if now - self.reported > 0.5:
            self.reported = now
            seconds = round(now - self.began, 1)
            self.ctx.progress(seconds, total=OPTIONS["--seconds"], message="%d million steps" % (self.calls * STEPS // 1000000))
        else:
            self.ctx.checkpoint()


def select(ctx: Context, sql: str, parameters: Any = (), offset: int = 0, limit: int = 1000000,
           convert: Any = to_json) -> Dict[str, Any]:
    """Run one statement; return its columns, a page of its rows, and where the next page begins if there is one."""
    look = Look(ctx)
    del refused[:]
    database.set_progress_handler(look.looks.__next__, STEPS)
    cursor = None
    try:
        cursor = database.execute(sql, parameters)
        for _ in range(offset):
            if cursor.fetchone() is None:
                break
        rows = [[convert(value) for value in row] for row in cursor.fetchmany(limit)]
        found = {"columns": [column[0] for column in cursor.description or ()], "rows": rows}  # type: Dict[str, Any]
        if len(rows) == limit and cursor.fetchone() is not None:
            found["next_offset"] = offset + limit
        return found
    except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError, MemoryError) as error:
        raise ToolError(explain(error, look)) from None
    finally:
        database.set_progress_handler(None, 0)
        if cursor is not None:
            cursor.close()  # else it holds its lock on the file
        if look.failure is not None:
            raise look.failure


def explain(error: Exception, look: Look) -> str:
    """What to do about a query that failed."""
    words = str(error) or type(error).__name__
    if look.late:
        return "Stopped after %g seconds: narrow the query, or start the server with a larger --seconds." % OPTIONS["--seconds"]
    if refused:
        return "%s is not allowed: this server only reads." % refused[0]
    if "readonly" in words:
        return "This server only reads: %s." % words
    if "locked" in words:
        return "%s: another program is writing, try again." % words
    return words


def dicts(ctx: Context, sql: str, parameters: Any = ()) -> List[Dict[str, Any]]:
    """The rows of a query of our own."""
    found = select(ctx, sql, parameters)
    return [dict(zip(found["columns"], row)) for row in found["rows"]]


# ---- The schema. ----

TABLES = """SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY name"""


def table_names() -> List[str]:
    return [row[0] for row in database.execute(TABLES)]


def estimate_rows(ctx: Context, table: str) -> Optional[int]:
    """About how many rows: what ANALYZE has counted, else the highest rowid; None where only counting would tell."""
    try:
        counted = dicts(ctx, "SELECT stat FROM sqlite_stat1 WHERE tbl = ? LIMIT 1", (table,))
        if counted:
            return int(counted[0]["stat"].split()[0])
    except (ToolError, ValueError, AttributeError):
        pass
    try:
        highest = select(ctx, "SELECT max(rowid) FROM %s" % quoted(table))["rows"][0][0]
    except ToolError:  # WITHOUT ROWID, or a virtual table that has none
        return None
    return highest if isinstance(highest, int) else 0 if highest is None else None


def describe_table(ctx: Context, table: str) -> Optional[Dict[str, Any]]:
    """Everything about one table or view; None where there is none of this name."""
    known = dicts(ctx, "SELECT name, type, sql FROM sqlite_master WHERE name = ? AND type IN ('table', 'view')", (table,))
    if not known:
        return None
    found = known[0]  # type: Dict[str, Any]
    found["columns"] = [
        {"name": row["name"], "type": row["type"], "nullable": not row["notnull"], "default": row["dflt_value"],
         "primary_key": row["pk"]} for row in dicts(ctx, "PRAGMA table_xinfo(%s)" % quoted(table)) if row["hidden"] != 1]
    found["indexes"] = [
        {"name": row["name"], "unique": bool(row["unique"]),
         "columns": [column["name"] for column in dicts(ctx, "PRAGMA index_info(%s)" % quoted(row["name"]))]}
        for row in dicts(ctx, "PRAGMA index_list(%s)" % quoted(table))]
    found["foreign_keys"] = [
        {"column": row["from"], "table": row["table"], "references": row["to"]}
        for row in dicts(ctx, "PRAGMA foreign_key_list(%s)" % quoted(table))]
    found["rows_about"] = estimate_rows(ctx, table) if found["type"] == "table" else None
    found["sample"] = select(ctx, "SELECT * FROM %s" % quoted(table), limit=SAMPLE_ROWS)["rows"]
    return found


# ---- Tools. ----

READS = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
PAGE = {
    "type": "object",
    "properties": {
        "columns": {"type": "array", "items": {"type": "string"}},
        "rows": {
            "type": "array",
            "items": {"type": "array", "items": {
                "type": ["null", "number", "string", "object"],
                "description": 'An object where JSON has no such value: {"blob": base64, "size": bytes}, {"integer": digits}, '
                               '{"real": "Infinity"}, {"text": its beginning, "size": characters}',
            }},
        },
        "next_offset": {"type": "integer", "description": "There are more rows: call again with this offset"},
    },
    "required": ["columns", "rows"],
}
Parameter = Union[None, int, float, str, Dict[str, Any]]


@server.tool(output_schema=PAGE, annotations=READS)
def query(sql: str, ctx: Context, parameters: Union[List[Parameter], Dict[str, Parameter], None] = None, offset: int = 0,
          limit: Optional[int] = None) -> Dict[str, Any]:
    """Run one SELECT (or WITH, VALUES, EXPLAIN) statement. parameters fill its ? or :name places. Order the rows when you
    page through them: each page runs the statement again."""
    if isinstance(parameters, dict):
        values = {name: from_json(value) for name, value in parameters.items()}  # type: Any
    else:
        values = [from_json(value) for value in parameters or ()]
    if offset < 0 or limit is not None and limit < 1:
        raise ToolError("offset is 0 or more, limit 1 or more.")
    page = min(limit or OPTIONS["--max-rows"], OPTIONS["--max-rows"])
    return select(ctx, sql, values, offset, page)


@server.tool(annotations=READS)
def tables(ctx: Context) -> Dict[str, Any]:
    """All tables and views."""
    return {"tables": dicts(ctx, TABLES)}


@server.tool(annotations=READS)
def describe(table: str, ctx: Context) -> Dict[str, Any]:
    """A table's columns, indexes and foreign keys, about how many rows it has, and its first rows."""
    found = describe_table(ctx, table)
    if found is None:
        raise ToolError("There is no table %r, only: %s." % (table, ", ".join(table_names()) or "none"))
    return found


@server.tool(annotations=READS)
def link_blob(table: str, column: str, rowid: int) -> Dict[str, Any]:
    """A link to one whole value, blob or text, which the client can read as a resource."""
    from urllib.parse import quote

    uri = "sqlite://value/%d?table=%s&column=%s" % (rowid, quote(table, ""), quote(column, ""))
    return tool_result(resource_link(uri, "%s of row %d" % (column, rowid)))


# ---- Resources. ----

# SQLite takes any name, slashes included: "{table}" would refuse those, "{+table}" and the texts of a query hold them. None of
# them is a path here.


def read(function: Any, *arguments: Any) -> Any:
    """A resource has no tool errors: what went wrong is an error of the request."""
    try:
        return function(*arguments)
    except ToolError as error:
        raise McpError(-32603, str(error)) from None


@server.resource("sqlite://schema", name="schema", mime_type="application/json")
def schema(ctx: Context) -> List[Dict[str, Any]]:
    """All tables and views, with the statement that made each."""
    return read(dicts, ctx, TABLES.replace("name, type", "name, type, sql", 1))


@server.resource("sqlite://schema/{+table}", name="table", mime_type="application/json")
def table_schema(table: str, ctx: Context) -> Optional[Dict[str, Any]]:
    """Columns, indexes, foreign keys, about how many rows, and the first rows of a table."""
    return read(describe_table, ctx, table)


@server.resource("sqlite://value/{rowid}{?table,column}", name="value")
def whole_value(rowid: int, table: str, column: str, ctx: Context) -> Union[bytes, str, None]:
    """One value, whole: a blob as it is, anything else as text."""
    columns = [row["name"] for row in read(dicts, ctx, "PRAGMA table_xinfo(%s)" % quoted(table))]
    if column not in columns:  # SQLite would take an unknown name in quotes for a text
        return None
    statement = "SELECT %s FROM %s WHERE rowid = ?" % (quoted(column), quoted(table))
    found = read(select, ctx, statement, (rowid,), 0, 1, lambda value: value)["rows"]
    if not found or found[0][0] is None:
        return None
    value = found[0][0]
    return value if isinstance(value, bytes) else str(value)


known_version = []  # type: List[int]


def watch_schema() -> None:
    """Tell those who subscribed when another program has changed the tables."""
    try:
        [version] = database.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error:  # another program is writing: the next time
        return
    if known_version and known_version != [version]:
        server.resource_updated("sqlite://schema")
    known_version[:] = [version]


# ---- A prompt, and completion. ----


@server.prompt(title="Explore this database")
def explore(ctx: Context, table: str = "", question: str = "") -> str:
    """Begin to answer a question, with the schema of the database or of one table at hand."""
    if table and table not in table_names():
        raise McpError(-32602, "There is no table %r, only: %s" % (table, ", ".join(table_names())))
    found = read(dicts, ctx, TABLES.replace("name, type", "name, sql", 1))
    statements = [row["sql"] for row in found if not table or row["name"] == table]
    return "%s Use the query tool, which takes SQLite's SELECT; order and limit what you select.\n\n%s" % (
        question or "Tell me what this data is about, how it hangs together, and what is worth asking.",
        "\n\n".join(str(sql) for sql in statements) or "There are no tables.")


@server.completion("explore", "table")
@server.completion("sqlite://schema/{+table}", "table")
@server.completion("sqlite://value/{rowid}{?table,column}", "table")
def complete_table(value: str) -> List[str]:
    """The tables that begin with what was typed."""
    return [name for name in table_names() if name.lower().startswith(value.lower())]


@server.completion("sqlite://value/{rowid}{?table,column}", "column")
def complete_column(value: str, arguments: Dict[str, str]) -> List[str]:
    """The columns of the table that was chosen."""
    rows = database.execute("PRAGMA table_xinfo(%s)" % quoted(arguments.get("table", ""))).fetchall()
    return [row[1] for row in rows if row[1].lower().startswith(value.lower())]


# ---- The start. ----

USAGE = "usage: python sqlite_server.py file.db [--max-rows N] [--seconds N]"


def read_arguments(words: List[str]) -> str:
    """Set the options; return the file. Raises ``ValueError`` with the text for the user."""
    files = []
    words = list(words)
    while words:
        word = words.pop(0)
        if word in OPTIONS:
            try:
                OPTIONS[word] = type(OPTIONS[word])(words.pop(0))
            except (IndexError, ValueError):
                raise ValueError("%s needs a number" % word) from None
            if not 0 < OPTIONS[word] < 1e9:
                raise ValueError("%s must be above 0" % word)
        elif word.startswith("-"):
            raise ValueError("unknown option %s; %s" % (word, USAGE))
        else:
            files.append(word)
    if len(files) != 1:
        raise ValueError(USAGE)
    return files[0]


def main() -> None:
    """Open the database that the command line names and serve until the host closes the connection."""
    path = ""
    try:
        path = read_arguments(sys.argv[1:])
        if not os.path.exists(path):
            raise ValueError("%s does not exist" % path)
        if os.path.isdir(path):
            raise ValueError("%s is no file" % path)
        open_database(path)
    except (sqlite3.Error, ValueError) as error:
        where = "%s: " % path if isinstance(error, sqlite3.Error) else ""
        print("sqlite_server.py: %s%s" % (where, error), file=sys.stderr)
        sys.exit(2)
    server.every(2.0, watch_schema)
    server.run()
    database.close()


if __name__ == "__main__":
    main()
