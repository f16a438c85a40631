#!/usr/bin/env python3
"""Makes stores of other libraries in a folder, and prints what they contain.

usage: old_stores.py FOLDER SEED [ROWS]

FOLDER/DataModel.sqlite  as Core Data makes it: entities with their numbers, an entity that inherits from another one, a hidden
                         and ordered column for a relationship without an inverse, a table that joins two entities, in an order,
                         and large values in files beside the store
FOLDER/notes.sqlite      as GRDB makes it: names as written, dates as text in UTC, references by keys

The process that writes the last rows is killed: they are in the logs alone. The output is JSON, read by other statements than the
ones of the library.
"""
import base64
import datetime
import json
import os
import pathlib
import random
import signal
import sqlite3
import sys
import uuid

SECRET = "k1"

CORE_DATA = """
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
INSERT INTO Z_PRIMARYKEY VALUES (1, 'ClaimEntity', 0, 0), (2, 'CredentialDataEntity', 0, 0),
  (3, 'SignedCredentialEntity', 2, 0), (4, 'HistoryEntity', 0, 0), (5, 'LabelEntity', 0, 0);
CREATE TABLE ZCREDENTIALDATAENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZEXP TIMESTAMP, ZFORMAT VARCHAR,
  ZID VARCHAR, ZSIGNATURE BLOB, ZPHOTO BLOB);
CREATE TABLE ZHISTORYENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREDENTIAL INTEGER, ZRP VARCHAR);
CREATE INDEX ZHISTORYENTITY_ZCREDENTIAL_INDEX ON ZHISTORYENTITY (ZCREDENTIAL);
CREATE TABLE ZCLAIMENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z4CLAIMS INTEGER, Z_FOK_4CLAIMS INTEGER,
  ZCLAIMNAME VARCHAR, ZCLAIMVALUE VARCHAR, ZPURPOSE VARCHAR);
CREATE INDEX ZCLAIMENTITY_Z4CLAIMS_INDEX ON ZCLAIMENTITY (Z4CLAIMS);
CREATE TABLE ZLABELENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
CREATE TABLE Z_4LABELS (Z_4HISTORIES INTEGER, Z_5LABELS INTEGER, Z_FOK_5LABELS INTEGER, PRIMARY KEY (Z_4HISTORIES, Z_5LABELS));
"""

NOTES = """
CREATE TABLE note (id TEXT, body TEXT, mood TEXT, stars INTEGER, written_at DATETIME, size, parent TEXT);
"""


def opened(path, tables):
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.executescript(tables)
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store


def photo(chance, folder):
    """Returns the bytes of a column with external storage: 1 and the value, or 2 and the name of a file."""
    if chance.random() < 0.3:
        return None
    value = chance.randbytes(chance.randrange(200))
    if chance.random() < 0.6:
        return b"\x01" + value
    name = str(uuid.UUID(bytes=chance.randbytes(16), version=4)).upper()
    external = folder / ".DataModel_SUPPORT" / "_EXTERNAL_DATA"
    external.mkdir(parents=True, exist_ok=True)
    (external / name).write_bytes(value)
    return b"\x02" + name.encode() + b"\0"


def write_wallet(store, chance, folder, numbers):
    def text():
        return "".join(chance.choice("aé'\"日 z") for _ in range(chance.randrange(1, 12)))

    labels = [row[0] for row in store.execute("SELECT Z_PK FROM ZLABELENTITY")]
    for number in numbers:
        exp = None if chance.random() < 0.3 else chance.choice([chance.randrange(10**9), chance.random() * 10**9])
        store.execute(
            "INSERT INTO ZCREDENTIALDATAENTITY VALUES (?, ?, 1, ?, ?, ?, ?, ?)",
            (number, chance.choice([2, 3]), exp, f"{SECRET}:{text()}", f"urn:{number}", chance.randbytes(4),
             photo(chance, folder)))
        history = number * 3
        store.execute("INSERT INTO ZHISTORYENTITY VALUES (?, 4, 1, ?, ?)", (history, chance.randint(1, number), f"rp{number}"))
        orders = chance.sample(range(100), chance.randrange(4))
        for place, order in enumerate(orders):
            store.execute(
                "INSERT INTO ZCLAIMENTITY VALUES (?, 1, 1, ?, ?, ?, ?, ?)",
                (number * 10 + place, history, order, text(), text(), chance.choice([None, text()])))
        for order, label in enumerate(chance.sample(labels, chance.randrange(len(labels) + 1))):
            store.execute("INSERT INTO Z_4LABELS VALUES (?, ?, ?)", (history, label, order))


def write_notes(store, chance, numbers):
    forms = ["2025-10-09 08:53:20.125", "2024-02-29 23:59:59.999", "1969-12-31 23:59:58.000", "2025-10-09T08:53:20Z", "2025-10-09"]
    for number in numbers:
        store.execute(
            "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?)",
            (f"n{number}", f"note {number}", chance.choice([None, "calm", "tense"]), chance.choice([None, 1, 5]),
             chance.choice(forms), chance.choice([None, 4.0, 7]), chance.choice([None, f"n{chance.randint(1, number + 3)}"])))


def text_of(value):
    return None if value is None else base64.b64encode(value).decode()


def wallet(store, folder):
    def bytes_of(value):
        if value is None or value[:1] == b"\x01":
            return None if value is None else value[1:]
        return (folder / ".DataModel_SUPPORT" / "_EXTERNAL_DATA" / value[1:-1].decode()).read_bytes()

    credentials = [
        {"id": row[0], "format": row[1].removeprefix(f"{SECRET}:"), "exp": row[2], "photo": text_of(bytes_of(row[3]))}
        for row in store.execute("SELECT ZID, ZFORMAT, ZEXP, ZPHOTO FROM ZCREDENTIALDATAENTITY WHERE Z_ENT IN (2, 3) ORDER BY ZID")]
    histories = [
        {"rp": row[1], "credentialID": row[2],
         "claims": [list(claim) for claim in store.execute(
             "SELECT ZCLAIMNAME, ZCLAIMVALUE, ZPURPOSE FROM ZCLAIMENTITY WHERE Z4CLAIMS = ? ORDER BY Z_FOK_4CLAIMS", row[:1])],
         "labels": [label[0] for label in store.execute(
             "SELECT ZTITLE FROM Z_4LABELS, ZLABELENTITY WHERE Z_5LABELS = Z_PK AND Z_4HISTORIES = ? ORDER BY Z_FOK_5LABELS",
             row[:1])]}
        for row in store.execute(
            "SELECT h.Z_PK, ZRP, ZID FROM ZHISTORYENTITY h JOIN ZCREDENTIALDATAENTITY c ON c.Z_PK = ZCREDENTIAL ORDER BY ZRP")]
    return {"credentials": credentials, "histories": histories}


def seconds(text):
    date = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return date.replace(tzinfo=datetime.timezone.utc).timestamp()


def notes(store):
    return [
        {"id": row[0], "text": row[1], "mood": row[2], "stars": row[3], "written": seconds(row[4]), "size": row[5],
         "parentID": row[6]}
        for row in store.execute(
            "SELECT id, body, mood, coalesce(stars, 3), written_at, CAST(size AS INTEGER), "
            "(SELECT p.id FROM note p WHERE p.id = note.parent) FROM note ORDER BY id")]


def main():
    folder, chance, rows = pathlib.Path(sys.argv[1]), random.Random(int(sys.argv[2])), int((sys.argv[3:] or ["40"])[0])
    folder.mkdir(parents=True, exist_ok=True)
    first, last = range(1, rows // 2), range(rows // 2, rows)
    writer = os.fork()
    if writer == 0:
        core = opened(folder / "DataModel.sqlite", CORE_DATA)
        core.executemany("INSERT INTO ZLABELENTITY VALUES (?, 5, 1, ?)", [(1, "home"), (2, "work"), (3, "own")])
        grdb = opened(folder / "notes.sqlite", NOTES)
        for numbers in (first, last):
            for store in (core, grdb):
                store.execute("BEGIN")
            write_wallet(core, chance, folder, numbers)
            write_notes(grdb, chance, numbers)
            for store in (core, grdb):
                store.execute("COMMIT")
                if numbers == first:
                    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(writer, 0)
    # The reading of a copy changes nothing of the stores.
    copy = folder / "copy"
    copy.mkdir()
    for name in ("DataModel.sqlite", "notes.sqlite"):
        for suffix in ("", "-wal"):
            (copy / (name + suffix)).write_bytes((folder / (name + suffix)).read_bytes())
    contents = wallet(sqlite3.connect(copy / "DataModel.sqlite"), folder)
    contents["notes"] = notes(sqlite3.connect(copy / "notes.sqlite"))
    json.dump(contents, sys.stdout)


main()
