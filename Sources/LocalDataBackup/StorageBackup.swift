public import LocalDataRecords
import LocalDataShapes
import LocalDataFoundation

/// A backup of an app that the user keeps: the records and keys that its file contains. The generator emits one for each entry of
/// `backupFiles`.
///
/// ```swift
/// let file = try await router.backups.export(.full, passphrase: passphrase)
/// ```
public struct StorageBackup: Sendable {
  /// The name in the catalog, which the file contains.
  public let name: String
  /// A Boolean value that indicates whether the file is sealed with a passphrase.
  public let isEncrypted: Bool
  /// A Boolean value that indicates whether the file has private keys, and nothing else.
  public let isPrivate: Bool
  let catalog: String
  let records: @Sendable () -> [any StorageRecord.Type]
  let keys: @Sendable () -> [BackupKey]
  /// The names and types of the records' fields, as JSON.
  let schema: String
  /// The stored names of records and keys that earlier releases had. Their values are left out of a restore.
  let ended: Set<String>
  let endedKeys: Set<String>
  /// The titles and the omissions of a document about the user, or nil if this is a backup, which can be restored.
  let personalData: PersonalData?

  /// Creates a backup. Generated code calls it.
  ///
  /// - Parameters:
  ///   - name: The name in the catalog.
  ///   - catalog: The name of the catalog.
  ///   - isEncrypted: False if the file is a plain document.
  ///   - isPrivate: True if the keys are private keys.
  ///   - schema: The names and types of the records' fields, as JSON.
  ///   - records: The types of the records. They are of one database.
  ///   - keys: The keys.
  ///   - ended: The stored names of records that only earlier releases had.
  ///   - endedKeys: The stored names of keys that only earlier releases had.
  ///   - titles: The titles of the records and keys of a document about the user; nil for a backup.
  ///   - leftOut: The names of secrets, and of data that a document about the user cannot have.
  @_spi(Generated) public init(
    _ name: String, catalog: String, isEncrypted: Bool = true, isPrivate: Bool = false,
    schema: String = #"{"records":{},"types":{}}"#,
    records: @escaping @Sendable () -> [any StorageRecord.Type] = { [] },
    keys: @escaping @Sendable () -> [BackupKey] = { [] }, ended: Set<String> = [], endedKeys: Set<String> = [],
    titles: [String: String]? = nil, leftOut: [String] = []
  ) {
    self.name = name
    self.catalog = catalog
    self.isEncrypted = isEncrypted
    self.isPrivate = isPrivate
    self.schema = schema
    self.records = records
    self.keys = keys
    self.ended = ended
    self.endedKeys = endedKeys
    personalData = titles.map { PersonalData(titles: $0, leftOut: leftOut) }
  }
}

extension StorageBackup {
  /// The smallest number of characters of a passphrase.
  var minimumPassphrase: Int { isPrivate ? 15 : 8 }

  /// The iterations of PBKDF2 in new files.
  var iterations: Int { isPrivate ? 2_000_000 : 1_000_000 }

  /// The tables of the records.
  var shape: RecordShape { RecordShape(records().map { $0.declaration }) }

  /// The records, each after those to which it refers.
  var parentsFirst: [any StorageRecord.Type] {
    var rest: [any StorageRecord.Type] = records()
    var sorted: [any StorageRecord.Type] = []
    rest.sort { $0.declaration.name < $1.declaration.name }
    let shape = shape
    while !rest.isEmpty {
      let waiting = Set(rest.map { $0.declaration.name })
      let next =
        rest.firstIndex { type in
          let name = type.declaration.name
          let parents = (shape.records[name]?.references ?? [:]).values.map(\.record)
          return parents.allSatisfy { $0 == name || !waiting.contains($0) }
        } ?? 0
      sorted.append(rest.remove(at: next))
    }
    return sorted
  }
}

/// The progress of an export or a restore.
public struct BackupProgress: Sendable, Hashable {
  /// The number of rows that are done.
  public var completed: Int
  /// The number of rows; nil if it is not known.
  public var total: Int?
}
