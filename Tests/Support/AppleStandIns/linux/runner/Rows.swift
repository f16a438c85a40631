import CLocalDataSQLite
import Darwin
import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import Security
import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// A record with an encrypted field, and one that belongs to it, in the form that the generator emits.
private struct Ticket: StorageRecord {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration {
      RecordDatabaseDeclaration(
        "tickets", .fileSystem(directory: .applicationSupport), protection: .complete,
        isInBackup: isInBackup.withLock { $0 }, records: { [Ticket.declaration, Use.declaration] })
    }
  }

  static let isInBackup = Lock(true)

  struct Columns: Sendable {
    let day = RecordColumn<Ticket, Int>(1)
  }

  static let declaration = RecordDeclaration(
    "Ticket", key: 1, [.init(1, "id", .text), .init(2, "day", .integer), .init(0, "sealed", .sealed)],
    sealed: [.init(3, "String")], indexes: [[2]])
  static var columns: Columns { Columns() }

  var id: String
  var day: Int
  var code: String

  init(id: String, day: Int, code: String) { (self.id, self.day, self.code) = (id, day, code) }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, day, code) = (try row.text(0), try row.integer(1), "")
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 26 { code = try reader.text() } else { try reader.skip(field) }
      }
    }
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.integer(day)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in writer.text(code, 3) }
  }
}

/// A use of a ticket. It is deleted with the ticket.
private struct Use: StorageRecord {
  typealias Database = Ticket.Database
  struct Columns: Sendable {}
  static let declaration = RecordDeclaration(
    "Use", key: 1,
    [.init(1, "id", .integer), .init(2, "ticket", .text, references: "Ticket", onDelete: .cascade)], indexes: [[2]])
  static var columns: Columns { Columns() }

  var id: Int
  var ticket: String

  init(id: Int, ticket: String) { (self.id, self.ticket) = (id, ticket) }

  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, ticket) = (try row.integer(0), try row.text(1)) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.text(ticket)
  }
}

private enum TicketCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Ticket.Database.self)] }
}

/// A visit, in a database of an app group.
private struct Visit: StorageRecord {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration {
      RecordDatabaseDeclaration(
        "visits", .appGroupFileSystem(identifier: "group.rows", directory: .applicationSupport),
        records: { [Visit.declaration] })
    }
  }
  struct Columns: Sendable {}
  static let declaration = RecordDeclaration("Visit", key: 1, [.init(1, "id", .integer)])
  static var columns: Columns { Columns() }

  var id: Int

  init(id: Int) { self.id = id }

  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.integer(0) }

  func write(to row: inout RecordWriter) throws(StorageProblem) { row.integer(id) }
}

private enum VisitCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Visit.Database.self)] }
}

extension Device {
  fileprivate func tickets() throws -> Records<Ticket> { try launch(TicketCatalog.self).records(Ticket.self) }
}

/// Checks what a call on records waits for.
private func commitChecks(_ checks: Checks) async {
  let ticket = Ticket(id: "a", day: 3, code: "open sesame")
  func log(_ device: Device) throws -> String {
    let names = try FileManager.default.subpathsOfDirectory(atPath: device.folder.path)
    guard let name = names.first(where: { $0.hasSuffix("tickets.db-wal") }) else { throw Broken("no log: \(names)") }
    return device.folder.appendingPathComponent(name).path
  }
  await checks.check("rows: a change is on the drive's medium, and fails if the drive does") {
    let device = Device()
    let router = try device.launch(TicketCatalog.self)
    let tickets = router.records(Ticket.self)
    try await tickets.save(ticket)
    for day in 4...6 {
      let before = FakeDarwin.fullSyncs
      try await tickets.update(id: "a") { $0.day = day }
      try expect(FakeDarwin.fullSyncs - before, 1, "full syncs of an update")
    }
    FakeDarwin.fullSyncFailure = EIO
    defer { FakeDarwin.fullSyncFailure = nil }
    try await expectError("io", "an update") { try await tickets.update(id: "a") { $0.day = 7 } }
    // It finds what is not on the medium, and has nothing to change.
    try await expectError("io", "a transaction that reads") {
      try await router.transaction(in: Ticket.Database.self) { try $0.records(Ticket.self).count() }
    }
    FakeDarwin.fullSyncFailure = nil
    try await tickets.update(id: "a") { $0.day = 7 }
    try expect(try await device.tickets().fetch(id: "a")?.day, 7, "the next launch")
  }
  await checks.check("rows: a rotation, and a removal of everything, are on the drive's medium") {
    let router = try Device().launch(TicketCatalog.self)
    try await router.records(Ticket.self).save(ticket)
    FakeDarwin.fullSyncFailurePath = "tickets.db-wal"
    FakeDarwin.fullSyncFailure = EIO
    defer {
      FakeDarwin.fullSyncFailure = nil
      FakeDarwin.fullSyncFailurePath = ""
    }
    try expect(try await router.maintenance.rotateKeys().failures.count, 1, "failures")
    try await expectError("io", "a removal") { try await router.removeAll(in: Ticket.Database.self) }
  }
  await checks.check("rows: a change is synced while its log cannot be opened") {
    let device = Device()
    let tickets = try device.tickets()
    try await tickets.save(ticket)
    let before = FakeDarwin.fullSyncs
    try require(chmod(try log(device), 0) == 0, "errno \(errno)")
    try await tickets.update(id: "a") { $0.day = 4 }
    try expect(FakeDarwin.fullSyncs - before, 1, "full syncs")
  }
  await checks.check("rows: changes that were committed together are not made again if the drive fails") {
    let tickets = try Device().tickets()
    try await tickets.save(ticket)
    FakeDarwin.fullSyncFailures = 1
    FakeDarwin.fullSyncFailure = EIO
    defer {
      FakeDarwin.fullSyncFailure = nil
      FakeDarwin.fullSyncFailures = .max
    }
    let failed = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<60 {
        group.addTask {
          do { try await tickets.update(id: "a") { $0.day += 1 } } catch { return 1 }
          return 0
        }
      }
      return await group.reduce(0, +)
    }
    try require(failed > 0, "no update failed")
    try expect(try await tickets.fetch(id: "a")?.day, 63, "the day after 60 updates")
  }
  await checks.check("rows: a transaction of a group that outlasts its background time is undone") {
    let device = Device()
    let router = try device.launch(VisitCatalog.self)
    try await router.records(Visit.self).save(Visit(id: 1))
    try await expectError("busy", "a transaction") {
      try await router.transaction(in: Visit.Database.self) { visits in
        Thread.detachNewThread { FakeActivities.shared.expire() }
        for id in 2..<5_000 {
          try visits.records(Visit.self).insert(Visit(id: id))
          usleep(1_000)
        }
      }
    }
    try expect(try await router.records(Visit.self).count(), 1, "visits")
    try await router.records(Visit.self).save(Visit(id: 2))
    try expect(try await device.launch(VisitCatalog.self).records(Visit.self).count(), 2, "the next launch")
  }
}

/// Checks records whose key is in the keychain.
func rowChecks(_ checks: Checks) async {
  await commitChecks(checks)
  let ticket = Ticket(id: "a", day: 3, code: "open sesame")
  await checks.check("rows: the next launch reads what was saved, and a deletion takes what belongs to it") {
    let device = Device()
    let router = try device.launch(TicketCatalog.self)
    try await router.records(Ticket.self).save(ticket)
    try await router.transaction(in: Ticket.Database.self) { tickets in
      try tickets.records(Use.self).insert(Use(id: 1, ticket: "a"))
      try tickets.records(Ticket.self).update(id: "a") { $0.day = 4 }
    }
    let later = try device.launch(TicketCatalog.self)
    let found = try await later.records(Ticket.self).where { $0.day == 4 }.fetchAll()
    try expect(found, [Ticket(id: "a", day: 4, code: "open sesame")], "the ticket")
    try await later.records(Ticket.self).delete(id: "a")
    try expect(try await device.launch(TicketCatalog.self).records(Use.self).count(), 0, "uses")
  }
  await checks.check("rows: a column that does not exist is an error, also in double quotes") {
    let device = Device()
    try await device.tickets().save(ticket)
    let router = try device.launch(TicketCatalog.self)
    try await expectError("invalidQuery", "a query") {
      try await router.read(Ticket.Database.self) { try $0.rows(#"SELECT "no column" FROM Ticket"#) }
    }
  }
  await checks.check("rows: before the first unlock nothing is absent, and no key is replaced") {
    let device = Device()
    try await device.tickets().save(ticket)
    Device.keychain.state = .beforeFirstUnlock
    defer { Device.keychain.state = .unlocked }
    let locked = try device.tickets()
    try await expectError("locked", "fetch") { try await locked.fetch(id: "a") }
    try await expectError("locked", "save") { try await locked.save(ticket) }
    Device.keychain.state = .unlocked
    try expect(try await locked.fetch(id: "a"), ticket, "after the unlock")
    try expect(try await device.tickets().fetchAll(), [ticket], "the next launch")
  }
  await checks.check("rows: without the keychain of the old device, encrypted rows are errors, and others are read") {
    let device = Device()
    try await device.tickets().save(ticket)
    try device.restoreWithoutKeychain()
    let router = try device.launch(TicketCatalog.self)
    try await expectError("keyMaterialMissing", "fetch") { try await router.records(Ticket.self).fetchAll() }
    try await expectError("keyMaterialMissing", "save") { try await router.records(Ticket.self).save(ticket) }
    try await router.records(Use.self).insert(Use(id: 1, ticket: "a"))
    try expect(try await router.records(Use.self).count(), 1, "uses")
  }
  await checks.check("rows: under memory pressure the pages of databases are released") {
    let tickets = try Device().tickets()
    let code = String(repeating: "x", count: 100_000)
    for id in 0..<20 { try await tickets.save(Ticket(id: "\(id)", day: id, code: code)) }
    try expect(try await tickets.fetchAll().count, 20, "tickets")
    let before = sqlite3_memory_used()
    FakeMemoryPressure.shared.warn()
    try expect(sqlite3_memory_used() < before - 500_000, true, "released")
    try expect(try await tickets.fetchAll().count, 20, "tickets afterwards")
  }
  await checks.check("rows: a backup contains neither a database nor its log if the release says so, also later") {
    var device = Device()
    defer { Ticket.isInBackup.withLock { $0 = true } }
    for isInBackup in [true, false] {
      Ticket.isInBackup.withLock { $0 = isInBackup }
      device = try Device(restarting: device, unloaded: [:])
      let tickets = try device.tickets()
      try await tickets.save(ticket)
      let names = try FileManager.default.subpathsOfDirectory(atPath: device.folder.path)
      for name in names where name.hasSuffix("tickets.db") || name.hasSuffix("tickets.db-wal") {
        let path = device.folder.appendingPathComponent(name).path
        try expect(FakeProtection.isExcluded(path), !isInBackup, "\(name) is excluded")
      }
      try expect(names.contains { $0.hasSuffix("tickets.db-wal") }, true, "there is a log")
    }
  }
  await checks.check("rows: an app that is installed again begins with no rows") {
    let device = Device()
    try await device.tickets().save(ticket)
    try device.reinstall()
    try expect(try await device.tickets().fetchAll(), [], "rows")
    try await device.tickets().save(ticket)
    try expect(try await device.tickets().fetch(id: "a"), ticket, "afterwards")
  }
}
