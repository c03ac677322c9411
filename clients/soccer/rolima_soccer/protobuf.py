"""As much of Protobuf as the live protocol needs, without generated code.

A schema is a class with a table of its fields. What is not in the table is skipped, as a simulator
may say more than this package knows.
"""

import struct
from typing import Any, Dict, NamedTuple, Optional, Type, Union

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class Field(NamedTuple):
    """A field: its name, and a scalar's kind or the class of a message."""

    name: str
    kind: Union[str, Type["Message"]]
    repeated: bool = False
    #: Of scalars: whether it may be absent (None), and zero is sent.
    optional: bool = False


#: Scalars: wire type, and format for those of fixed size.
_SCALARS = {
    "uint": (_VARINT, None),
    "bool": (_VARINT, None),
    "string": (_BYTES, None),
    "double": (_FIXED64, "d"),
    "float": (_FIXED32, "f"),
}
_DEFAULTS = {"uint": 0, "bool": False, "string": "", "double": 0.0, "float": 0.0}


class DecodeError(ValueError):
    """Bytes that are no message of the schema."""


class Message:
    """A message; subclasses have a table ``FIELDS`` by number."""

    FIELDS: Dict[int, Field] = {}

    def __init__(self, **values: Any):
        for field in self.FIELDS.values():
            if field.repeated:
                default: Any = []
            elif isinstance(field.kind, str) and not field.optional:
                default = _DEFAULTS[field.kind]
            else:
                default = None
            setattr(self, field.name, values.pop(field.name, default))
        if values:
            raise TypeError(f"{type(self).__name__} has no field {next(iter(values))!r}")

    def kind(self) -> Optional[str]:
        """The name of the first message that is set: of a ``oneof``, which one it is."""
        for field in self.FIELDS.values():
            if not isinstance(field.kind, str) and getattr(self, field.name) is not None:
                return field.name
        return None

    def encode(self) -> bytes:
        """The message as bytes. Numbers that are zero and texts that are empty are left out."""
        out = bytearray()
        for number, field in self.FIELDS.items():
            value = getattr(self, field.name)
            for one in value if field.repeated else [value]:
                if isinstance(field.kind, str):
                    if one or field.repeated or field.optional and one is not None:
                        out += _encode_scalar(number, field.kind, one)
                elif one is not None:
                    content = one.encode()
                    out += _varint(number << 3 | _BYTES) + _varint(len(content)) + content
        return bytes(out)

    @classmethod
    def decode(cls, data: bytes) -> "Message":
        """The message of these bytes."""
        message = cls()
        view = memoryview(data)
        at = 0
        try:
            while at < len(view):
                key, at = _read_varint(view, at)
                at = message._read_field(key >> 3, key & 7, view, at)
        except (IndexError, struct.error, UnicodeDecodeError):
            raise DecodeError(f"not a whole {cls.__name__}") from None
        return message

    def _read_field(self, number, wire_type, view, at):
        if wire_type == _VARINT:
            value, at = _read_varint(view, at)
        elif wire_type == _BYTES:
            length, at = _read_varint(view, at)
            value, at = view[at : at + length], at + length
            if at > len(view):
                raise IndexError
        elif wire_type in (_FIXED32, _FIXED64):
            length = 8 if wire_type == _FIXED64 else 4
            value, at = view[at : at + length], at + length
        else:
            raise DecodeError(f"expected a wire type of Protobuf, got {wire_type}")
        field = self.FIELDS.get(number)
        if field is None:
            return at
        if not isinstance(field.kind, str):
            if wire_type != _BYTES:
                raise DecodeError(f"{field.name}: expected a message")
            self._set(field, [field.kind.decode(value)])
        else:
            self._set(field, _decode_scalars(field, wire_type, value))
        return at

    def _set(self, field, values):
        if field.repeated:
            getattr(self, field.name).extend(values)
        elif values:
            setattr(self, field.name, values[-1])


def _encode_scalar(number, kind, value):
    wire_type, layout = _SCALARS[kind]
    key = _varint(number << 3 | wire_type)
    if layout:
        return key + struct.pack("<" + layout, value)
    if kind == "string":
        content = value.encode()
        return key + _varint(len(content)) + content
    return key + _varint(int(value))


def _decode_scalars(field, wire_type, value):
    expected, layout = _SCALARS[field.kind]
    if wire_type == expected:
        if layout:
            return list(struct.unpack("<" + layout, value))
        if field.kind == "string":
            return [bytes(value).decode()]
        return [bool(value) if field.kind == "bool" else value]
    if wire_type != _BYTES or not field.repeated:
        raise DecodeError(f"{field.name}: expected a {field.kind}")
    if layout:
        count = len(value) // struct.calcsize(layout)
        return list(struct.unpack(f"<{count}{layout}", value))
    values, at = [], 0
    while at < len(value):
        one, at = _read_varint(value, at)
        values.append(one)
    return values


def _varint(value):
    if not 0 <= value < 1 << 64:
        raise ValueError(f"expected a number from 0 below 2^64, got {value}")
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _read_varint(view, at):
    value = shift = 0
    while shift < 70:
        byte = view[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, at
        shift += 7
    raise DecodeError("expected a number of at most ten bytes")
