public import LocalData
public import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// A store of another library whose rows become records. Generated code declares it.
@_spi(Generated) public struct ImportSource: Sendable {
  let name: String
  /// A Boolean value that indicates whether the files may be removed when the rows were imported.
  let isExclusive: Bool
  let content: Content
  let imports: [AnyRecordImport]

  enum Content: Sendable {
    case store(ImportedForm, ImportedPlace, prepare: @Sendable (StorageRouter) async throws -> any Sendable)
    /// A legacy key, by the function that reads its elements.
    case list(AnyStorageKey, read: @Sendable (StorageRouter) async throws -> [any Sendable]?)
  }

  /// A file of another library. `make` is called before the rows are read, and may read legacy keys.
  public static func store<Source: Sendable>(
    _ name: String, _ form: ImportedForm, _ place: ImportedPlace, isExclusive: Bool = false,
    using make: @escaping @Sendable (StorageRouter) async throws -> Source, _ imports: [RecordImport<Source>]
  ) -> ImportSource {
    ImportSource(
      name: name, isExclusive: isExclusive, content: .store(form, place, prepare: { try await make($0) }),
      imports: imports.map(\.erased))
  }

  /// A file of another library whose values need no object of the app.
  public static func store(
    _ name: String, _ form: ImportedForm, _ place: ImportedPlace, isExclusive: Bool = false,
    _ imports: [RecordImport<Void>]
  ) -> ImportSource { store(name, form, place, isExclusive: isExclusive, using: { _ in }, imports) }

  /// A legacy key that contains a list.
  public static func list<Element: Sendable>(
    _ name: String, _ key: StorageKey<[Element]?>, isExclusive: Bool = false, _ imports: [RecordImport<Element>]
  ) -> ImportSource {
    ImportSource(
      name: name, isExclusive: isExclusive,
      content: .list(.key(key), read: { try await $0.get(key) }), imports: imports.map(\.erased))
  }
}

/// The place of a file of another library.
@_spi(Generated) public struct ImportedPlace: Sendable {
  let directory: ForeignDirectory
  let group: ImportedGroup?
  let path: [String]

  public init(_ directory: ForeignDirectory, _ path: [String]) {
    self.directory = directory
    group = nil
    self.path = path
  }

  /// A file of an app group; nil is the configured one.
  public init(_ directory: ForeignDirectory, ofGroup identifier: String?, _ path: [String]) {
    self.directory = directory
    group = ImportedGroup(identifier: identifier)
    self.path = path
  }

  struct ImportedGroup: Sendable {
    let identifier: String?
  }

  /// Returns the file.
  func file(_ router: StorageRouter) throws(StorageProblem) -> FileLocation? {
    guard let locations = router.values(for: nil).services.locations, let name = path.last else { return nil }
    let configuration = router.setup.withLock(\.storage)
    let identifier = try group.map { (group) throws(StorageProblem) in try configuration.group(group.identifier) }
    var folder = try locations.foreignFolder(directory, group: identifier)
    folder.parts += path.dropLast()
    return FileLocation(folder: folder, name: name)
  }
}

/// The import of rows or elements as records. Generated code declares it.
@_spi(Generated) public struct RecordImport<Source: Sendable>: Sendable {
  let erased: AnyRecordImport

  /// Creates the import of the rows of a table.
  ///
  /// - Parameters:
  ///   - clearing: Each function removes a reference, because the record that it names may be missing.
  ///   - read: Creates a record from a row.
  public init<Record: StorageRecord>(
    _ type: Record.Type, _ table: ImportedTable, clearing: [@Sendable (inout Record) -> Void] = [],
    _ read: @escaping @Sendable (borrowing ImportedRow, Source) throws -> Record
  ) {
    erased = AnyRecordImport(declaration: Record.declaration, table: table) { (row, source, session, isNew) throws in
      guard let (row, reader) = row, let source = source as? Source else { throw BadValue.wrongType }
      return try session.add(read(ImportedRow(row: row, reader: reader), source), clearing, isNew: isNew)
    }
  }

  /// Creates the import of the elements of a list.
  ///
  /// - Parameters:
  ///   - clearing: Each function removes a reference, because the record that it names may be missing.
  ///   - make: Creates a record from an element.
  public init<Record: StorageRecord>(
    _ type: Record.Type, clearing: [@Sendable (inout Record) -> Void] = [],
    _ make: @escaping @Sendable (Source) throws -> Record
  ) {
    erased = AnyRecordImport(declaration: Record.declaration, table: nil) { (_, element, session, isNew) throws in
      guard let element = element as? Source else { throw BadValue.wrongType }
      return try session.add(make(element), clearing, isNew: isNew)
    }
  }
}

/// The import of a record, without the types of its source.
struct AnyRecordImport: Sendable {
  /// The part of a record that is stored.
  enum Stored: Sendable {
    case all
    /// The record without a reference, because the record that it names is missing.
    case withoutReference
    /// Nothing, because a record that it needs is missing.
    case nothing
  }

  let declaration: RecordDeclaration
  let table: ImportedTable?
  /// Stores the record that is made from a row by the source, or from an element, which takes the place of the source.
  let add: @Sendable (Row?, _ source: any Sendable, RecordSession, _ isNew: Bool) throws -> Stored

  typealias Row = (SQLiteRow, ImportReader)

  var name: String { declaration.name }

  /// A Boolean value that indicates whether the key is the number of the row itself. A UUID is made from the source too.
  var hasNumberAsKey: Bool {
    guard let key = declaration.columns.first, key.storage != .blob else { return false }
    return table?.columns.contains { column in
      if case .rowNumber = column.content { column.field == key.name } else { false }
    } ?? false
  }
}

extension RecordSession {
  /// Stores a record.
  fileprivate func add<Record: StorageRecord>(
    _ record: Record, _ clearing: [@Sendable (inout Record) -> Void], isNew: Bool
  ) throws(StorageProblem) -> AnyRecordImport.Stored {
    for cleared in Self.attempts(clearing.count) {
      var changed = record
      for index in cleared { clearing[index](&changed) }
      do throws(StorageProblem) {
        try save(changed, isNew: isNew)
        return cleared.isEmpty ? .all : .withoutReference
      } catch { guard error == .missingReference else { throw error } }
    }
    return .nothing
  }

  /// Returns the positions of the references that each attempt clears: nothing first, then as few as possible.
  private static func attempts(_ count: Int) -> [[Int]] {
    let all = Array(0..<count)
    // So many combinations would take too long.
    if count > 8 { return [[]] + all.map { [$0] } + [all] }
    return (0..<1 << count).map { bits in all.filter { bits >> $0 & 1 == 1 } }.sorted { $0.count < $1.count }
  }
}
