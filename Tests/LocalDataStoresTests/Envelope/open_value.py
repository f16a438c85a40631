"""Opens an envelope, written from Sources/LocalData/LocalData.docc/EncryptedFormat.md and nothing else.

Reads a JSON object from the file that its argument names (envelope and key in hex, the identity's fields in a list, null
for null) and prints what the envelope holds.
"""
import hashlib
import json
import struct
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def hkdf(key, salt, info, count):
    return HKDF(SHA256(), count, salt, info).derive(key)


def field(value):
    return b"\xff\xff\xff\xff" if value is None else struct.pack(">I", len(value)) + value


with open(sys.argv[1], encoding="utf-8") as file:
    task = json.load(file)
envelope, source_key = bytes.fromhex(task["envelope"]), bytes.fromhex(task["key"])
header, payload = envelope[:124], envelope[124:]
(magic, version, algorithm, derivation, _, schema, written_at, counter, device, iterations, stretch_salt, key_id, salt,
 nonce) = struct.unpack(">4sBBBBIqQ16sI16s16s32s12s", header)
assert (magic, version) == (b"\x89LDE", 1)

if algorithm == 0:
    plaintext = payload
else:
    key = source_key
    if derivation == 2:
        assert 600_000 <= iterations <= 10_000_000
        key = hashlib.pbkdf2_hmac("sha256", source_key, stretch_salt, iterations, 32)
    assert hkdf(key, None, b"id", 16) == key_id
    data_key = hkdf(key, salt, bytes([version, 1, algorithm]) + key_id, 32)
    texts = ["value"] + task["identity"]
    identity = b"".join(field(None if text is None else text.encode()) for text in texts)
    identity += field(struct.pack(">I", schema))
    cipher = {1: AESGCM, 2: ChaCha20Poly1305}[algorithm](data_key)
    plaintext = cipher.decrypt(nonce, payload, header + identity)

print(json.dumps({
    "plaintext": plaintext.hex(), "schema": schema, "writtenAt": written_at, "counter": counter,
    "device": device.hex()}))
