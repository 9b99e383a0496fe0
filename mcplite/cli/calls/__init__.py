"""`mcplite tools | resources | prompts | call | read | prompt | complete`: one request to any server.

In the order to read it: `command` (the commands: options, words, outcome), `session` (the connection, what goes wrong with it),
`arguments` (words become a dict by the tool's schema), `questions` (what the server asks back), `screen` (what is shown while
waiting), `tables` (what a server has), `contents` (texts, bytes, files of a result).

Arrows: command -> session -> questions -> arguments; questions, session -> screen; command -> tables; command, session ->
contents. `commands` takes from here what is listed below; nothing else does.
"""
from .command import request_command

__all__ = ["request_command"]
