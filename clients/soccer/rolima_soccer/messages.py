"""The messages of the live protocol that a match needs: see live.proto, with the same names."""

from .protobuf import Field, Message

#: Version of the protocol that this package speaks.
PROTOCOL = 1


class Welcome(Message):
    FIELDS = {
        1: Field("protocol", "uint"),
        2: Field("version", "string"),
        3: Field("client", "uint"),
        4: Field("name", "string"),
        5: Field("may_control", "bool"),
    }


class Body(Message):
    ROBOT, BALL, OBJECT = 0, 1, 2
    FIELDS = {
        1: Field("kind", "uint"),
        2: Field("name", "string"),
        3: Field("team", "string"),
        8: Field("wheel_radius", "float"),
        9: Field("wheel_distance", "float"),
        10: Field("supply", "float"),
        11: Field("mass", "float"),
        12: Field("max_speed", "float"),
        13: Field("max_turning", "float"),
    }


class Zone(Message):
    FIELDS = {
        1: Field("name", "string"),
        2: Field("points", "float", repeated=True),
        4: Field("scores_for", "string"),
    }


class Scene(Message):
    FIELDS = {
        1: Field("generation", "uint"),
        2: Field("name", "string"),
        4: Field("step_s", "double"),
        5: Field("bodies", Body, repeated=True),
        7: Field("zones", Zone, repeated=True),
        9: Field("bounds", "float", repeated=True),
    }


class Event(Message):
    FIELDS = {
        1: Field("step", "uint"),
        2: Field("time_s", "double"),
        3: Field("kind", "string"),
        4: Field("text", "string"),
        5: Field("bodies", "uint", repeated=True),
        6: Field("value", "double"),
    }


class Status(Message):
    FIELDS = {
        1: Field("paused", "bool"),
        4: Field("seed", "uint"),
        13: Field("lock_step", "bool"),
        14: Field("ended", "bool"),
    }


class Frame(Message):
    FIELDS = {
        1: Field("generation", "uint"),
        2: Field("step", "uint"),
        3: Field("time_s", "double"),
        4: Field("key", "bool"),
        5: Field("body", "uint", repeated=True),
        6: Field("x", "float", repeated=True),
        7: Field("y", "float", repeated=True),
        8: Field("heading", "float", repeated=True),
        9: Field("vx", "float", repeated=True),
        10: Field("vy", "float", repeated=True),
        11: Field("omega", "float", repeated=True),
        12: Field("flags", "uint", repeated=True),
        13: Field("volts_left", "float", repeated=True),
        14: Field("volts_right", "float", repeated=True),
        22: Field("scores", "uint", repeated=True),
        23: Field("events", Event, repeated=True),
        24: Field("events_dropped", "uint"),
        25: Field("status", Status),
    }


class Driver(Message):
    FIELDS = {1: Field("body", "uint"), 2: Field("client", "uint"), 3: Field("name", "string")}


class Drivers(Message):
    FIELDS = {1: Field("drivers", Driver, repeated=True)}


class Notice(Message):
    INFO, WARNING, ERROR = 0, 1, 2
    FIELDS = {1: Field("level", "uint"), 2: Field("text", "string")}


class Turn(Message):
    FIELDS = {1: Field("step", "uint"), 2: Field("frame", Frame)}


class ServerMessage(Message):
    FIELDS = {
        1: Field("welcome", Welcome),
        3: Field("scene", Scene),
        4: Field("frame", Frame),
        5: Field("drivers", Drivers),
        6: Field("notice", Notice),
        7: Field("turn", Turn),
    }


class Control(Message):
    FIELDS = {
        5: Field("reset", "bool", optional=True),
        6: Field("seed", "uint", optional=True),
    }


class Claim(Message):
    FIELDS = {1: Field("body", "uint"), 2: Field("release", "bool")}


class Drive(Message):
    VOLTS, VELOCITY = 0, 1
    FIELDS = {
        1: Field("body", "uint"),
        2: Field("left", "float"),
        3: Field("right", "float"),
        4: Field("by", "uint"),
        5: Field("speed", "float"),
        6: Field("turning", "float"),
    }


class NewName(Message):
    FIELDS = {1: Field("name", "string")}


class Join(Message):
    FIELDS = {1: Field("period", "uint")}


class Answer(Message):
    FIELDS = {1: Field("step", "uint"), 2: Field("drives", Drive, repeated=True)}


class DriveTeam(Message):
    FIELDS = {1: Field("drives", Drive, repeated=True)}


class ClientMessage(Message):
    FIELDS = {
        1: Field("control", Control),
        2: Field("claim", Claim),
        8: Field("new_name", NewName),
        9: Field("join", Join),
        10: Field("answer", Answer),
        14: Field("drive_team", DriveTeam),
    }
