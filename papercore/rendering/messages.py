"""How two processes pass messages over a socket: the length, then the bytes."""

from io import BufferedRWPair

_LENGTH_BYTES = 4


def read_message(channel: BufferedRWPair) -> bytes:
    """The next message; empty when the other side is gone."""
    return channel.read(int.from_bytes(channel.read(_LENGTH_BYTES)))


def write_message(channel: BufferedRWPair, message: bytes) -> None:
    channel.write(len(message).to_bytes(_LENGTH_BYTES) + message)
    channel.flush()
