import Foundation
import LocalData
@_spi(Generated) import LocalDataRecords

/// A database with one expected record of each type.
struct FixtureDatabase: FixtureSubject {
  private let store: @Sendable () throws -> FixtureStore
  private let restore: @Sendable (StorageRouter, _ content: [String]) throws -> Void
  private let content: @Sendable (StorageRouter) async throws -> [String]
  private var rows: [Row] = []

  private struct Row: Sendable {
    var record: String
    var save: @Sendable (StorageRouter, _ release: String) async throws -> Void
    var isRead: @Sendable (StorageRouter, _ release: String) async throws -> Bool
  }

  init<Database: RecordDatabase>(_ database: Database.Type) {
    store = { try FixtureStore(for: database) }
    restore = { _ = try RecordStore.of(database, on: $0, content: $1) }
    content = { try await $0.read(database) { try $0.content() } }
  }

  /// Adds a record. A record to which it refers is added before it.
  mutating func add<Record: StorageRecord>(_ value: @escaping @Sendable (_ release: String) -> Record) {
    rows.append(
      Row(record: Record.declaration.name) { router, release in
        try await router.records(Record.self).insert(value(release))
      } isRead: { router, release in
        let value = value(release)
        return try await router.records(Record.self).fetch(id: value.id) == value
      })
  }

  func record(release: String, member: String) async throws -> Data {
    do {
      let store = try store()
      for row in rows { try await row.save(store.router, release) }
      var file = store.file
      file.database = .init(records: rows.map(\.record).sorted(), content: try await content(store.router))
      return try file.bytes
    } catch let error as StorageError {
      throw StorageFixtureError("\(member) of \(release) cannot be recorded: \(error)")
    }
  }

  func check(_ file: FixtureFile, release: String, name: String) async throws {
    guard let database = file.database else { throw StorageFixtureError("\(name): the file has no database.") }
    do {
      let store = try store()
      try store.fill(with: file)
      try restore(store.router, database.content)
      // The release has no rows of the other records.
      for row in rows where database.records.contains(row.record) {
        guard try await row.isRead(store.router, release) else {
          throw StorageFixtureError(
            "\(name): today's code reads another '\(row.record)' than the one that was stored, or none.")
        }
      }
    } catch let error as StorageError {
      throw StorageFixtureError("\(name): \(error)")
    }
  }
}
