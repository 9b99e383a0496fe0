"""The smallest useful server: one tool. A host starts it with `python examples/hello.py` and talks to it over stdio."""

from mcplite import Server

server = Server("hello", version="1.0.0")


@server.tool
def greet(name: str, times: int = 1) -> str:
    """Greet somebody by name."""
    return " ".join(["Hello, %s!" % name] * times)


if __name__ == "__main__":
    server.run()
