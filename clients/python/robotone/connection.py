"""A connection: requests out, replies in."""

import os
import socket
import struct
from typing import Optional, Tuple

#: Ports, kinds of replies (a number, data) and names of environment variables by dialect.
_DIALECTS = {
    "thesis": (5047, 3, 4, "ROBOTONE_PORT"),
    "release": (5046, 2, 3, "ROBOTONE_RELEASE_PORT"),
}

_GET, _SET, _SET_DATA = 0, 1, 2
_MOST_DATA = 16 << 20
#: Gives, as text, why the last request of a connection was not done; not all servers have it.
_LAST_ERROR = "World.LastError"
_CONNECT_TIMEOUT = 5.0


class RobotOneError(Exception):
    """Something was not done, or the connection is lost."""


class RobotOne:
    """A connection to a simulator or a robot. Ends with ``close`` or a ``with`` block."""

    def __init__(
        self,
        address: Optional[str] = None,
        port: Optional[int] = None,
        dialect: str = "thesis",
        timeout: Optional[float] = None,
    ):
        if dialect not in _DIALECTS:
            raise ValueError(f'expected the dialect "thesis" or "release", got {dialect!r}')
        usual, self._number, self._data, variable = _DIALECTS[dialect]
        self._is_release = dialect == "release"
        host, told = _host_and_port(address or "127.0.0.1")
        port = port or told or int(os.environ.get(variable, usual))
        try:
            self._socket = socket.create_connection((host, port), _CONNECT_TIMEOUT)
        except OSError as error:
            raise RobotOneError(
                f"cannot connect to Robot One at {host}:{port}: {error}; is a simulator running?"
            ) from None
        #: What is known of the robot: its limits of speed, and whether `Lidar.Scan` is there.
        self.limits: Optional[Tuple[float, ...]] = None
        self.has_scan = True
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        """End the connection: the robot stops, and people can drive it."""
        self._socket.close()

    def get(self, name: str) -> float:
        """A number by its name."""
        return self._get(name)[0]

    def get_data(self, name: str) -> bytes:
        """Data by their name."""
        data = self._get(name)[1]
        if data is None:
            raise RobotOneError(f"{name}: expected data, got a number")
        return data

    def get_floats(self, name: str) -> Tuple[float, ...]:
        """Numbers by their name."""
        data = self.get_data(name)
        if len(data) % 4:
            raise RobotOneError(f"{name}: expected numbers of four bytes each")
        return struct.unpack(f"<{len(data) // 4}f", data)

    def set(self, name: str, value: float) -> float:
        """Set a number by its name; gives back what the other side says."""
        if name.startswith("World."):
            # Another robot or another world.
            self.limits = None
        return self._ask(name, _head(_SET, name) + struct.pack("<f", value))[0]

    def set_data(self, name: str, data: bytes) -> float:
        """Set data by their name."""
        self.limits = None
        if len(data) > _MOST_DATA:
            raise ValueError(f"{name}: expected at most {_MOST_DATA} bytes, got {len(data)}")
        if self._is_release:
            head = _head(_SET, name) + struct.pack("<f", len(data))
        else:
            head = _head(_SET_DATA, name) + struct.pack("<i", len(data))
        return self._ask(name, head + data)[0]

    def _get(self, name):
        # The release has a value in a get too, which means nothing.
        return self._ask(name, _head(_GET, name) + (bytes(4) if self._is_release else b""))

    def _ask(self, name, request):
        """Send a request and wait for its reply: a number, and data if there are any."""
        done = False
        try:
            self._socket.sendall(request)
            kind = self._receive(1)[0]
            while kind == 0 and self._is_release:
                # What a server may send ahead of the first picture.
                kind = self._receive(1)[0]
            if kind not in (self._number, self._data):
                raise RobotOneError(
                    f"{name}: expected a reply of kind {self._number} or {self._data}, got {kind}: "
                    "is it the right port?"
                )
            status, value = struct.unpack("<Bf", self._receive(5))
            data = None
            if kind == self._data:
                (size,) = struct.unpack("<i", self._receive(4))
                if not 0 <= size <= _MOST_DATA:
                    raise RobotOneError(f"{name}: expected data of a possible size, got {size}")
                data = bytes(self._receive(size))
            done = True
        except OSError as error:
            raise RobotOneError(f"the connection to Robot One is lost: {error}") from None
        finally:
            if not done:
                # What comes later would be taken for the answer to something else.
                self._socket.close()
        if not status and not self._is_release and name != _LAST_ERROR:
            raise RobotOneError(self._reason() or f"{name}: not done; the simulator's log says why")
        return value, data

    def _reason(self):
        """Why the last request was not done, as far as the other side tells."""
        data = self._ask(_LAST_ERROR, _head(_GET, _LAST_ERROR))[1]
        return data.decode(errors="replace") if data else ""

    def _receive(self, count):
        buffer = bytearray(count)
        view = memoryview(buffer)
        got = 0
        while got < count:
            received = self._socket.recv_into(view[got:])
            if received == 0:
                raise ConnectionError("the other side has ended it")
            got += received
        return buffer


def _head(op, name):
    name = name.encode()
    return struct.pack("<Bi", op, len(name)) + name


def _host_and_port(address):
    """A host, and a port if one is told: ``HOST``, ``HOST:PORT``, ``[V6]:PORT``."""
    host, colon, port = address.rpartition(":")
    if not colon or address.endswith("]") or ":" in host.strip("[]") and not host.endswith("]"):
        return address.strip("[]"), None
    try:
        return host.strip("[]") or "127.0.0.1", int(port)
    except ValueError:
        raise ValueError(f"expected HOST or HOST:PORT, got {address!r}") from None
