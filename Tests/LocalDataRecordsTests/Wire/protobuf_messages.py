"""Messages of Google's protobuf, to compare with ours.

make COUNT NEWER   prints random messages in hex, of a schema with more fields if NEWER is 1
check              reads lines "original written": both must be equal messages of the newer schema
damage COUNT       prints lines "damaged", then what protobuf writes again, or "-" if it refuses the bytes, or "?" if the
                   documented differences apply
golden             prints one message with a value in every field
"""
import os
import random
import sys
import warnings

from google.protobuf import descriptor_pb2, descriptor_pool, message, timestamp_pb2

try:
    from google.protobuf import message_factory
    get_class = message_factory.GetMessageClass
except AttributeError:
    get_class = message_factory.MessageFactory().GetPrototype

F = descriptor_pb2.FieldDescriptorProto
SCALARS = [
    ("text", 1, F.TYPE_STRING), ("flag", 2, F.TYPE_BOOL), ("small", 3, F.TYPE_INT32), ("large", 4, F.TYPE_INT64),
    ("natural", 5, F.TYPE_UINT32), ("real", 6, F.TYPE_DOUBLE), ("single", 7, F.TYPE_FLOAT), ("data", 8, F.TYPE_BYTES)]
LISTS = [
    ("numbers", 14, F.TYPE_INT32), ("reals", 15, F.TYPE_DOUBLE), ("words", 16, F.TYPE_STRING),
    ("flags", 18, F.TYPE_BOOL), ("singles", 20, F.TYPE_FLOAT), ("naturals", 21, F.TYPE_UINT32)]
NEWER = [
    ("n_fixed", 30, F.TYPE_FIXED64), ("n_small", 31, F.TYPE_SFIXED32), ("n_text", 2000, F.TYPE_STRING),
    ("n_last", 536870911, F.TYPE_SINT64)]


def schema(package, is_newer):
    file = descriptor_pb2.FileDescriptorProto(
        name=package + ".proto", package=package, syntax="proto3", dependency=["google/protobuf/timestamp.proto"])

    def add(parent, name, number, type, label=F.LABEL_OPTIONAL, type_name=None, presence=False):
        field = parent.field.add(name=name, number=number, type=type, label=label)
        if type_name:
            field.type_name = type_name
        if presence:
            field.oneof_index = len(parent.oneof_decl)
            parent.oneof_decl.add(name="_" + name)
            field.proto3_optional = True

    part = file.message_type.add(name="Part")
    add(part, "key", 1, F.TYPE_STRING)
    add(part, "value", 2, F.TYPE_INT32, presence=True)
    if is_newer:
        add(part, "n_text", 9, F.TYPE_STRING)
    sample = file.message_type.add(name="Sample")
    for name, number, type in SCALARS:
        add(sample, name, number, type)
    add(sample, "date", 9, F.TYPE_MESSAGE, type_name=".google.protobuf.Timestamp")
    add(sample, "note", 10, F.TYPE_STRING, presence=True)
    add(sample, "seconds", 11, F.TYPE_INT64, presence=True)
    add(sample, "parts", 12, F.TYPE_MESSAGE, F.LABEL_REPEATED, f".{package}.Part")
    entry = sample.nested_type.add(name="CountsEntry")
    entry.options.map_entry = True
    add(entry, "key", 1, F.TYPE_STRING)
    add(entry, "value", 2, F.TYPE_INT64)
    add(sample, "counts", 13, F.TYPE_MESSAGE, F.LABEL_REPEATED, f".{package}.Sample.CountsEntry")
    for name, number, type in LISTS:
        add(sample, name, number, type, F.LABEL_REPEATED)
    add(sample, "part", 17, F.TYPE_MESSAGE, type_name=f".{package}.Part")
    add(sample, "level", 19, F.TYPE_INT64, presence=True)
    if is_newer:
        for name, number, type in NEWER:
            add(sample, name, number, type)
        add(sample, "n_part", 40, F.TYPE_MESSAGE, type_name=f".{package}.Part")
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(timestamp_pb2.DESCRIPTOR.serialized_pb)
    pool.Add(file)
    return get_class(pool.FindMessageTypeByName(package + ".Sample"))


def text(r):
    return "".join(chr(r.choice([65, 0, 233, 0x20AC, 0x1F600, r.randrange(1, 128)])) for _ in range(r.randrange(6)))


def value(r, type):
    bits = r.randrange(65)
    if type == F.TYPE_STRING:
        return text(r)
    if type == F.TYPE_BOOL:
        return r.random() < 0.5
    if type in (F.TYPE_INT32, F.TYPE_SFIXED32):
        return r.choice([-2**31, 2**31 - 1, 0, r.getrandbits(min(bits, 31)), -r.getrandbits(min(bits, 31))])
    if type in (F.TYPE_INT64, F.TYPE_SINT64):
        return r.choice([-2**63, 2**63 - 1, 0, r.getrandbits(min(bits, 63)), -r.getrandbits(min(bits, 63))])
    if type == F.TYPE_UINT32:
        return r.getrandbits(min(bits, 32))
    if type == F.TYPE_FIXED64:
        return r.getrandbits(64)
    if type in (F.TYPE_DOUBLE, F.TYPE_FLOAT):
        return r.choice([0.0, -0.0, 1.5, float("inf"), -float("inf"), r.randrange(-2**20, 2**20) / 64])
    if type == F.TYPE_BYTES:
        return bytes(r.getrandbits(8) for _ in range(r.choice([0, 1, 200])))


def part(r, into, is_newer):
    into.key = text(r)
    if r.random() < 0.5:
        into.value = value(r, F.TYPE_INT32)
    if is_newer:
        into.n_text = text(r)


def make(r, Sample, is_newer, is_plain=False):
    m = Sample()
    for name, _, type in SCALARS + (NEWER if is_newer else []):
        if r.random() < 0.5:
            setattr(m, name, value(r, type))
    for name, _, type in LISTS:
        if r.random() < 0.4:
            getattr(m, name).extend(value(r, type) for _ in range(r.randrange(5)))
    if r.random() < 0.5:
        m.note = text(r)
    if r.random() < 0.5:
        m.seconds = r.choice([0, -1, r.randrange(-62135596800, 253402300800)])
    for _ in range(r.choice([0, 0, 1, 3, 60])):
        part(r, m.parts.add(), is_newer)
    for i in range(r.choice([0, 0, 1, 3])):
        m.counts["k%d" % i if i else ""] = value(r, F.TYPE_INT64)
    if r.random() < 0.3:
        m.level = r.choice([0, -7])
    if not is_plain:
        if r.random() < 0.5:
            # A Date has this fraction exactly.
            m.date.seconds = r.randrange(-62135596800, 253402300800)
            m.date.nanos = r.randrange(64) * 15625000
        if r.random() < 0.5:
            m.part.SetInParent()
            part(r, m.part, is_newer)
        if is_newer and r.random() < 0.5:
            part(r, m.n_part, is_newer)
    return m


def damaged(r, data):
    data = bytearray(data)
    for _ in range(r.choice([1, 1, 2, 5])):
        kind = r.randrange(5)
        at = r.randrange(len(data) + 1)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << r.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = r.choice([0, 1, 0x7F, 0x80, 0xFF, 3, 4, 11, 12, r.getrandbits(8)])
        elif kind == 2:
            data[at:at] = bytes(r.getrandbits(8) for _ in range(r.randrange(4)))
        elif kind == 3:
            data[at:at] = r.choice([b"\xff" * r.randrange(1, 12) + b"\x01", b"\x80" * r.randrange(1, 12) + b"\x00",
                                    b"\x0b\x08\x01\x0c", b"\xf3\x01\x08\x01\xf4\x01", b"\xf3\x01\xf4\x01", b"\x00\x01"])
        elif at < len(data):
            del data[at:at + r.randrange(1, 4)]
    return bytes(data)


def has_long_tag(data):
    """Whether a message that protobuf accepts has a tag of more than 32 bits."""
    at = 0

    def varint():
        nonlocal at
        start = at
        while data[at] & 0x80:
            at += 1
        at += 1
        return sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data[start:at]))

    while at < len(data):
        tag = varint()
        if tag >> 32:
            return True
        if tag & 7 == 0:
            varint()
        elif tag & 7 == 1:
            at += 8
        elif tag & 7 == 5:
            at += 4
        elif tag & 7 == 2:
            count = varint()
            at += count
            if tag >> 3 in (12, 13) and has_long_tag(data[at - count:at]):
                return True
    return False


def serialized(m):
    return m.SerializeToString(deterministic=True)


def main():
    mode, arguments = sys.argv[1], sys.argv[2:]
    Sample = schema("current", False)
    r = random.Random(20240917)
    if mode == "make":
        is_newer = arguments[1] == "1"
        Type = schema("newer", True) if is_newer else Sample
        for _ in range(int(arguments[0])):
            print(serialized(make(r, Type, is_newer)).hex())
    elif mode == "check":
        Type = schema("newer", True)
        for number, line in enumerate(open(arguments[-1])):
            original, written = (bytes.fromhex(word) for word in line.rstrip("\n").split(" "))
            assert serialized(Type.FromString(original)) == serialized(Type.FromString(written)), number
        print("equal")
    elif mode == "damage":
        # Protobuf prints a line about each text that is not UTF-8.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        # It reads bytes up to an end of a group that has no beginning, and only warns.
        warnings.simplefilter("error")
        for _ in range(int(arguments[0])):
            data = damaged(r, serialized(make(r, Sample, False, is_plain=True)))
            try:
                m = Sample.FromString(data)
                # Merged messages, times out of range, numbers that are no case of the enum, and tags of more than 32 bits.
                differs = m.HasField("date") or m.HasField("part") or abs(m.seconds) > 2**52 or (
                    m.HasField("level") and m.level not in (0, -7)) or has_long_tag(data)
                # This version keeps the unknown fields of an entry of a map. Others drop them.
                counts = dict(m.counts)
                m.ClearField("counts")
                m.counts.update(counts)
                answer = "?" if differs else serialized(m).hex()
            except (message.DecodeError, SystemError):
                answer = "-"
            print(data.hex(), answer)
    elif mode == "golden":
        m = Sample(
            text="testing", flag=True, small=-1, large=-2**63, natural=2**32 - 1, real=-0.0, single=1.5,
            data=b"\x00\xff", note="", seconds=0, counts={"": 150, "b": 0}, numbers=[1, -1], reals=[float("inf")],
            words=["", "é"], flags=[True, False], level=-7, singles=[1], naturals=[300])
        m.date.seconds, m.date.nanos = -1, 750000000
        m.parts.add()
        m.parts.add(key="k", value=0)
        m.part.SetInParent()
        print(serialized(m).hex())


main()
