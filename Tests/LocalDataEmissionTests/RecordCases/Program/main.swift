// Saves the records of the cases in memory and reads them again. It prints what is wrong.

import Foundation
import LocalData
import LocalDataBackup
@_spi(Generated) import LocalDataRecords

func check(_ condition: Bool, line: Int = #line) {
  if !condition { print("main.swift:\(line)") }
}

let id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
let start = Date(timeIntervalSinceReferenceDate: 0)
let address = URL(fileURLWithPath: "/a")
let part = EveryPart(name: "a", parts: [EveryPart(name: ""), EveryPart(name: "b", parts: [EveryPart(name: "c")])])
let whole = EveryStruct(
  text: "", flag: false, int: 0, int8: -1, int16: 0, int32: 7, int64: 0, uint8: 200, uint16: 0, uint32: .max, double: 0,
  float: 0.1, date: start, data: Data(), uuid: id, url: address, decimal: 0, word: .none, level: .none,
  note: EveryNote(text: "x"), texts: ["", "a"], numbers: [0, -1, 5], flags: [true, false], doubles: [0, 1.5],
  floats: [0.1], dates: [start], words: [.none, .some], levels: [.none, .some], notes: [EveryNote(text: "n")],
  parts: [part, EveryPart(name: "")], names: ["", "x"], bytes: [0, 255], ids: [id], counts: ["": 0, "a": -5],
  titles: [.none: address], partsByID: [id: part])
var column = EveryColumn(
  id: 5, text: "", flag: false, int: 0, int8: -1, int16: 0, int32: 7, int64: 0, uint8: 200, uint16: 0, uint32: .max,
  double: 0, float: 0.1, date: start, data: Data(), uuid: id, url: address, decimal: 0, word: .none, level: .none,
  note: EveryNote(text: "x"), texts: ["", "a"], textsMaybe: [], numbers: [0, -1, 5], numbersMaybe: [],
  flags: [true, false], doubles: [0, 1.5], floats: [0.1], dates: [start], words: [.none, .some],
  levels: [.none, .some], notes: [EveryNote(text: "n")], parts: [part, EveryPart(name: "")], names: ["", "x"],
  bytes: [0, 255], ids: [id], counts: ["": 0, "a": -5], countsMaybe: [:], titles: [.none: address],
  partsByID: [id: part], whole: whole)
var sealed = EverySealed(
  text: "", flag: false, int: 0, int8: -1, int16: 0, int32: 7, int64: 0, uint8: 200, uint16: 0, uint32: .max, double: 0,
  float: 0.1, date: start, data: Data(), uuid: id, url: address, decimal: 0, word: .none, level: .none,
  note: EveryNote(text: "x"), texts: ["", "a"], numbers: [0, -1, 5], flags: [true, false], doubles: [0, 1.5],
  floats: [0.1], dates: [start], words: [.none, .some], levels: [.none, .some], notes: [EveryNote(text: "n")],
  parts: [part, EveryPart(name: "")], names: ["", "x"], bytes: [0, 255], ids: [id], counts: ["": 0, "a": -5],
  titles: [.none: address], partsByID: [id: part], seconds: Date(timeIntervalSince1970: 0), whole: whole)

let router = StorageRouter.inMemory()
try router.registerCatalog(EveryFieldCatalog.self)
try router.registerCatalog(WalletCatalog.self)
try router.registerCatalog(SharedCatalog.self)
try router.registerCatalog(NotesCatalog.self)

// Columns.
try await router.everyColumns.save(column)
check(try await router.everyColumns.fetch(id: 5) == column)
(column.intDefault, column.textDefault, column.tags, column.sizes) = (0, "", [], [])
(column.maybe, column.noteMaybe, column.wordMaybe) = (whole, .first, EveryWord.none)
(column.partsMaybe, column.idsMaybe) = ([part], [id])
try await router.everyColumns.save(column)
check(try await router.everyColumns.fetch(id: 5) == column)

// Encrypted fields. A zero value is not the default, and not nil.
try await router.everySealed.save(sealed)
check(try await router.everySealed.fetch(id: sealed.id) == sealed)
(sealed.intDefault, sealed.textDefault, sealed.flagDefault, sealed.doubleDefault) = (0, "", false, 0)
(sealed.wordDefault, sealed.dataDefault) = (.some, Data())
(sealed.textMaybe, sealed.intMaybe, sealed.wordMaybe, sealed.levelMaybe) = ("", 0, EveryWord.none, EveryLevel.none)
(sealed.maybe, sealed.noteMaybe, sealed.uuidMaybe) = (whole, EveryNote(text: ""), id)
(sealed.blindText, sealed.secondsMaybe) = ("b", Date(timeIntervalSince1970: 0))
try await router.everySealed.save(sealed)
check(try await router.everySealed.fetch(id: sealed.id) == sealed)

// Backups of values that are zero, and of those that are not.
func checkBackup(_ columns: [EveryColumn], _ sealed: [EverySealed]) async throws {
  let (old, new) = (StorageRouter.inMemory(), StorageRouter.inMemory())
  for router in [old, new] { try router.registerCatalog(EveryFieldCatalog.self) }
  for column in columns { try await old.everyColumns.save(column) }
  for record in sealed { try await old.everySealed.save(record) }
  let file = try await old.backups.export(.everything, passphrase: "a passphrase")
  let restore = try await new.backups.stage(.everything, from: file.url, passphrase: "a passphrase")
  try await restore.apply(.replace)
  check(try await Set(new.everyColumns.fetchAll()) == Set(columns))
  check(try await Set(new.everySealed.fetchAll()) == Set(sealed))
}
var (zeros, hidden) = (column, sealed)
zeros.id = 6
zeros.text = "other"
zeros.doubles = [.infinity, -.infinity, 0.1, -0.0]
zeros.date = Date(timeIntervalSinceReferenceDate: -0.1)
zeros.dates = [.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 1e-9)]
hidden.id = UUID()
hidden.uint32 = 0
hidden.int64 = .min
hidden.float = -.infinity
hidden.dates = zeros.dates
try await checkBackup([column, zeros], [sealed, hidden])

// The wallet.
let credential = Credential(
  id: "urn:1", format: .jwtVC, credential: "secret", iss: "i", iat: Date(timeIntervalSince1970: 5), type: "t")
try await router.credentials.insert(credential)
let history = SharingHistory(
  rp: "rp", createdAt: Date(), credentialID: "urn:1", claims: [Claim(claimKey: "k", claimValue: "v", purpose: "")])
try await router.sharingHistories.save(history)
check(try await router.credentials.where { $0.iss == "i" }.fetchAll() == [credential])
check(try await router.sharingHistories.fetchAll() == [history])
try await router.sharingHistories.save(SharingHistory(rp: "rp", createdAt: start, credentialID: "urn:1"))
check(try await router.sharingHistories.count() == 1)
var ending = credential
ending.exp = Date(timeIntervalSince1970: 10)
check(ending.isExpired(at: Date(timeIntervalSince1970: 10)) && !credential.isExpired(at: .distantFuture))
try await router.credentials.save(ending)
check(try await router.credentials.expired.fetchAll() == [ending])
check(try await router.credentials.expiring(within: 10).count() == 0)
check(try await router.credentials.delete(id: "urn:1"))
check(try await router.sharingHistories.count() == 0)

// Queries by enums and by a decimal, and a key that is not called `id`.
check(try await router.everyColumns.where { $0.word == EveryWord.none && $0.level == EveryLevel.none }.count() == 1)
check(try await router.everyColumns.where { $0.decimalDefault == 3.1 && $0.uint32 > 5 }.count() == 1)
let memo = Memo(default: "d", urn: "u", state: .open)
try await router.repeat.save(memo)
check(try await router.repeat.where { $0.state == .open && $0.default == "d" }.fetchAll() == [memo])
check(memo.id == "u")

// Values that cannot be saved.
for other in [Memo(default: "", urn: "u", state: .open), Memo(default: "d", urn: "v", row: -2, state: .open)] {
  do throws(StorageError) {
    try await router.repeat.save(other)
    check(false)
  } catch {
    check(error.code == .invalidValue && ["Memo.default", "Memo.row"].contains(error.subject.key))
    check(["count 1...3", "range -1..."].contains(error.validValues))
  }
}
check(try await router.repeat.fetchAll() == [memo])

// Descriptions contain no values.
var dumped = ""
dump(credential, to: &dumped)
for text in [dumped, "\(credential)", String(reflecting: credential)] {
  check(text.contains("Credential") && !text.contains("secret") && !text.contains("urn:1"))
}
#if DEBUG
  let shown = router.debugDescription(of: credential)
  check(shown == #"Credential(id: "urn:1", iat: 1970-01-01 00:00:05 +0000, exp: nil)"#)
  check(router.debugDescription(of: history) == "\(history)")
#endif

// Two releases of one record in a file: each row of the first gets the values of the second.
func launch(_ catalog: any StorageKeyCatalog.Type) throws -> StorageRouter {
  let router = StorageRouter(configuration: StorageConfiguration(applicationName: "Trips"))
  try router.registerCatalog(catalog)
  return router
}
let old = OldTrip(
  id: "a", texts: ["x", ""], sizes: [2, 1], kind: .ride, stops: [TripStop(name: "1"), TripStop(name: "2")],
  at: Date(timeIntervalSince1970: 7), secret: "s", codes: ["a": 5], place: TripStop(name: "here"), note: 0.5)
let bare = OldTrip(
  id: "b", texts: [""], sizes: nil, kind: .walk, stops: [], at: Date(timeIntervalSince1970: 0), secret: "", codes: [:])
let before = try launch(TripsBeforeCatalog.self)
for trip in [old, bare] { try await before.oldTrips.save(trip) }
let after = try launch(TripsAfterCatalog.self)
check(
  try await after.newTrips.fetch(id: "a")
    == NewTrip(
      id: "a", summary: "x [1, 2] r", stops: [TripStop(name: "2"), TripStop(name: "1")],
      at: Date(timeIntervalSince1970: 8), secret: "s 5 here", sizes: [1, 2], note: 0.5, kinds: [.ride, .ride]))
check(
  try await after.newTrips.where { $0.secret == " 0 nowhere" }.fetchAll() == [
    NewTrip(
      id: "b", summary: nil, stops: [], at: Date(timeIntervalSince1970: 1), secret: " 0 nowhere", sizes: [], note: -1,
      kinds: [.walk, .walk])
  ])
do {
  _ = try await before.oldTrips.fetchAll()
  check(false)
} catch {
  guard error.code == .newerSchema else { throw error }
}

// Rows on a disk, which another program reads. The first argument is the path of the opened sealed part.
if let path = CommandLine.arguments.dropFirst().first {
  let writer = try launch(EveryFieldCatalog.self)
  try await writer.everyColumns.save(column)
  try await writer.everySealed.save(sealed)
  let opened = try await writer.records(OpenedPart.self).fetchAll()
  check(opened.count == 1)
  try opened.first?.message.write(to: URL(fileURLWithPath: path))
}
