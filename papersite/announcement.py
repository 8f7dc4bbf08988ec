"""What the person who started the site reads once it answers."""


def announce(address: str) -> None:
    print(f"\nThe library is served on {address}/ (stop it with Ctrl-C).")
    print(f"Connect an agent:  claude mcp add --transport http papersite {address}/mcp")
    print(f"Other clients:     {address}/connect/\n", flush=True)
