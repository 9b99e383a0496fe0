"""`mcplite tools | resources | prompts | call | read | prompt | complete`: one request to any server.

In the order to read it: `command` (the commands, each with its words and its outcome), `session` (options, connection, what goes
wrong), `arguments` (words become a dict by the tool's schema), `questions` (what the server asks back), `screen` (what is shown
while waiting), `show` (results as tables, texts, files).

Arrows: command -> session -> questions -> arguments; session -> screen; command, session -> show. `commands` takes from here
what is listed below; nothing else does.
"""
from .command import (
    add_call_arguments,
    add_complete_arguments,
    add_prompt_arguments,
    add_prompts_arguments,
    add_read_arguments,
    add_resources_arguments,
    add_tools_arguments,
    run_call,
    run_complete,
    run_prompt,
    run_prompts,
    run_read,
    run_resources,
    run_tools,
)

__all__ = [
    "add_call_arguments", "add_complete_arguments", "add_prompt_arguments", "add_prompts_arguments", "add_read_arguments",
    "add_resources_arguments", "add_tools_arguments", "run_call", "run_complete", "run_prompt", "run_prompts", "run_read",
    "run_resources", "run_tools"]
