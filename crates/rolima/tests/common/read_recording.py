"""Reads a recording with the packages mcap and mcap-protobuf-support and compares it with what the run told.

Arguments: the recording, and what `rolima run --json` printed.
"""

import json
import math
import sys

from mcap_protobuf.decoder import DecoderFactory
from mcap.reader import make_reader

path, told_path = sys.argv[1:]
with open(told_path, encoding="utf-8") as file:
    told = json.load(file)

last, counts, schemas, log = {}, {}, {}, []
with open(path, "rb") as file:
    reader = make_reader(file, decoder_factories=[DecoderFactory()], validate_crcs=True)
    header = reader.get_header()
    assert (header.profile, header.library) == ("rolima", "rolima"), header
    for schema, channel, message in reader.iter_messages(topics=["/rolima/log", "/rolima/schema"]):
        log.append((channel.topic, json.loads(message.data)))
    protobuf = [
        channel.topic
        for channel in reader.get_summary().channels.values()
        if channel.message_encoding == "protobuf"
    ]
    for schema, channel, message, value in reader.iter_decoded_messages(topics=protobuf):
        last[channel.topic] = (message.log_time, value)
        counts[channel.topic] = counts.get(channel.topic, 0) + 1
        schemas[channel.topic] = schema.name

end_ns = round(told["simulated_s"] * 1e9)
assert counts["/world"] == 181, counts
assert schemas["/tf"] == "foxglove.FrameTransforms" and schemas["/scene"] == "foxglove.SceneUpdate"
assert schemas["/events"] == "foxglove.Log"

# The robots are where the run says, as channels and as frames.
transforms = {one.child_frame_id: one for one in last["/tf"][1].transforms}
for robot in told["robots"]:
    name, (x, y, heading) = robot["name"], robot["pose"][:3]
    time, value = last["/robot/" + name]
    assert time == end_ns, (time, end_ns)
    found = (value.x, value.y, value.heading)
    assert all(abs(a - b) < 1e-6 for a, b in zip(found, (x, y, heading))), (name, found, robot["pose"])
    moved = transforms["robot/" + name]
    yaw = 2 * math.atan2(moved.rotation.z, moved.rotation.w)
    assert abs(moved.translation.x - x) < 1e-6 and abs(moved.translation.y - y) < 1e-6, moved
    assert abs(math.remainder(yaw - heading, 2 * math.pi)) < 1e-6, (yaw, heading)

# Every channel is a field of its topic, by its name.
(scene,) = [value for topic, value in log if topic == "/rolima/schema"]
for channel in scene["channels"]:
    value = last[scene["topics"][channel["topic"]]][1]
    for number in channel["path"]:
        value = getattr(value, value.DESCRIPTOR.fields_by_number[number].name)
    if "index" in channel:
        value = value[channel["index"]]
    assert isinstance(value, float), channel
assert len(scene["channels"]) > 400

entities = {entity.id: entity for entity in last["/scene"][1].entities}
assert entities["walls"].triangles and entities["ball/ball"].spheres
lines = [value for topic, value in log if topic == "/rolima/log"]
assert lines[0]["rolima_log"] == 3 and lines[-1]["do"] == "end"
print(f"{len(told['robots'])} robots where the run says, {len(scene['channels'])} channels by name")
