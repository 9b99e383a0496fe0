"""`mcplite tools, resources, prompts, call, read, prompt, complete`, from outside: output, errors, exit statuses."""
from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

import pytest
from client_helpers import handshake
from harness import HANDSHAKE_DATES, MODERN, REPO, SOURCE, environment

INVENTORY = [sys.executable, os.path.join(REPO, "examples", "inventory.py")]


def run(*words, server=INVENTORY, stdin=b"", **env):
    """(exit status, standard output, standard error) of one command line."""
    done = subprocess.run([sys.executable, "-m", "mcplite", *words, "--", *server], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(**env), timeout=60, cwd=SOURCE)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


@pytest.fixture
def server(tmp_path):
    """A function that makes the command of a server from its source; `s` is the Server."""
    def make(source):
        path = tmp_path / "server.py"
        path.write_text("from mcplite import *\nimport sys, os, time\ns = Server('test', version='1')\n%s\ns.run()\n" % source)
        return [sys.executable, str(path)]
    return make


# Lists

def test_tools():
    assert run("tools", COLUMNS="80") == (0, """\
TOOL              ARGUMENTS               WHAT IT DOES
check_inventory   sku [warehouse]         How many pieces of a product are in
                                          stock, in all warehouses or in one.
place_order       sku quantity warehouse  Order pieces of a product from one
                                          warehouse.
count_stock       [pause]                 Count every shelf, slowly, with a
                                          pause in seconds at each: something to
                                          watch, and to cancel.
write_report                              Write today's list of low stock. The
                                          report is a resource that did not
                                          exist before.
return_item       order_id sku            Take one item of an order back. Asks
                                          the user for the reason, and whether
                                          they are sure.
translate_name    sku language            Translate a product's name. The
                                          client's own model does the work.
find_price_lists                          List the CSV files in the folders that
                                          the client opened to this server.
""", "")


def test_a_tool_in_full():
    assert run("tools", "check_inventory") == (0, """\
check_inventory (Check inventory)
  How many pieces of a product are in stock, in all warehouses or in one.

  ARGUMENT   TYPE    NEEDED  MEANING
  sku        string  yes
  warehouse  string  no      default: "all"

  RESULT      TYPE            MEANING
  sku         string
  quantity    integer         Pieces in all the warehouses listed
  warehouses  list of object

  It says that it: changes nothing.

  mcplite call check_inventory sku=... -- CMD
""", "")


def test_tools_as_json():
    status, out, err = run("tools", "--json")
    tools = json.loads(out)["tools"]
    assert (status, err, len(tools)) == (0, "", 7)
    assert tools[0]["inputSchema"]["required"] == ["sku"]


def test_one_tool_as_json():
    status, out, _ = run("tools", "place_order", "--json", "count_stock")
    assert (status, [tool["name"] for tool in json.loads(out)["tools"]]) == (0, ["place_order", "count_stock"])


def test_all_pages_are_listed():
    status, out, _ = run("tools", "--json", server=handshake("everything"))
    assert (status, [tool["name"] for tool in json.loads(out)["tools"]]) == (0, ["steps", "fails"])


def test_an_unknown_tool_in_full():
    assert run("tools", "chek_inventory") == (
        2, "", 'mcplite: tools: the server has no tool "chek_inventory"; did you mean "check_inventory"? mcplite '
               'tools -- CMD '
               "lists them\n")


def test_resources():
    assert run("resources", COLUMNS="100") == (0, """\
RESOURCE                       TYPE              WHAT IT IS
commerce://catalog/categories  application/json  All categories, with the number of products in
                                                 each.

TEMPLATE                           TYPE              WHAT IT IS
commerce://products/{sku}          application/json  One product: name, category, price and the
                                                     pieces in stock.
commerce://orders/{orderId}/items  application/json  The items of one order.
""", "")


def test_resources_as_json():
    status, out, _ = run("resources", "--json")
    found = json.loads(out)
    assert (status, len(found["resources"]), len(found["resourceTemplates"])) == (0, 1, 2)


def test_a_size_is_shown(server):
    command = server("s.resource('file:///a', name='a', size=20480, description='Big')(lambda: '')")
    assert run("resources", server=command)[1] == "RESOURCE   SIZE    WHAT IT IS\nfile:///a  20 KiB  Big\n"


def test_prompts():
    assert run("prompts") == (0, """\
PROMPT                  ARGUMENTS          WHAT IT DOES
product_recommendation  category [budget]  Recommend a product of one category, within a budget if
                                           there is one.
""", "")


def test_a_prompt_in_full():
    assert run("prompts", "product_recommendation")[1].endswith("""
  ARGUMENT  TYPE    NEEDED
  category  string  yes
  budget    string  no

  mcplite prompt product_recommendation category=... -- CMD
""")


@pytest.mark.parametrize("command, text, empty", [
    ("tools", "[note] the server has no tools\n", {"tools": []}),
    ("prompts", "[note] the server has no prompts\n", {"prompts": []}),
    ("resources", "[note] the server has no resources\n", {"resources": [], "resourceTemplates": []})])
def test_nothing_to_list(server, command, text, empty):
    assert run(command, server=server("")) == (0, "", text)
    status, out, err = run(command, "--json", server=server(""))
    assert (status, json.loads(out), err) == (0, empty, "")


def test_what_a_server_says_cannot_steer_the_terminal(server):
    command = server("s.tool(name='x', input_schema={'type': 'object'}, description='red \\x1b[31m "
                     "alert\\x07')(lambda arguments: '')")
    assert "red \\x1b[31m alert\\x07" in run("tools", server=command)[1]


def test_an_address_is_never_broken(server):
    uri = "demo://a-long-address/that-somebody/wants-to-copy"
    command = server("s.resource(%r, name='a', mime_type='text/markdown', description='Words about it')(lambda: '')" % uri)
    assert run("resources", server=command, COLUMNS="50")[1] == """\
RESOURCE
    TYPE           WHAT IT IS
%s
    text/markdown  Words about it
""" % uri


LONG = "s.tool(name='x', input_schema={'type': 'object'}, description=' '.join(['words']*60) + '\\n\\nmore')(lambda arguments: '')"


def test_a_long_description_is_cut_in_the_table_and_whole_in_full(server):
    out = run("tools", server=server(LONG), COLUMNS="60")[1]
    assert len(out.split("\n")) == 5 and out.endswith(" words words...\n")
    out = run("tools", "x", server=server(LONG), COLUMNS="60")[1]
    assert out.count("words") == 60 and "\n\n  more\n" in out


# Calls

@pytest.mark.parametrize("revision", [*HANDSHAKE_DATES, MODERN, "handshake"])
def test_call_in_every_revision(revision):
    status, out, err = run("call", "check_inventory", "sku=KB-201", "warehouse=BER", "--revision", revision)
    assert (status, json.loads(out), err) == (0, {"sku": "KB-201", "quantity": 12,
                                                  "warehouses": [{"code": "BER", "quantity": 12}]}, "")


def test_options_between_arguments():
    status, out, _ = run("call", "check_inventory", "--json", "sku=KB-201", "--timeout", "9", "warehouse=BER")
    assert (status, json.loads(out)["structuredContent"]["quantity"]) == (0, 12)


def test_texts_links_and_data():
    assert run("call", "place_order", "sku=KB-201", "quantity=10", "warehouse=BER") == (0, """\
Order 1003: 10 x KB-201 from BER, 2 left.
[link] commerce://orders/1003/items  Items of order 1003  application/json
{
  "orderId": "1003",
  "sku": "KB-201",
  "quantity": 10,
  "left": 2
}
""", '[log warning stock] {"sku":"KB-201","warehouse":"BER","quantity":2,"message":"Stock is low"}\n')


def test_quiet_leaves_out_log_and_standard_error(server):
    command = server("@s.tool\ndef go(ctx: Context):\n    ctx.log('error', 'no')\n    print('never')\n    return "
                     "'done'")
    assert run("call", "go", "-q", server=command) == (0, "done\n", "")
    status, out, err = run("call", "go", server=command)
    assert (status, out, sorted(err.splitlines())) == (0, "done\n", ["[log error] no", "[server] never"])


def test_the_log_level(server):
    command = server("@s.tool\ndef go(ctx: Context):\n    ctx.log('info', 'a')\n    ctx.log('debug', {'b': 1}, "
                     "logger='x')\n    return ''")
    assert run("call", "go", "--log-level", "debug", server=command)[2] == '[log info] a\n[log debug x] {"b":1}\n'
    assert run("call", "go", "--log-level", "debug", "--revision", "handshake",
               server=command)[2] == '[log info] a\n[log debug x] {"b":1}\n'
    assert run("call", "go", "--log-level", "error", server=command)[2] == ""


def test_a_server_without_log():
    command = handshake("everything")
    assert run("tools", "--log-level", "info", "--json", server=command)[0] == 0


def test_a_failed_tool():
    assert run("call", "check_inventory", "sku=XX") == (
        1, "", "mcplite: call: check_inventory failed: Unknown SKU 'XX'. Known SKUs: KB-201, KB-305, MN-270, MS-110.\n")


def test_a_failed_tool_as_json():
    status, out, err = run("call", "check_inventory", "sku=XX", "--json")
    assert (status, json.loads(out)["isError"], err) == (1, True, "")


def test_arguments_that_do_not_fit_are_not_sent():
    assert run("call", "place_order", "sku=KB-201", "quantity=ten", "warehouse=BER") == (
        2, "", 'mcplite: call: Invalid arguments for tool place_order: /quantity: expected integer, got string "ten" '
               '(see: mcplite tools '
               "place_order -- CMD; --no-check sends them anyway)\n")


def test_no_check_sends_what_is_given():
    assert run("call", "place_order", "sku=KB-201", "quantity=ten", "warehouse=BER", "--no-check") == (
        1, "", 'mcplite: call: place_order failed: Invalid arguments for tool place_order: /quantity: expected '
               'integer, got string "ten"\n')
    assert run("call", "no_such_tool", "--no-check") == (
        2, "", "mcplite: call: the server answered with error -32602: Unknown tool: no_such_tool\n")


def test_an_error_as_json():
    status, out, err = run("call", "no_such_tool", "--no-check", "--json")
    assert (status, json.loads(out)) == (2, {"error": {"code": -32602, "message": "Unknown tool: no_such_tool"}})
    assert err == "mcplite: call: the server answered with error -32602: Unknown tool: no_such_tool\n"


def test_an_unknown_tool():
    assert run("call", "zzz") == (2, "", 'mcplite: call: the server has no tool "zzz": mcplite tools -- CMD lists '
                                         'them\n')


def test_a_server_without_tools(server):
    assert run("call", "x", server=server("")) == (2, "", "mcplite: call: the server offers no tools\n")


def test_an_empty_result(server):
    assert run("call", "go", server=server("@s.tool\ndef go(): pass")) == (0, "", "[note] done; the result is empty\n")


def test_a_text_wrapped_once_more_is_shown_once(server):
    command = server("s.tool(name='go', input_schema={'type': 'object'})(lambda arguments: "
                     "tool_result(text('hello'), structured={'result': 'hello'}))")
    assert run("call", "go", server=command) == (0, "hello\n", "")


MISFIT = """
s.tool(name='go', input_schema={'type': 'object'}, output_schema={'type': 'object'})(lambda arguments: {})
list_tools = s.handlers['tools/list']
s.handlers['tools/list'] = lambda params, ctx: {'tools': [{'name': 'go', 'inputSchema': {'type': 'object'},
    'outputSchema': {'type': 'object', 'properties': {'n': {'type': 'integer'}}}}]}
s.handlers['tools/call'] = lambda params, ctx: {'content': [{'type': 'text', 'text': 'x'}], 'structuredContent': {'n': 'one'}}
"""


def test_a_result_against_its_schema_is_shown_and_told(server):
    assert run("call", "go", "--revision", "handshake", server=server(MISFIT)) == (
        2, 'x\n{\n  "n": "one"\n}\n', "mcplite: call: the server broke the protocol: the result of tool go does not "
                                      "fit its output schema: "
                                      '/n: expected integer, got string "one"\n')
    assert run("call", "go", "--no-check", "--revision", "handshake", server=server(MISFIT))[0] == 0


def test_environment_and_folder(server, tmp_path):
    command = server("@s.tool\ndef where() -> str:\n    return os.environ.get('PLACE', '') + ' ' + "
                     "os.path.basename(os.getcwd())")
    folder = tmp_path / "there"
    folder.mkdir()
    assert run("call", "where", "--env", "PLACE=a=b", "--cwd", str(folder), server=command)[1] == "a=b there\n"


def test_roots(tmp_path):
    (tmp_path / "spring.csv").write_text("")
    assert run("call", "find_price_lists", "--root", str(tmp_path))[1] == "%s/spring.csv\n" % tmp_path.name
    assert run("call", "find_price_lists") == (
        2, "", "mcplite: call: the server answered with error -32021: the client has not declared the capability "
               "roots, which this "
               "needs; --root DIR names a folder that the server may know of\n")
    assert run("call", "find_price_lists", "--root", "no/such") == (2, "", "mcplite: call: --root no/such is no "
                                                                           "folder\n")


def test_progress_is_not_asked_for_without_a_terminal(server):
    command = server("@s.tool\ndef go(ctx: Context) -> str:\n    return str(ctx.meta.get('progressToken'))")
    assert run("call", "go", server=command)[1] == "None\n"


# Bytes

PICTURES = """
@s.tool
def draw():
    return [text('two'), image(b'PNG1', 'image/png'), audio(b'WAV2', 'audio/wav'), embedded('file:///deep/notes.bin', b'BIN3')]
@s.tool
def one():
    return image(b'\\x89PNG\\xff', 'image/png')
@s.tool(name='wrong', input_schema={'type': 'object'})
def wrong(arguments):
    return tool_result({'type': 'image', 'mimeType': 'image/png', 'data': 'AAAA'})
call = s.handlers['tools/call']
def broken(params, ctx):
    if params['name'] == 'wrong':
        return {'content': [{'type': 'image', 'mimeType': 'image/png', 'data': '*'}]}
    return call(params, ctx)
s.handlers['tools/call'] = broken
"""


def test_bytes_are_not_printed(server):
    assert run("call", "draw", server=server(PICTURES)) == (0, "two\n", (
        "[not shown] image image/png 4 B; -o FILE saves it\n[not shown] audio audio/wav 4 B; -o FILE saves it\n"
        "[not shown] blob 4 B; -o FILE saves it\n"))


def test_bytes_are_saved(server, tmp_path):
    path = tmp_path / "out.png"
    assert run("call", "draw", "-o", str(path), server=server(PICTURES)) == (0, "two\n", (
        "[saved] {0} (image image/png 4 B)\n[saved] {1}-2.png (audio audio/wav 4 B)\n"
        "[saved] {1}-3.png (blob 4 B)\n").format(path, str(path)[:-4]))
    assert [(tmp_path / name).read_bytes() for name in ("out.png", "out-2.png", "out-3.png")] == [b"PNG1", b"WAV2", b"BIN3"]


def test_a_folder_gets_names_of_its_own(server, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    assert run("call", "draw", "-o", str(folder), server=server(PICTURES))[0] == 0
    assert sorted(os.listdir(str(folder))) == ["audio-2.wav", "image.png", "notes-3.bin"]


def test_bytes_alone_go_into_a_pipe(server):
    done = subprocess.run([sys.executable, "-m", "mcplite", "call", "one", "--", *server(PICTURES)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, env=environment(), timeout=60)
    assert (done.returncode, done.stdout) == (0, b"\x89PNG\xff")


def test_json_keeps_the_base64_and_saves_too(server, tmp_path):
    path = tmp_path / "one.png"
    status, out, err = run("call", "one", "--json", "-o", str(path), server=server(PICTURES))
    assert (status, json.loads(out)["content"][0]["data"]) == (0, base64.b64encode(b"\x89PNG\xff").decode())
    assert (path.read_bytes(), err) == (b"\x89PNG\xff", "[saved] %s (image image/png 5 B)\n" % path)


def test_bytes_in_structured_content_are_not_shown_again(server):
    command = server("s.tool(name='go', input_schema={'type': 'object'})(lambda arguments: "
                     "tool_result(image(b'PNG1', 'image/png'), structured={'all': [{'data': 'UE5HMQ==', 'n': 1}]}))")
    assert json.loads(run("call", "go", server=command)[1]) == {"all": [{"data": "(the bytes above)", "n": 1}]}


def test_wrong_base64(server, tmp_path):
    assert run("call", "wrong", server=server(PICTURES))[2] == "[not shown] image image/png wrong base64; -o FILE saves it\n"
    assert run("call", "wrong", "-o", str(tmp_path / "x"), server=server(PICTURES)) == (
        2, "", "mcplite: call: the image in the result is not valid base64: the server must encode its bytes so\n")


def test_nothing_to_save():
    assert run("call", "check_inventory", "sku=MS-110", "-o", "never.png")[2] == (
        "[nothing to save] the result holds no image, audio or blob; -o was ignored\n")


def test_a_place_that_cannot_be_written(server):
    assert run("call", "one", "-o", "/no/such/x.png", server=server(PICTURES)) == (
        1, "", "mcplite: call: cannot write /no/such/x.png: No such file or directory\n")


# Resources, prompts, completion

def test_read():
    assert run("read", "commerce://products/MS-110") == (
        0, '{"sku":"MS-110","name":"Travel mouse","category":"mice","price":24.9,"quantity":65}\n', "")


def test_read_as_json():
    status, out, _ = run("read", "commerce://products/MS-110", "--json")
    assert (status, json.loads(out)["contents"][0]["mimeType"]) == (0, "application/json")


@pytest.mark.parametrize("revision, code", [("handshake", -32002), (MODERN, -32602)])
def test_read_what_is_not_there(revision, code):
    assert run("read", "commerce://products/x", "--revision", revision) == (
        2, "", "mcplite: read: the server has no resource commerce://products/x (error %d: Resource not found: "
               "commerce://products/x); "
               "mcplite resources -- CMD lists what there is\n" % code)


def test_read_a_template_as_it_is():
    assert run("read", "commerce://products/{sku}")[2].endswith("; fill in what stands in braces\n")


def test_read_into_a_file(server, tmp_path):
    command = server("s.resource('x://t', name='t')(lambda: 'caf\\u00e9')\ns.resource('x://b', name='b', "
                     "mime_type='image/gif')(lambda: b'GIF')")
    path = tmp_path / "file"
    assert run("read", "x://t", "-o", str(path), server=command) == (0, "", "[saved] %s (text, 5 B)\n" % path)
    assert path.read_bytes() == "caf\u00e9".encode()
    assert run("read", "x://b", "-o", str(path), server=command) == (0, "", "[saved] %s (blob image/gif 3 B)\n" % path)
    assert path.read_bytes() == b"GIF"
    assert run("read", "x://b", server=command) == (0, "GIF", "")


def test_several_contents(server):
    command = server("s.handlers['resources/read'] = lambda params, ctx: {'contents': [{'uri': 'x://1', 'text': "
                     "'one'}, "
                     "{'uri': 'x://2', 'mimeType': 'text/x', 'text': 'two'}]}\ns.resource('x://1', name='x')(lambda: "
                     "'')")
    assert run("read", "x://1", "--revision", "handshake", server=command) == (
        0, "one\ntwo\n", "[contents] x://1\n[contents] x://2 text/x\n")


def test_prompt():
    assert run("prompt", "product_recommendation", "category=mice") == (0, """\
user:
Which of your mice do you recommend?

assistant:
In stock are: Travel mouse (MS-110) at 24.90. I weigh price against use.
""", "")


@pytest.mark.parametrize("words, text", [
    (["product_recommendation"], "product_recommendation needs category; add category=..."),
    (["product_recommendation", "categry=mice"], 'product_recommendation has no argument "categry"; did you mean '
                                                 '"category"?'),
    (["product_recommendation", "x=1"], 'product_recommendation has no argument "x"; it has: category, budget'),
    (["product_recommendation", "category:=1"], "category:=1: arguments of a prompt are texts"),
    (["nothing"], 'the server has no prompt "nothing": mcplite prompts -- CMD lists them'),
])
def test_prompts_called_wrongly(words, text):
    assert run("prompt", *words) == (2, "", "mcplite: prompt: %s\n" % text)


def test_complete():
    assert run("complete", "product_recommendation", "category", "k") == (0, "keyboards\n", "")
    assert run("complete", "commerce://products/{sku}", "sku", "kb") == (0, "KB-201\nKB-305\n", "")
    assert run("complete", "product_recommendation", "category", "zzz") == (0, "", "[note] nothing fits\n")
    assert run("complete", "product_recommendation", "category")[1] == "keyboards\nmice\nmonitors\n"


def test_complete_with_what_is_filled_in():
    status, out, _ = run("complete", "greet", "who", "A", "lang=en", "--json", server=handshake("everything"))
    sent = json.loads(json.loads(out)["completion"]["values"][0])
    assert (status, sent["context"], sent["argument"]) == (0, {"arguments": {"lang": "en"}}, {"name": "who", "value": "A"})


def test_complete_tells_of_more(server):
    command = server("@s.prompt\ndef p(n: str): return n\n@s.completion('p', 'n')\ndef c(value): return [str(n) for n "
                     "in range(150)]")
    status, out, err = run("complete", "p", "n", server=command)
    assert (status, len(out.split()), err) == (0, 100, "[note] there are more (150 in all): type more of the value\n")


# What goes wrong

@pytest.mark.parametrize("source, words", [
    ("import nothing_like_it", "the server ended with exit status 1 before initialize was answered"),
    ("import os; os.kill(os.getpid(), 9)", "the server was ended by signal 9 (SIGKILL) before initialize was answered")])
def test_a_server_that_does_not_start(source, words):
    status, out, err = run("tools", server=[sys.executable, "-c", source])
    lines = err.split("\n")
    assert (status, out) == (3, "")
    assert lines[-2].startswith("mcplite: tools: %s; command: " % words) and lines.count("[server] Traceback (most "
                                                                                         "recent call last):") <= 1
    assert all(line.startswith("[server] ") for line in lines[:-2])


def test_what_a_dying_server_says_is_said_once():
    err = run("tools", server=[sys.executable, "-c", "import nothing_like_it"])[2]
    assert err.count("[server] ModuleNotFoundError: No module named 'nothing_like_it'\n") == 1


COMPLAINS = """
import json, sys
print("Starting", file=sys.stderr)
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "server/discover":
        print("WARNING: bad request\\n  input_value='server/discover'\\n  see the manual", file=sys.stderr, flush=True)
        reply = {"error": {"code": -32602, "message": "Invalid request parameters"}}
    elif message["method"] == "initialize":
        reply = {"result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}}
    else:
        continue
    print(json.dumps(dict(reply, jsonrpc="2.0", id=message["id"])), flush=True)
"""


def test_what_a_server_says_of_our_first_question_is_one_line():
    command = [sys.executable, "-c", COMPLAINS]
    assert run("tools", server=command) == (
        0, "", "[server] (4 lines about our question server/discover, which older revisions do not have; --revision "
               "handshake leaves it out)\n[note] the server has no tools\n")
    assert run("tools", "--revision", "handshake", server=command)[2] in (
        "[server] Starting\n[note] the server has no tools\n", "[note] the server has no tools\n[server] Starting\n")


def test_quiet_has_the_last_words_in_the_line():
    status, _, err = run("tools", "-q", server=[sys.executable, "-c", "import nothing_like_it"])
    assert status == 3 and err.count("\n") == 1
    assert err.endswith("ModuleNotFoundError: No module named 'nothing_like_it'\n")


def test_a_program_that_is_not_there():
    assert run("tools", server=["no-such-program", "x"]) == (
        3, "", "mcplite: tools: no connection to the server: cannot start the server: there is no command "
               "'no-such-program' on PATH "
               "(command: no-such-program x)\n")


def test_a_server_that_says_nothing():
    status, out, err = run("tools", "--timeout", "0.5", server=[sys.executable, "-S", "-c", "import time; "
                                                                                            "time.sleep(60)"])
    assert (status, out) == (4, "")
    assert err.startswith("mcplite: tools: initialize was not answered within 0.5 seconds; command: ")
    assert err.endswith("; --timeout gives it longer\n")


def test_a_call_that_takes_too_long():
    status, out, err = run("call", "count_stock", "pause=30", "--timeout", "3")
    assert (status, out) == (4, "")
    assert err.startswith("mcplite: call: tools/call was not answered within 3 seconds; command: ")


def test_a_server_that_dies_in_a_call(server):
    command = server("@s.tool\ndef go():\n    os._exit(7)")
    status, _, err = run("call", "go", server=command)
    assert status == 3 and err.startswith("mcplite: call: the server ended with exit status 7 before tools/call was "
                                          "answered; command: ")


def test_noise_on_standard_output_is_told():
    status, out, err = run("call", "x", "--no-check", server=handshake("noise"))
    assert status == 0
    assert err.split("\n")[-2].startswith("[warning] ") and "no message on the server's standard output" in err


def test_no_common_revision():
    status, _, err = run("tools", server=handshake("version", "1999-01-01"))
    assert status == 3
    assert err.startswith("mcplite: tools: no connection to the server: no common protocol version: the server speaks "
                          "1999-01-01, ")


@pytest.mark.parametrize("words, text", [
    (["--revision", "2026"], '--revision "2026" is none of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, '
                             '2026-07-28, handshake'),
    (["--timeout", "0"], "--timeout is a number of seconds above 0"),
    (["--timeout", "nan"], "--timeout is a number of seconds above 0"),
    (["--timeout", "soon"], "argument --timeout: invalid float value: 'soon' (mcplite tools --help shows how)"),
    (["--env", "X"], "--env takes NAME=VALUE, not 'X'"),
    (["--colour"], "unrecognized arguments: --colour (mcplite tools --help shows how)"),
])
def test_called_wrongly(words, text):
    assert run("tools", *words) == (2, "", "mcplite: tools: %s\n" % text)


def test_a_folder_that_is_not_there():
    status, _, err = run("tools", "--cwd", "/no/such")
    assert status == 3 and err.startswith("mcplite: tools: no connection to the server: cannot start the server: "
                                          "there is no folder "
                                          "'/no/such' to start it in")


@pytest.mark.skipif(os.name == "nt", reason="Windows starts scripts")
def test_a_script_without_its_interpreter(server):
    path = server("")[1]
    assert run("tools", server=[path]) == (
        3, "", "mcplite: tools: no connection to the server: cannot start the server: %s: Permission denied (command: %s); a "
               "script needs its interpreter: -- python %s\n" % (path, path, path))


@pytest.mark.parametrize("command, names", [("call", "NAME"), ("read", "URI"), ("prompt", "NAME"), ("complete", "REF, ARGUMENT")])
def test_what_must_be_said(command, names):
    assert run(command) == (2, "", "mcplite: %s: the following arguments are required: %s (mcplite %s --help shows how)\n"
                            % (command, names, command))


def test_the_statuses_are_documented():
    done = subprocess.run([sys.executable, "-m", "mcplite", "call", "--help"], stdout=subprocess.PIPE, env=environment(),
                          timeout=60)
    assert done.stdout.decode().endswith(
        "exit status: 0 done; 1 the tool says that it failed; 2 called wrongly, or the server answered with an\n"
        "error; 3 the server could not be started, or ended too early; 4 no answer in time; 130 interrupted\n")


def test_a_reader_that_left(server):
    command = server("@s.tool\ndef go(): return 'x' * 1000000")
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "mcplite", "call", "go", "--", *command], stdin=subprocess.DEVNULL, stdout=write,
                          stderr=subprocess.PIPE, env=environment(), timeout=60)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")
