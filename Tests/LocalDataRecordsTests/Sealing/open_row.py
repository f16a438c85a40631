"""Opens encrypted fields of rows, written from Sources/LocalData/LocalData.docc/EncryptedFormat.md and nothing else.

Reads the JSON of golden_rows.json, whose name is the argument. For each row it prints the fields of the message in hex, then the
blind index.
"""
import hmac
import json
import struct
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CIPHERS = {1: AESGCM, 2: ChaCha20Poly1305}


def hkdf(key, salt, info, count):
    return HKDF(SHA256(), count, salt, info).derive(key)


def field(value):
    return b"\xff\xff\xff\xff" if value is None else struct.pack(">I", len(value)) + value


def fields(texts):
    return b"".join(field(None if text is None else text.encode()) for text in texts)


def record_key(envelope, master_key, identity, number):
    header, payload = envelope[:124], envelope[124:]
    magic, version, algorithm, derivation, source = struct.unpack(">4sBBBB", header[:8])
    assert (magic, version, derivation, source) == (b"\x89LDE", 1, 1, 1)
    key_id, salt, nonce = header[64:80], header[80:112], header[112:]
    assert hkdf(master_key, None, b"id", 16) == key_id
    data_key = hkdf(master_key, salt, bytes([version, 4, algorithm]) + key_id, 32)
    associated = header + fields(["record key"] + identity) + field(struct.pack(">I", number))
    return CIPHERS[algorithm](data_key).decrypt(nonce, payload, associated)


def message(sealed, keys, database, record, row_key):
    version, algorithm, number = struct.unpack(">BBI", sealed[:6])
    assert version == 1
    data_key = hkdf(keys[number], None, b"LocalData record\x00" + bytes([algorithm]) + record.encode(), 32)
    associated = sealed[:18] + fields(["record", database, record]) + field(row_key)
    return CIPHERS[algorithm](data_key).decrypt(sealed[6:18], sealed[18:], associated)


def blind_index(value, key, record, number):
    blind_key = hkdf(key, None, b"LocalData blind\x00" + record.encode() + struct.pack(">I", number), 32)
    return struct.unpack(">q", hmac.digest(blind_key, value, "sha256")[:8])[0]


golden = json.load(open(sys.argv[1]))
keys = {
    number: record_key(
        bytes.fromhex(golden["envelope"]), bytes.fromhex(golden["masterKey"]), golden["identity"], number)
    for number in [golden["number"]]}
for row in golden["rows"]:
    plain = message(
        bytes.fromhex(row["sealed"]), keys, golden["identity"][-1], row["record"], bytes.fromhex(row["key"]))
    print(plain.hex(), blind_index(bytes.fromhex(row["key"]), keys[golden["number"]], row["record"], 6))
