"""Tests of what needs no simulator: Protobuf, the schema, arguments. Prints ``done``.

    python codec.py LIVE.PROTO
"""

import random
import re
import struct
import sys

import numpy
from checks import expect, raises

from rolima_soccer import Match
from rolima_soccer import messages as pb
from rolima_soccer.match import _place
from rolima_soccer.protobuf import DecodeError, Field, Message
from rolima_soccer.state import Sides, Table


class Small(Message):
    FIELDS = {
        1: Field("count", "uint"),
        2: Field("text", "string"),
        3: Field("is_so", "bool"),
        4: Field("wide", "double"),
        5: Field("narrow", "float"),
        6: Field("counts", "uint", repeated=True),
        7: Field("narrows", "float", repeated=True),
        16: Field("maybe", "uint", optional=True),
    }


Small.FIELDS[17] = Field("inner", Small, repeated=True)


def bytes_are_those_of_the_specification():
    # 150 in field 1 and "testing" in field 2, from the documentation of Protobuf.
    expect(Small(count=150).encode() == bytes.fromhex("089601"))
    expect(Small(text="testing").encode() == bytes.fromhex("120774657374696e67"))
    packed = bytes.fromhex("3206038e029ea705")
    expect(Small.decode(packed).counts == [3, 270, 86942])
    expect(Small(maybe=0).encode() == bytes.fromhex("800100"))
    expect(Small().encode() == b"" and Small.decode(b"").maybe is None)


def what_is_encoded_reads_back(random):
    for _ in range(300):
        inner = [Small(count=random.getrandbits(64)) for _ in range(random.randrange(3))]
        sent = Small(
            count=random.getrandbits(random.randrange(1, 65)),
            text="".join(random.choice("aé€😀 \n") for _ in range(random.randrange(200))),
            is_so=random.random() < 0.5,
            wide=random.gauss(0, 1e9),
            narrow=struct.unpack("f", struct.pack("f", random.gauss(0, 10)))[0],
            counts=[random.getrandbits(20) for _ in range(random.randrange(5))],
            maybe=random.choice((None, 0, 7)),
            inner=inner,
        )
        data = sent.encode()
        got = Small.decode(data)
        for field in Small.FIELDS.values():
            if field.name != "inner":
                expect(getattr(got, field.name) == getattr(sent, field.name), field.name)
        expect([one.count for one in got.inner] == [one.count for one in inner])
        # Whatever becomes of the bytes, there is a message or an error of this package.
        broken = bytearray(data)
        for _ in range(3):
            if broken:
                broken[random.randrange(len(broken))] = random.randrange(256)
        try:
            Small.decode(bytes(broken[: random.randrange(len(broken) + 1)]))
        except DecodeError:
            pass


def the_schema_is_that_of_the_simulator(proto):
    text = re.sub(r"//.*", "", open(proto, encoding="utf-8").read())
    scalars = {"uint32": "uint", "uint64": "uint", "BodyKind": "uint", "By": "uint", "Level": "uint"}
    checked = 0
    for message in Message.__subclasses__():
        if message.__module__ != pb.__name__:
            continue
        found = re.search(rf"\bmessage {message.__name__} \{{(.*?)\n\}}", text, re.S)
        expect(found, message.__name__)
        line = re.compile(r"^\s*(repeated |optional )?(\w+) (\w+) = (\d+);", re.M)
        theirs = {int(n): (rep, kind, name) for rep, kind, name, n in line.findall(found[1])}
        for number, field in message.FIELDS.items():
            repeated, kind, name = theirs[number]
            own = field.kind if isinstance(field.kind, str) else field.kind.__name__
            told = (name, scalars.get(kind, kind), repeated == "repeated ")
            expect(told == (field.name, own, field.repeated), f"{message.__name__}.{name}: {told}")
            checked += 1
    expect(checked > 70, checked)


def addresses():
    expect(_place("127.0.0.1") == ("127.0.0.1", 8642, None, False))
    expect(_place("host:9") == ("host", 9, None, False))
    expect(_place("[::1]:9") == ("::1", 9, None, False))
    expect(_place("http://192.0.2.2:8700/?token=2178") == ("192.0.2.2", 8700, "2178", False))
    expect(_place("https://host:9/?token=1") == ("host", 9, "1", True))
    for wrong in ("", "host:port", "ftp://host"):
        raises(ValueError, lambda: _place(wrong), "expected HOST", repr(wrong))
    raises(ValueError, lambda: Match.connect("host", team="blue", period=0), "period")


def scene():
    robots = [("blue-1", "blue"), ("yellow-1", "yellow"), ("blue-2", "blue")]
    bodies = [pb.Body(name=name, team=team, supply=9.0) for name, team in robots]
    bodies.append(pb.Body(kind=pb.Body.BALL, name="ball"))
    square = [0.7, -0.2, 0.8, -0.2, 0.8, 0.2, 0.7, 0.2]
    zones = [
        pb.Zone(name="left", scores_for="yellow", points=[-x for x in square]),
        pb.Zone(name="right", scores_for="blue", points=square),
    ]
    return pb.Scene(name="test", step_s=1e-3, bodies=bodies, zones=zones)


def teams_goals_and_differences():
    sides = Sides(scene(), "yellow")
    expect([robot.name for robot in sides.own] == ["yellow-1"])
    expect([robot.name for robot in sides.opponents] == ["blue-1", "blue-2"])
    expect(numpy.allclose(sides.goals[0].centre, (-0.75, 0)) and sides.ball == 3)
    raises(ValueError, lambda: Sides(scene(), "red"), "'blue' and 'yellow'", "'red'")
    raises(ValueError, lambda: Sides(pb.Scene(name="empty"), "red"), "none")
    table = Table(scene())
    column = [1.0, 2.0, 3.0, 4.0]
    whole = {name: column for name in ("x", "y", "heading", "vx", "vy", "omega")}
    motors = {"volts_left": [1, 2, 3], "volts_right": [4, 5, 6]}
    table.take(pb.Frame(key=True, flags=[0, 1, 2, 0], **whole, **motors))
    difference = {name: [7.0, 8.0] for name in whole}
    table.take(pb.Frame(body=[1, 3], flags=[0, 0], volts_left=[9], volts_right=[0], **difference))
    own, opponents = table.robots(sides.own), table.robots(sides.opponents)
    expect(own.position.tolist() == [[7, 7]] and own.volts.tolist() == [[9, 0]])
    expect(not own.slips[0] and opponents.out.tolist() == [False, True])
    expect(opponents.volts.tolist() == [[1, 4], [3, 6]] and len(opponents) == 2)
    expect(table.ball(3).position.tolist() == [8, 8])
    raises(ValueError, lambda: table.take(pb.Frame(key=True, x=[1.0])), "frame.x", "expected 4")


def main():
    bytes_are_those_of_the_specification()
    what_is_encoded_reads_back(random.Random(1))
    the_schema_is_that_of_the_simulator(sys.argv[1])
    addresses()
    teams_goals_and_differences()
    print("done")


main()
