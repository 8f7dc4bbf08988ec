"""A server of tools that ask, as the protocol's own conformance suite wants them, on our registry and dispatch.

`python -m tests.mcpapi.conformance 8123` serves it at http://127.0.0.1:8123/mcp/conformance for the suite:
`npx @modelcontextprotocol/conformance server --url ... --scenario input-required-result-basic-elicitation`.
"""

import os
import sys
from collections.abc import Callable
from wsgiref.simple_server import WSGIServer, make_server

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    import django

    django.setup()

from pydantic import BaseModel

from mcpapi.listing.servers import SERVERS, Server
from mcpapi.listing.tool import Call, InputRequired, Tool, asking_tool, read_tool
from mcpapi.protocol.messages import Json


class Reply(BaseModel):
    text: str


def form(message: str, field: str, kind: str = "string") -> Json:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def sampling(text: str) -> Json:
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 100}}


ROOTS: Json = {"method": "roots/list", "params": {}}
NAME, GREETING = form("What is your name?", "name"), sampling("Generate a greeting")
NEEDED = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}


def asks(requests: dict[str, Json]) -> Callable[[Call], Reply | InputRequired]:
    """Asks for all of them that the client can be asked for, and answers when it has them."""

    def interact(call: Call) -> Reply | InputRequired:
        possible = {key: value for key, value in requests.items() if NEEDED[str(value["method"])] in call.capabilities}
        if any(not isinstance(call.responses.get(key), dict) for key in possible):
            return InputRequired(possible, {"round": 1})
        return Reply(text=f"{'state-ok ' if call.state else ''}{sorted(possible)}")

    return interact


def two_rounds(call: Call) -> Reply | InputRequired:
    step = (call.state or {}).get("step", 0)
    if step == 1 and "step1" in call.responses:
        return InputRequired({"step2": form("Step 2: What is your favorite color?", "color")}, {"step": 2})
    if step == 2 and "step2" in call.responses:
        return Reply(text="done")
    return InputRequired({"step1": form("Step 1: What is your name?", "name")}, {"step": 1})


def _tool(name: str, interaction: Callable[[Call], Reply | InputRequired]) -> Tool:
    def function() -> Reply:
        """Asks the client for input by an input-required result before it answers anything at all."""
        return Reply(text="Nobody could be asked.")

    return asking_tool(read_tool(function, name, f"test_input_required_result_{name}"), interaction)


CONFORMANCE = Server(
    name="conformance",
    title="Input-required results",
    instructions="For tests.",
    tools=(
        _tool("elicitation", asks({"user_name": NAME})),
        _tool("sampling", asks({"capital_question": sampling("What is the capital of France?")})),
        _tool("list_roots", asks({"client_roots": ROOTS})),
        _tool("request_state", asks({"confirm": form("Please confirm", "ok", "boolean")})),
        _tool("multiple_inputs", asks({"user_name": NAME, "greeting": GREETING, "client_roots": ROOTS})),
        _tool("multi_round", two_rounds),
        _tool("tampered_state", asks({"confirm": form("Please confirm", "ok", "boolean")})),
        _tool("capabilities", asks({"user_name": NAME, "greeting": GREETING})),
    ),
)


def main() -> None:
    from papersite.wsgi import application

    SERVERS[CONFORMANCE.name] = CONFORMANCE
    server: WSGIServer = make_server("127.0.0.1", int(sys.argv[1]), application)
    server.serve_forever()


if __name__ == "__main__":
    main()
