"""The yardstick of the start ratios: a hand-written loop with the one tool of examples/hello.py, no checks, no protocol state."""
import json
import sys

TOOLS = [{"name": "greet", "description": "Greet somebody by name.", "inputSchema": {
    "type": "object", "properties": {"name": {"type": "string"}, "times": {"type": "integer", "default": 1}}, "required": ["name"]}}]


def main():
    reader, writer = open(0, "rb", buffering=65536, closefd=False), open(1, "wb", closefd=False)
    for line in iter(reader.readline, b""):
        message = json.loads(line)
        if "id" not in message:
            continue
        if message["method"] == "initialize":
            result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "floor", "version": "0"}}
        elif message["method"] == "tools/list":
            result = {"tools": TOOLS}
        elif message["method"] == "tools/call":
            arguments = message["params"]["arguments"]
            text = " ".join(["Hello, %s!" % arguments["name"]] * arguments.get("times", 1))
            result = {"content": [{"type": "text", "text": text}]}
        else:
            result = {}
        writer.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n")
        writer.flush()
    sys.stderr.flush()


if __name__ == "__main__":
    main()
