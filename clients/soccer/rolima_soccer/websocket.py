"""A WebSocket (RFC 6455) as a client: binary messages in and out."""

import base64
import hashlib
import os
import select
import socket
import ssl
import struct
import time
from typing import Optional

from .errors import ConnectionLost, MatchEnded, Refused

_KEY_TEXT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUED, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_MOST_HEAD_BYTES = 16 << 10
_MOST_MESSAGE_BYTES = 64 << 20
_GOODBYE_S = 1.0


class WebSocket:
    """A connection to the simulator."""

    def __init__(
        self,
        host: str,
        port: int,
        path: str,
        timeout: float,
        trust: Optional[ssl.SSLContext] = None,
    ):
        """Connects; encrypted if it is told whom to ``trust``."""
        self._at = f"{host}:{port}"
        self._received = bytearray()
        self._message = bytearray()
        try:
            self._socket = socket.create_connection((host, port), timeout)
        except OSError as error:
            raise ConnectionLost(
                f"cannot connect to the simulator at {self._at}: {error}; is one running there?"
            ) from None
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if trust is not None:
                self._encrypt(trust, host)
            self._shake_hands(host, port, path, timeout)
        except BaseException:
            self._socket.close()
            raise

    def close(self) -> None:
        """Say goodbye, wait a moment for the simulator's, and end the connection; may be called again."""
        until = time.monotonic() + _GOODBYE_S
        try:
            self._send_frame(_CLOSE, struct.pack(">H", 1000))
            # When it answers, it has given the robots back.
            while time.monotonic() < until:
                self.receive(max(until - time.monotonic(), 0.0))
        except (ConnectionLost, MatchEnded):
            pass
        self._socket.close()

    def send(self, message: bytes) -> None:
        """Send a binary message."""
        self._send_frame(_BINARY, message)

    def has_more(self) -> bool:
        """Whether something more has come already."""
        return len(self._received) > 1 or self._fill(0.0)

    def receive(self, timeout: Optional[float]) -> Optional[bytes]:
        """The next binary message; None if none comes within the timeout (s; None waits for ever)."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            frame = self._take_frame()
            if frame is None:
                left = None if until is None else max(until - time.monotonic(), 0.0)
                if not self._fill(left):
                    return None
                continue
            is_last, opcode, payload = frame
            if opcode == _PING:
                self._send_frame(_PONG, payload)
            elif opcode == _CLOSE:
                raise MatchEnded("the simulator has ended the run")
            elif opcode in (_BINARY, _CONTINUED):
                self._message += payload
                if is_last:
                    message, self._message = bytes(self._message), bytearray()
                    return message
            elif opcode == _TEXT:
                raise ConnectionLost(f"{self._at}: expected binary messages, got text")

    def _shake_hands(self, host, port, path, timeout):
        key = base64.b64encode(os.urandom(16))
        name = f"[{host}]" if ":" in host else host
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {name}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key.decode()}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        self._send_all(request.encode())
        until = time.monotonic() + timeout
        while b"\r\n\r\n" not in self._received:
            left = until - time.monotonic()
            if len(self._received) > _MOST_HEAD_BYTES or left <= 0 or not self._fill(left):
                raise ConnectionLost(f"{self._at}: expected a simulator, got no answer of one")
        head, _, rest = bytes(self._received).partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        self._received = bytearray(rest)
        status = lines[0].split(b" ")[1:2]
        if status != [b"101"]:
            raise self._refusal(lines, until)
        expected = base64.b64encode(hashlib.sha1(key + _KEY_TEXT).digest())
        headers = dict(line.split(b":", 1) for line in lines[1:] if b":" in line)
        accept = {name.lower(): value.strip() for name, value in headers.items()}
        if accept.get(b"sec-websocket-accept") != expected:
            raise ConnectionLost(f"{self._at}: expected a WebSocket, got something else")

    def _refusal(self, lines, until):
        """What the simulator says instead of a WebSocket: a sentence in the body."""
        try:
            while len(self._received) < _MOST_HEAD_BYTES:
                left = until - time.monotonic()
                if left <= 0 or b"\n" in self._received or not self._fill(min(left, 1.0)):
                    break
        except (ConnectionLost, MatchEnded):
            pass
        said = bytes(self._received).decode(errors="replace").strip()
        return Refused(f"{self._at}: {said or lines[0].decode(errors='replace')}")

    def _fill(self, timeout):
        """Read what has come; False if nothing comes within the timeout (s; None waits for ever)."""
        until = None if timeout is None else time.monotonic() + timeout
        try:
            data = self._come()
            while data is None:
                left = None if until is None else max(until - time.monotonic(), 0.0)
                if not select.select([self._socket], [], [], left)[0]:
                    return False
                data = self._come()
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"the connection to {self._at} is lost: {error}") from None
        if not data:
            raise ConnectionLost(f"the connection to {self._at} is lost: the other side ended it")
        self._received += data
        return True

    def _come(self):
        """What has come; None if nothing has. Of what is encrypted, some comes that is no data."""
        patience = self._socket.gettimeout()
        self._socket.settimeout(0.0)
        try:
            return self._socket.recv(1 << 16)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return None
        finally:
            self._socket.settimeout(patience)

    def _encrypt(self, trust, host):
        try:
            self._socket = trust.wrap_socket(self._socket, server_hostname=host)
        except ssl.SSLCertVerificationError as error:
            raise ConnectionLost(
                f"the certificate of {self._at} is not trusted: {error.verify_message}; "
                "ca=FILE names one that is"
            ) from None
        except OSError as error:
            raise ConnectionLost(f"{self._at} does not encrypt: {error}") from None

    def _take_frame(self):
        """The next whole frame of what was received: whether it is the last, its kind and content."""
        data = self._received
        if len(data) < 2:
            return None
        at, length = 2, data[1] & 0x7F
        if length > 125:
            size = 2 if length == 126 else 8
            if len(data) < at + size:
                return None
            length = int.from_bytes(data[at : at + size], "big")
            at += size
        if data[1] & 0x80 or data[0] & 0x70 or length > _MOST_MESSAGE_BYTES:
            raise ConnectionLost(f"{self._at}: expected a WebSocket frame, got something else")
        if len(data) < at + length:
            return None
        frame = bool(data[0] & 0x80), data[0] & 0x0F, bytes(data[at : at + length])
        del data[: at + length]
        return frame

    def _send_frame(self, opcode, payload):
        length = len(payload)
        if length < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | length)
        elif length < 1 << 16:
            head = struct.pack(">BBH", 0x80 | opcode, 0xFE, length)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0xFF, length)
        mask = os.urandom(4)
        pattern = (mask * (length // 4 + 1))[:length]
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(pattern, "big")
        self._send_all(head + mask + masked.to_bytes(length, "big"))

    def _send_all(self, data):
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise ConnectionLost(f"the connection to {self._at} is lost: {error}") from None
