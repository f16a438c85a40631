"""Reads a sealed backup with what BackupFormat.md says of it, and prints its document's rows."""

import base64, hashlib, hmac, json, struct, sys, unicodedata
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305


def hkdf(secret, salt, info):
    key = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(key, info + b"\x01", hashlib.sha256).digest()


def document(data, passphrase):
    header = data[:76]
    assert header[:4] == b"\x89LDB" and hashlib.sha256(header[:60]).digest()[:16] == header[60:]
    form, algorithm, derivation, size = header[4:8]
    assert (form, derivation, size) == (1, 1, 16)
    (iterations,) = struct.unpack(">I", header[8:12])
    salt = header[12:28]
    text = unicodedata.normalize("NFC", passphrase).encode()
    stretched = hashlib.pbkdf2_hmac("sha256", text, salt, iterations, 32)
    assert hkdf(stretched, salt, b"LocalData backup commitment") == header[28:60]
    key = hkdf(stretched, salt, b"LocalData backup" + hashlib.sha256(header).digest())
    cipher = {1: AESGCM, 2: ChaCha20Poly1305}[algorithm](key)
    chunks, start = [], 76
    while start < len(data):
        end = min(start + 65_536 + 16, len(data))
        nonce = bytes(7) + struct.pack(">IB", len(chunks), end == len(data))
        chunks.append(cipher.decrypt(nonce, data[start:end], None))
        start = end
    return b"".join(chunks)


def public_key(pair):
    data = base64.b64decode(pair)
    assert len(data) == 112 and data[:7] == b"LDSK\x01\x02\x01"
    private = ec.derive_private_key(int.from_bytes(data[80:], "big"), ec.SECP256R1())
    form = serialization.PublicFormat.UncompressedPoint
    point = private.public_key().public_bytes(serialization.Encoding.X962, form)
    assert point == data[15:80]
    return point.hex()


text = document(open(sys.argv[2], "rb").read(), sys.argv[1])
body, last = text[:-1].rsplit(b"\n", 1)
parsed = json.loads(text)
assert parsed["sha256"] == hashlib.sha256(body + b"\n").hexdigest()
for name, rows in parsed["records"].items():
    assert len(rows) == parsed["counts"][name]
    for row in rows:
        print(name, row["id"], row.get("credential", row.get("claims", "")))
for name, value in parsed["keys"].items():
    if not isinstance(value, list):
        print(name, json.dumps(value))
        continue
    for member in value:
        print(name, *member["parameters"].values(), public_key(member["value"]))
