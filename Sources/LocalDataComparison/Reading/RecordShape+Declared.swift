package import LocalDataModel
package import LocalDataShapes

extension RecordShape {
  /// Creates the shape that a database has after a release has opened it.
  ///
  /// - Parameters:
  ///   - records: The records of the database.
  ///   - types: The types of the state that declares them.
  package init(of records: [DeclaredRecord], types: [String: DeclaredType]) {
    self.init()
    for record in records { self.records[record.storedName] = Record(record, types) }
  }

  /// Creates the declared shape of a database.
  ///
  /// - Parameters:
  ///   - records: The records of the database.
  ///   - types: The types of the run.
  package init(of records: [ResolvedRecord], types: [ResolvedType]) {
    let resolved = Dictionary(types.map { ($0.name, $0) }) { first, _ in first }
    self.init(
      of: records.compactMap { DeclaredRecord($0, catalog: "", types: resolved) },
      types: resolved.mapValues { DeclaredType($0, catalog: "") })
  }
}

extension RecordShape.Record {
  init(_ record: DeclaredRecord, _ types: [String: DeclaredType]) {
    self.init(key: record.key, columns: [:])
    for field in record.fields {
      switch field.encryption {
      case .none: add(field, types)
      case .sealed: sealed[field.number] = field.plainType
      case .blind:
        sealed[field.number] = field.plainType
        columns[field.number] = .init("\(field.column).blind", "INTEGER")
      }
      if field.isRequired { required.append(field.number) }
      if !field.sources.isEmpty { sources[field.number] = field.sources.map { $0.map { .init($0, types) } } }
    }
    if !sealed.isEmpty {
      columns[0] = .init("sealed", "BLOB")
      required.append(0)
    }
    required.sort()
    reserved = record.reservedNumbers
    existing = record.existing
    unique = record.unique.sorted { $0.lexicographicallyPrecedes($1) }
    // A unique index serves the queries of the other one.
    indexes = record.indexes.filter { !unique.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private mutating func add(_ field: DeclaredRecord.Field, _ types: [String: DeclaredType]) {
    let form = RecordColumnForm(field.plainType, types)
    columns[field.number] = .init(field.column, form.sql, default: field.sqlDefault ?? field.releasedDefault)
    if form == .wire { wire[field.number] = field.plainType }
    references[field.number] = field.reference
  }
}

extension RecordShape.Source {
  fileprivate init(_ source: DeclaredRecord.Source, _ types: [String: DeclaredType]) {
    let isOptional = source.type.hasSuffix("?")
    let type = isOptional ? String(source.type.dropLast()) : source.type
    let form = RecordColumnForm(type, types)
    self.init(
      source.number, column: source.isEncrypted ? nil : form.sql,
      type: source.isEncrypted || form == .wire ? type : nil, isOptional: isOptional)
  }
}

extension DeclaredRecord.Field {
  /// The default of a released column. The merge asks only whether there is one.
  fileprivate var releasedDefault: String? {
    switch defaultValue {
    case .flag, .integer: defaultValue.description
    case .text(let text): text == "new" ? nil : defaultValue.description
    case .absent, .list, .map: nil
    }
  }

  /// A Boolean value that indicates whether a row must have the value. A new UUID is not the default of a stored row, and
  /// in a sealed part it is the value of a row without one.
  var isRequired: Bool {
    !isOptional && (defaultValue == .absent || encryption == .none && defaultValue == .text("new"))
  }
}

/// The form of a value in its column.
enum RecordColumnForm: Equatable {
  case text, integer, real, blob
  /// The wire format of a struct or a collection.
  case wire

  /// - Parameters:
  ///   - type: A type without `?`.
  ///   - types: The types of the state that declares it.
  init(_ type: String, _ types: [String: DeclaredType]) {
    switch TypeExpression(known: type) {
    case .list, .set, .map: self = .wire
    case .name(let name):
      switch types[name]?.form {
      case .enumeration(let cases): self = cases.rawType == "Int" ? .integer : .text
      case .structure: self = .wire
      case .swift: self = .text
      case nil: self = ScalarType(rawValue: name).map(Self.init) ?? .text
      }
    // A type of the app, or of a later version.
    case .optional, nil: self = .text
    }
  }

  private init(_ scalar: ScalarType) {
    switch scalar {
    case .string, .url, .decimal: self = .text
    case .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: self = .integer
    case .double, .float, .date: self = .real
    case .data, .uuid: self = .blob
    }
  }

  /// The type of the column in SQL.
  var sql: String {
    switch self {
    case .text: "TEXT"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .blob, .wire: "BLOB"
    }
  }
}
