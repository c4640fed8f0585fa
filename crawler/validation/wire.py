"""Messages between the processes that read files: a length, then that many bytes."""

import socket
import struct
import time

_LENGTH = struct.Struct("!Q")
_PIECE = 1024**2


class HungUp(Exception):
    """The other side is gone."""


class Overdue(Exception):
    """The other side did not answer in time."""


class TooLong(Exception):
    """The message is longer than it may be."""


def send(connection: socket.socket, message: bytes, deadline: float | None = None) -> None:
    """Sends a message, before a moment of the monotonic clock if there is one."""
    try:
        connection.settimeout(_left(deadline))
        connection.sendall(_LENGTH.pack(len(message)) + message)
    except TimeoutError:
        raise Overdue from None
    except OSError as error:
        raise HungUp from error


def receive(
    connection: socket.socket, deadline: float | None = None, most: int = 1024**3
) -> bytearray:
    """The next message, if it is there before the deadline and no longer than `most`."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size, deadline))
    if length > most:
        raise TooLong
    return _exactly(connection, length, deadline)


def _exactly(connection: socket.socket, size: int, deadline: float | None) -> bytearray:
    data = bytearray()
    while len(data) < size:
        try:
            connection.settimeout(_left(deadline))
            piece = connection.recv(min(size - len(data), _PIECE))
        except TimeoutError:
            raise Overdue from None
        except OSError as error:
            raise HungUp from error
        if not piece:
            raise HungUp
        data += piece
    return data


def _left(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise Overdue
    return left
