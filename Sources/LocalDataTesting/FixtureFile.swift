import Foundation
import LocalData
import LocalDataAudit

/// Stored bytes with their addresses, as JSON that a reviewer can read:
///
///     {
///       "format": 1,
///       "stored": [
///         {"bytes": "ImxpZ2h0Ig==", "container": {"kind": "preferences"}, "name": "theme"}
///       ]
///     }
///
/// The file of a database also has its `content` as statements of SQL, and the names of the `records` that it has rows of.
struct FixtureFile {
  static let suffix = ".json"

  private struct Form: Codable {
    var format: Int
    var stored: [Entry]
    var records: [String]?
    var content: [String]?
  }

  private struct Entry: Codable {
    var container: Container
    var name: String
    var bytes: Data
  }

  /// In the order of their names in the JSON.
  let entries: [(address: StorageAddress, bytes: Data)]

  /// The rows of a database; nil if the file is that of a key.
  var database: Database?

  struct Database {
    /// The stored names of the records that the database has a row of.
    var records: [String]
    /// The statements that create the tables with their rows.
    var content: [String]
  }

  init(_ entries: [(address: StorageAddress, bytes: Data)]) { self.entries = entries }

  init(_ json: Data) throws {
    let form = try JSONDecoder().decode(Form.self, from: json)
    guard form.format == 1 else { throw StorageFixtureError("unknown format") }
    if let records = form.records, let content = form.content {
      database = Database(records: records, content: content)
    }
    entries = try form.stored.map { entry in
      (StorageAddress(container: try entry.container.container, name: entry.name), entry.bytes)
    }
  }

  var bytes: Data {
    get throws {
      let stored = entries.map {
        Entry(container: Container($0.address.container), name: $0.address.name, bytes: $0.bytes)
      }
      .sorted { ($0.container.kind, $0.name) < ($1.container.kind, $1.name) }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let form = Form(format: 1, stored: stored, records: database?.records, content: database?.content)
      return try encoder.encode(form) + Data("\n".utf8)
    }
  }

  private struct Container: Codable {
    /// See ``StorageDomain/Kind/containerName``.
    var kind: String
    /// The suite, group or service.
    var identifier: String?
    var accessGroup: String?
    var synchronizable: Bool?
    var directory: FileDirectory?

    init(_ container: StorageContainer) {
      let domain = container.domain.kind
      let fields = container.domain.fields
      kind = domain.containerName
      identifier = fields.name
      accessGroup = fields.accessGroup
      if domain == .keychain { synchronizable = fields.synchronizable == true }
      directory = fields.directory
    }

    var container: StorageContainer {
      get throws {
        var fields = StorageDomain.Fields(named: identifier)
        fields.accessGroup = accessGroup
        fields.synchronizable = synchronizable
        fields.directory = directory
        guard let container = StorageContainer(kind, fields) else {
          throw StorageFixtureError("a place without a part of it")
        }
        return container
      }
    }
  }
}
