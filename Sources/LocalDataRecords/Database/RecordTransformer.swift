import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// Runs the transforms of a merge on each row of a table, in the transaction of the merge. One row at a time is in memory.
final class RecordTransformer {
  private let declaration: RecordDeclaration
  private let record: RecordShape.Record
  private let transforms: [RecordTransform]
  /// The numbers of the encrypted fields that are removed from the sealed part.
  private let removed: Set<Int>
  /// A Boolean value that indicates whether a row without a sealed part gets one.
  private var seals = false
  /// A Boolean value that indicates whether each row has a sealed part. A row without one is damaged then.
  private let isSealed: Bool
  private let sealer: RecordSealer?
  private let connection: SQLiteConnection
  private let sealed: SealedTable
  private let table: String
  private let key: String
  /// A Boolean value that indicates whether only rows without a sealed part change.
  private let isLimited: Bool
  /// The field that the transformer makes at the moment.
  private(set) var number = 0
  /// The error that a transform of the app has thrown.
  private(set) var cause: (any Error)?

  /// Returns nil if the merge has no transforms for the record.
  ///
  /// - Parameter stored: The shape before the merge.
  init?(
    _ declaration: RecordDeclaration, _ merge: RecordMerge, of stored: RecordShape = RecordShape(),
    _ sealer: RecordSealer?, _ connection: SQLiteConnection
  ) {
    guard let record = merge.shape.records[declaration.name] else { return nil }
    var transforms = [RecordTransform]()
    var removed = Set<Int>()
    for step in merge.steps {
      switch step {
      case .transform(declaration.name, let number, let sources):
        transforms += declaration.transforms.filter { $0.number == number && $0.sources.map(\.number) == sources }
      case .sealRows(declaration.name): seals = true
      case .deleteSealed(declaration.name, let number): removed.insert(number)
      default: break
      }
    }
    guard !transforms.isEmpty || !removed.isEmpty || seals else { return nil }
    let table = stored.records[declaration.name]
    isSealed = table?.required.contains(0) == true
    // A new column has no values, and may not be there yet.
    isLimited = transforms.isEmpty && removed.isEmpty && table?.columns[0] != nil
    self.declaration = declaration
    self.record = record
    self.transforms = transforms
    self.removed = removed
    self.sealer = sealer
    self.connection = connection
    sealed = SealedTable(declaration.name, record)
    self.table = RecordShape.quoted(declaration.name)
    key = RecordShape.quoted(record.columns[record.key]?.name ?? "")
  }

  /// The stored name of the record.
  var name: String { declaration.name }

  /// A Boolean value that indicates whether a row has to be opened or sealed.
  var needsKeys: Bool {
    get throws(StorageProblem) {
      guard opensRows || seals else { return false }
      let rows = isLimited ? "\(RecordShape.quoted(record.columns[0]?.name ?? "")) IS NULL" : "TRUE"
      return try connection.first("SELECT 1 FROM \(table) WHERE \(rows) LIMIT 1", [], { _ in true }) ?? false
    }
  }

  private var opensRows: Bool { !removed.isEmpty || transforms.contains(where: \.usesKeys) }

  /// Makes the new values of all rows.
  func run() throws(StorageProblem) {
    // A row is found by its key and not with a cursor, which an update could move.
    var row = try sealed.next(after: nil, isUnsealed: isLimited, on: connection)
    while let current = row {
      try transform(current)
      row = try sealed.next(after: current.key, isUnsealed: isLimited, on: connection)
    }
  }

  private typealias Row = SealedTable.Row

  private func transform(_ row: Row) throws(StorageProblem) {
    var before: [UInt8] = []
    var added: [UInt8] = []
    var filled: Set<Int> = []
    if opensRows { number = removed.min() ?? transforms.first?.number ?? 0 }
    if opensRows, isSealed, row.part == nil { throw .corrupted }
    if opensRows, let part = row.part {
      guard let sealer else { throw .keyMaterialMissing }
      before = Array(try sealer.open(part, record: declaration.name, key: row.key.canonicalBytes ?? Data()))
    }
    for transform in transforms {
      number = transform.number
      switch transform.body {
      case .column(let body): try fill(transform, row, before, body)
      case .sealed(let body): added += try seal(transform, row, before, body, &filled)
      }
    }
    guard !added.isEmpty || !filled.isEmpty || (row.part == nil ? seals : !removed.isEmpty) else { return }
    guard let sealer else { throw .keyMaterialMissing }
    let message = try kept(of: before) + added
    guard message.count <= declaration.maxSize else { throw .valueTooLarge(limit: declaration.maxSize) }
    try sealed.seal(message, in: row, filled: filled, sealer, on: connection)
  }

  /// Makes the value of a plain field.
  private func fill(
    _ transform: RecordTransform, _ row: Row, _ message: [UInt8], _ body: RecordTransform.ColumnBody
  ) throws(StorageProblem) {
    let count = try connection.run(update(transform.number)) { (bindings) throws(StorageProblem) in
      try RecordWriter.bind(declaration, to: &bindings) { (writer) throws(StorageProblem) in
        try sources(of: transform, row, message) { (row, reader) in try body(row, &reader, &writer) }
      }
      bindings.append(row.key)
    }
    guard count == 1 else { throw .databaseDamaged }
  }

  /// Returns an encrypted field in the wire format. If it has a value with a blind index, its number is added to `filled`.
  private func seal(
    _ transform: RecordTransform, _ row: Row, _ message: [UInt8], _ body: RecordTransform.SealedBody,
    _ filled: inout Set<Int>
  ) throws(StorageProblem) -> [UInt8] {
    var writer = WireWriter()
    var literal: RecordLiteral?
    try sources(of: transform, row, message) { (row, reader) in literal = try body(row, &reader, &writer) }
    if let fault = writer.fault { throw fault }
    if literal?.value.canonicalBytes != nil { filled.insert(transform.number) }
    return writer.bytes
  }

  /// Calls `body` with the columns of the plain sources, and with the encrypted fields of the row.
  private func sources(
    of transform: RecordTransform, _ row: Row, _ message: [UInt8],
    _ body: (borrowing RecordRow, inout WireReader) throws -> Void
  ) throws(StorageProblem) {
    let columns = transform.sources.filter { $0.storage != nil }
      .map { source in record.columns[source.number].map { RecordShape.quoted($0.name) } ?? "NULL" }
    let list = columns.isEmpty ? "NULL" : columns.joined(separator: ", ")
    let found: Void? = try connection.first("SELECT \(list) FROM \(table) WHERE \(key) = ?", [row.key]) {
      (columns) throws(StorageProblem) in
      let result: Result<Void, any Error> = message.withUnsafeBytes { bytes in
        var reader = WireReader(bytes)
        return Result { try body(RecordRow(columns), &reader) }
      }
      try check(result)
    }
    guard found != nil else { throw .corrupted }
  }

  private func check(_ result: Result<Void, any Error>) throws(StorageProblem) {
    do { try result.get() } catch let error as StorageProblem { throw error } catch {
      cause = error
      throw .migrationFailed
    }
  }

  /// Returns the encrypted fields that stay.
  private func kept(of message: [UInt8]) throws(StorageProblem) -> [UInt8] {
    var kept = RecordUnknownFields()
    try WireReader.read(message) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if removed.contains(field.number) { try reader.skip(field) } else { try kept.keep(field, &reader) }
      }
    }
    return kept.bytes
  }

  private func update(_ number: Int) -> String {
    "UPDATE \(table) SET \(RecordShape.quoted(record.columns[number]?.name ?? "")) = ? WHERE \(key) = ?"
  }
}
