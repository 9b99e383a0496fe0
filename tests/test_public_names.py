"""What users see: tab completion and help() of the public classes show what these tables list, and nothing else."""
import pytest

from mcplite import Client, Context, Server
from mcplite.schema import Validator
from mcplite.testing import MemoryClient

SERVER = """completion every handlers info logging_handler notified poll prompt remove_prompt remove_resource remove_tool resource
resource_updated run serve tool"""
CONTEXT = """ask_all checkpoint client_capabilities client_info elicit elicit_url elicitation_complete id log meta method once params
progress request_id revision roots sample"""

CLIENT = """call_tool capabilities check_results close complete get_prompt handlers instructions list_prompts list_resource_templates
list_resources list_tools listen noise noise_count notified notify ping poll read_resource read_stderr request revision server_info
set_log_level set_roots subscribe timeout unmatched unsubscribe"""
MEMORY_CLIENT = """capabilities close initialize_result notifications notify questions request request_once responses run send_request
transcript write"""
VALIDATOR = "is_valid problems schema"


def new_context():
    return Context(1, "ping", {}, None, {})


@pytest.mark.parametrize(("made", "names"), [
    (lambda: Server("s"), SERVER),
    (new_context, CONTEXT),
    (lambda: Client(Server("s")), CLIENT),
    (lambda: MemoryClient(Server("s")), MEMORY_CLIENT),
    (lambda: Validator(True), VALIDATOR),
], ids=["Server", "Context", "Client", "MemoryClient", "Validator"])
def test_a_public_class_shows_these_names(made, names):
    assert sorted(name for name in dir(made()) if not name.startswith("_")) == sorted(names.split())


@pytest.mark.parametrize("owner", [Server, Context, Client, MemoryClient])
def test_every_public_method_says_what_it_does(owner):
    silent = [name for name, value in vars(owner).items() if not name.startswith("_") and (callable(value) or isinstance(value, property))
              and not getattr(value, "__doc__", None)]
    assert silent == []


@pytest.mark.parametrize("register", [
    lambda server: server.tool(len, nam="x"), lambda server: server.resource("x://y", nam="x")(lambda: ""),
    lambda server: server.prompt(lambda: "", name="p", nam="x"),
], ids=["tool", "resource", "prompt"])
def test_an_option_that_there_is_none_of_is_a_type_error_that_names_it(register):
    server = Server("s")
    with pytest.raises(TypeError, match=r"^Server\.\w+ has no option 'nam': help\(Server\.\w+\) lists them$"):
        register(server)
