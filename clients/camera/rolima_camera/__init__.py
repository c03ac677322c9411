"""Whole frames of a simulator's overhead cameras, as numpy arrays, over TCP or UDP.

The messages are described byte by byte in docs/camera-link.md of the repository.
"""

from __future__ import annotations

import socket
import struct
import time
import zlib
from dataclasses import dataclass
from typing import Iterator, Optional, Union

import numpy as np

__all__ = ["Camera", "CameraError", "Decoder", "Assembler", "Frame", "Info", "Turn", "End"]

MAGIC = b"RLCK"
VERSION = 1
FRAGMENT_MAGIC = b"RLF"
FRAGMENT = struct.Struct("<3sBIHHI")
PIECE = 1200
MOST_BODY = 64 << 20
MOST_PIXELS = 4096 * 4096
MOST_OPEN = 4
CAMERA, KEY, FRAME, TURN, REFUSED, END, COOKIE = range(1, 8)
HELLO, KEY_WANTED, DONE, BYE = range(0x81, 0x85)
EVERYWHERE, DIFFERENCES = 1, 2
LOCK_STEP = 1
HELLO_EVERY_S = 1.0
HELLO_FIRST_S = 0.1
KEY_REST_S = 0.25


class CameraError(Exception):
    """The link refuses, is silent, or says what makes no sense."""


class NoBackground(CameraError):
    """A frame came before its background."""


@dataclass(frozen=True)
class Info:
    """A camera."""

    width: int
    height: int
    period_s: float
    lock_step: bool
    name: str


@dataclass(frozen=True)
class Frame:
    """A whole frame; `rgb` is height x width x 3 and a copy of its own."""

    number: int
    step: int
    time_s: float
    whole: bool
    rgb: np.ndarray


@dataclass(frozen=True)
class Turn:
    """In lock step: the world waits at a step for `Camera.done`."""

    step: int
    time_s: float


class End:
    """The run is over."""


def _inflate(data: bytes, count: int) -> np.ndarray:
    stream = zlib.decompressobj(wbits=-15)
    try:
        # One byte more than there may be, so that too many are noticed.
        pixels = stream.decompress(data, count + 1)
    except zlib.error as error:
        raise CameraError(f"compressed pixels: {error}") from None
    if len(pixels) != count or not stream.eof or stream.unused_data:
        raise CameraError(f"compressed pixels: expected {count} bytes, got {len(pixels)}")
    return np.frombuffer(pixels, np.uint8)


def _coloured(differences: np.ndarray) -> np.ndarray:
    """Red and blue are less the green: adds it again."""
    pixels = differences.copy()
    pixels[..., 0] += differences[..., 1]
    pixels[..., 2] += differences[..., 1]
    return pixels


def _swapped(pixels: np.ndarray, under: np.ndarray) -> np.ndarray:
    """Black and the background's own colour change places."""
    black = (pixels == 0).all(axis=2, keepdims=True)
    same = (pixels == under).all(axis=2, keepdims=True)
    return np.where(black, under, np.where(same, np.uint8(0), pixels))


class Decoder:
    """Makes whole pictures of a camera's messages."""

    def __init__(self) -> None:
        self.key: Optional[int] = None
        self.background: Optional[np.ndarray] = None

    def take(self, body: bytes) -> Union[Info, Frame, Turn, End, int, None]:
        """Reads a message: an info, a frame, a turn, the end, a cookie (a number); None of a background."""
        try:
            return self._take(body)
        except (struct.error, IndexError, UnicodeDecodeError) as error:
            raise CameraError(f"message: {error}") from None

    def _take(self, body: bytes) -> Union[Info, Frame, Turn, End, int, None]:
        kind = body[0]
        if kind == CAMERA:
            version, flags, width, height, period_s, count = struct.unpack_from("<BBHHdB", body, 1)
            if version != VERSION:
                raise CameraError(f"version: expected {VERSION}, got {version}")
            name = body[16 : 16 + count].decode()
            return Info(width, height, period_s, bool(flags & LOCK_STEP), name)
        if kind == KEY:
            return self._key(body)
        if kind == FRAME:
            return self._frame(body)
        if kind == TURN:
            return Turn(*struct.unpack_from("<Qd", body, 1))
        if kind == REFUSED:
            (count,) = struct.unpack_from("<H", body, 1)
            raise CameraError(f"the camera link refuses: {body[3:3 + count].decode()}")
        if kind == END:
            return End()
        if kind == COOKIE:
            return struct.unpack_from("<Q", body, 1)[0]
        raise CameraError(f"message: expected a kind from 1 to 7, got {kind}")

    def _key(self, body: bytes) -> None:
        key, width, height, crc = struct.unpack_from("<IHHI", body, 1)
        if key == self.key:
            return
        if not 0 < width * height <= MOST_PIXELS:
            raise CameraError(f"background: {width} x {height} pixels")
        differences = _inflate(body[13:], 3 * width * height).reshape(height, width, 3)
        pixels = np.add.accumulate(_coloured(differences), axis=1, dtype=np.uint8)
        if zlib.crc32(pixels) != crc:
            raise CameraError("background: wrong checksum")
        self.key, self.background = key, pixels

    def _frame(self, body: bytes) -> Frame:
        flags, count, key, number, step, time_s, crc = struct.unpack_from("<BHIQQdI", body, 1)
        if key != self.key or self.background is None:
            raise NoBackground(f"the frame needs background {key}, here is {self.key}")
        patches = struct.unpack_from(f"<{4 * count}H", body, 36)
        rgb = self.background.copy()
        height, width, _ = rgb.shape
        sizes = [w * h for w, h in zip(patches[2::4], patches[3::4])]
        total = sum(sizes)
        if total > width * height:
            raise CameraError(f"frame: expected at most {width * height} pixels in patches, got {total}")
        came = _inflate(body[36 + 8 * count :], 3 * total)
        noisy = bool(flags & DIFFERENCES)
        came = _coloured(came.reshape(3, total).T) if noisy else came.reshape(total, 3)
        at = 0
        for i, size in enumerate(sizes):
            left, top, across, down = patches[4 * i : 4 * i + 4]
            if left + across > width or top + down > height:
                raise CameraError(f"frame: expected patches within {width} x {height} pixels")
            place = np.s_[top : top + down, left : left + across]
            own, under = came[at : at + size].reshape(down, across, 3), self.background[place]
            # Over the background, also where patches overlap.
            rgb[place] = under + own if noisy else _swapped(own, under)
            at += size
        check = 0
        for i in range(count):
            left, top, across, down = patches[4 * i : 4 * i + 4]
            check = zlib.crc32(struct.pack("<4H", left, top, across, down), check)
            check = zlib.crc32(np.ascontiguousarray(rgb[top : top + down, left : left + across]), check)
        if check != crc:
            raise CameraError("frame: wrong checksum")
        return Frame(number, step, time_s, bool(flags & EVERYWHERE), rgb)


class Assembler:
    """Puts messages together from datagrams."""

    def __init__(self) -> None:
        self._open: dict = {}
        self._key: Optional[tuple] = None
        self.refused = 0

    def take(self, datagram: bytes) -> Optional[bytes]:
        """Takes a datagram. Returns the message that it completes."""
        if len(datagram) <= FRAGMENT.size:
            self.refused += 1
            return None
        magic, kind, number, index, count, length = FRAGMENT.unpack_from(datagram)
        piece = datagram[FRAGMENT.size :]
        fits = magic == FRAGMENT_MAGIC and 0 < length <= MOST_BODY and count == -(-length // PIECE)
        if not fits or index >= count or len(piece) != min(length - index * PIECE, PIECE):
            self.refused += 1
            return None
        if count == 1:
            return piece
        name = (kind, number, length)
        if kind == KEY:
            # Backgrounds are large and come again: what is there of one is kept.
            if self._key is None or self._key[0] != name:
                self._key = (name, {})
            pieces = self._key[1]
        else:
            if name not in self._open and len(self._open) >= MOST_OPEN:
                del self._open[next(iter(self._open))]
            pieces = self._open.setdefault(name, {})
        pieces[index] = piece
        if len(pieces) < count:
            return None
        if kind == KEY:
            self._key = None
        else:
            # What is older than a whole one is given up.
            older = list(self._open)
            for other in older[: older.index(name) + 1]:
                del self._open[other]
        return b"".join(pieces[i] for i in range(count))


class Camera:
    """A client of one camera."""

    def __init__(
        self,
        address: str = "127.0.0.1:8650",
        token: str = "",
        udp: bool = False,
        lock_step: bool = False,
        patience_s: float = 5.0,
    ) -> None:
        host, _, port = address.rpartition(":")
        self.info: Optional[Info] = None
        self.missed = self.without_background = self.bad = 0
        self._decoder = Decoder()
        self._last: Optional[int] = None
        self._key_asked = 0.0
        self._hello = [token.encode()[:128], LOCK_STEP if lock_step else 0, 0]
        self._udp = udp
        place = (host.strip("[]"), int(port))
        if udp:
            self._assembler = Assembler()
            family = socket.getaddrinfo(*place, type=socket.SOCK_DGRAM)[0][0]
            self._socket = socket.socket(family, socket.SOCK_DGRAM)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
            self._socket.connect(place)
            self._greet_until(time.monotonic() + patience_s)
        else:
            self._bytes = bytearray()
            self._socket = socket.create_connection(place, patience_s)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.sendall(MAGIC)
            self._greet()

    def __enter__(self) -> "Camera":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        try:
            self._say(bytes([BYE]))
        except OSError:
            pass
        self._socket.close()

    def next(self, longest_s: float = 1.0) -> Union[Frame, Turn, End, None]:
        """Waits for a frame, a turn or the end of the run; None if that takes too long."""
        until = time.monotonic() + longest_s
        while True:
            body = self._hear(until)
            if body is None:
                return None
            try:
                taken = self._decoder.take(body)
            except NoBackground:
                self.without_background += 1
                self.want_background()
                continue
            except CameraError:
                if not self._udp or body[0] == REFUSED:
                    raise
                self.bad += 1
                continue
            if isinstance(taken, Info):
                self.info = taken
            elif isinstance(taken, Frame):
                if self._last is not None and taken.number > self._last:
                    self.missed += taken.number - self._last - 1
                self._last = taken.number
                return taken
            elif isinstance(taken, (Turn, End)):
                return taken

    def frames(self, longest_s: float = 5.0) -> Iterator[Frame]:
        """Frames until the run is over; in lock step the world goes on when the next one is asked for."""
        while True:
            taken = self.next(longest_s)
            if taken is None:
                raise CameraError(f"no frame for {longest_s} s")
            if isinstance(taken, End):
                return
            if isinstance(taken, Frame):
                yield taken
            else:
                self.done(taken)

    def done(self, turn: Turn) -> None:
        """In lock step: the world may leave the step of a turn."""
        self._say(struct.pack("<BQ", DONE, turn.step))

    def want_background(self) -> None:
        """Asks for the background; it comes anyway now and then."""
        if time.monotonic() - self._key_asked >= KEY_REST_S:
            self._key_asked = time.monotonic()
            self._say(bytes([KEY_WANTED]))

    def _say(self, body: bytes) -> None:
        if self._udp:
            self._socket.send(MAGIC + body)
        else:
            self._socket.sendall(struct.pack("<I", len(body)) + body)

    def _greet(self) -> None:
        self._greeted = time.monotonic()
        token, flags, cookie = self._hello
        self._say(struct.pack("<BBBQB", HELLO, VERSION, flags, cookie, len(token)) + token)

    def _greet_until(self, until: float) -> None:
        while time.monotonic() < until:
            try:
                self._greet()
                body = self._hear(min(time.monotonic() + HELLO_FIRST_S, until))
            except ConnectionRefusedError:
                time.sleep(HELLO_FIRST_S)
                continue
            if body is not None and body[0] != COOKIE:
                taken = self._decoder.take(body) if body[0] in (CAMERA, REFUSED) else None
                if isinstance(taken, Info):
                    self.info = taken
                return
        raise CameraError("no camera link answers")

    def _hear(self, until: float) -> Optional[bytes]:
        return self._hear_datagrams(until) if self._udp else self._hear_stream(until)

    def _hear_stream(self, until: float) -> Optional[bytes]:
        while True:
            if len(self._bytes) >= 4:
                length = int.from_bytes(self._bytes[:4], "little")
                if not 0 < length <= MOST_BODY:
                    raise CameraError(f"message of {length} bytes")
                if len(self._bytes) >= 4 + length:
                    body = bytes(self._bytes[4 : 4 + length])
                    del self._bytes[: 4 + length]
                    return body
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._socket.settimeout(left)
            try:
                chunk = self._socket.recv(1 << 18)
            except socket.timeout:
                return None
            if not chunk:
                raise CameraError("the connection is lost")
            self._bytes += chunk

    def _hear_datagrams(self, until: float) -> Optional[bytes]:
        while True:
            now = time.monotonic()
            if now - self._greeted >= HELLO_EVERY_S:
                self._greet()
            if now >= until:
                return None
            self._socket.settimeout(max(min(until, self._greeted + HELLO_EVERY_S) - now, 1e-4))
            try:
                body = self._assembler.take(self._socket.recv(2048))
            except socket.timeout:
                continue
            if body is None:
                continue
            if body[0] == COOKIE and len(body) == 9:
                self._hello[2] = int.from_bytes(body[1:], "little")
                self._greet()
            return body
