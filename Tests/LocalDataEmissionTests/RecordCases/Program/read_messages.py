"""Reads what a program has stored, and knows its form from a description in the language of protobuf alone.

read_messages.py DESCRIPTION MESSAGE FOLDER   prints the opened sealed part in MESSAGE, and the columns with messages of the
                                              database that is somewhere in FOLDER, as JSON
"""
import json
import pathlib
import sqlite3
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format

try:
    from google.protobuf import message_factory
    get_class = message_factory.GetMessageClass
except AttributeError:
    get_class = message_factory.MessageFactory().GetPrototype


def messages(path):
    files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(path).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    return lambda name: get_class(pool.FindMessageTypeByName("everyfield." + name))


def parsed(Type, data):
    message = Type.FromString(data)
    size = message.ByteSize()
    message.DiscardUnknownFields()
    assert message.ByteSize() == size, "fields that the description does not have"
    return message


def row(folder, table):
    """The first row of a table, by column."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if not path.is_file() or path.read_bytes()[:16] != b"SQLite format 3\0":
            continue
        database = sqlite3.connect(path)
        database.row_factory = sqlite3.Row
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
            return database.execute(f'SELECT * FROM "{table}"').fetchone()
    raise SystemExit(f"no table {table}")


def columns(Type, stored):
    """A message with the columns that contain one."""
    whole = Type()
    for field in Type.DESCRIPTOR.fields:
        value = stored[field.name]
        is_list = field.label == field.LABEL_REPEATED
        is_struct = field.message_type and field.message_type.file.name != "google/protobuf/timestamp.proto"
        if value is None or not (is_list or is_struct):
            continue
        if is_list:
            part = parsed(Type, value)
            assert {each.name for each, _ in part.ListFields()} <= {field.name}, field.name
            whole.MergeFrom(part)
        else:
            getattr(whole, field.name).CopyFrom(parsed(type(getattr(whole, field.name)), value))
    return whole


def shown(message):
    values = json_format.MessageToDict(message, preserving_proto_field_name=True)
    return json.dumps(in_order(values), indent=1, sort_keys=True, ensure_ascii=False)


def in_order(values):
    """The elements of a set have no order."""
    for name, value in values.items():
        if isinstance(value, dict):
            in_order(value)
        elif name in ("levels", "names", "bytes", "ids"):
            value.sort()
    return values


def main():
    description, message, folder = sys.argv[1:4]
    find = messages(description)
    print(shown(parsed(find("EverySealed"), pathlib.Path(message).read_bytes())))
    print(shown(columns(find("EveryColumn"), row(folder, "EveryColumn"))))


main()
