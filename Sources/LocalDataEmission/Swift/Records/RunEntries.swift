package import LocalDataModel

/// The records of all catalogs of a run, and the types that they use.
package struct RunEntries: Sendable {
  /// The types of the run by name. It is empty if the run has no records.
  package private(set) var types: [String: ResolvedType] = [:]
  /// The names of the types that records use, directly or in a struct.
  private var used: Set<String> = []
  /// The records by the member of their database. The order of the catalogs of the run does not matter.
  private var byDatabase: [String: [ResolvedRecord]] = [:]

  /// The key pairs by their members.
  let pairs: [String: ResolvedKey]
  /// The members of the families of keys.
  private let families: Set<String>
  /// The records and the stored names of keys that only earlier releases had.
  let reservedRecords: [ResolvedReservedRecord]
  let reservedNames: [String]
  /// The titles of keys and records that have one, by their names in Swift, with the names that they are stored with.
  private var titles: [String: (name: String, title: String)] = [:]

  package init(_ catalogs: [ResolvedCatalog]) {
    pairs = Dictionary(
      catalogs.lazy.flatMap(\.keys).filter(\.isSigningKey).map { ($0.descriptor.member, $0) }
    ) { first, _ in first }
    families = Set(catalogs.lazy.flatMap(\.keys).filter { !$0.parameters.isEmpty }.map(\.descriptor.member))
    reservedRecords = catalogs.flatMap(\.reservedRecords)
    reservedNames = Set(catalogs.flatMap(\.reserved).map(\.name)).sorted()
    for key in catalogs.lazy.flatMap(\.keys) {
      if let title = key.labels.title { titles[key.descriptor.member] = (key.descriptor.name, title) }
    }
    for record in catalogs.lazy.flatMap(\.records) {
      if let title = record.labels.title { titles[record.name] = (record.storedName, title) }
    }
    guard catalogs.contains(where: { !$0.records.isEmpty }) else { return }
    let catalogs = catalogs.sorted { $0.name < $1.name }
    for type in catalogs.lazy.flatMap(\.types) { types[type.name] = type }
    for record in catalogs.lazy.flatMap(\.records) {
      byDatabase[record.database, default: []].append(record)
      for field in record.fields {
        use(field.type)
        for source in field.transforms.flatMap(\.sources) { use(source.type) }
      }
    }
  }

  private mutating func use(_ type: ValueType) {
    switch type {
    case .scalar, .swift: break
    case .list(let element), .set(let element), .optional(let element): use(element)
    case .map(let key, let value):
      use(key)
      use(value)
    case .declared(let name):
      guard used.insert(name).inserted, case .structure(let fields)? = types[name]?.form else { return }
      for field in fields { use(field.type) }
    }
  }
}

extension RunEntries {
  /// Returns the titles of what a document about the user has, by the stored names.
  func titles(of data: ResolvedBackupFile.PersonalData) -> [(name: String, title: String)] {
    (data.records + data.keys).compactMap { name in
      titles[name].map { (data.names[name] ?? $0.name, $0.title) }
    }.sorted { $0.name < $1.name }
  }

  /// The fields of a struct in the wire format. The generator has checked that each field of a struct that records use has a number.
  package func wireFields(of fields: [ResolvedType.Field], in catalog: ResolvedCatalog) -> [WireField] {
    let style = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
    return fields.compactMap { field in
      guard let number = field.number else { return nil }
      return WireField(
        field.name, number, field.type, RecordValueKind(field.type, types),
        defaultText: field.defaultValue.map { value in
          OutputBuffer.text { $0.writeValue(value, of: field.type, style) }
        })
    }
  }

  /// The fields of a record in the wire format.
  package func wireFields(of record: ResolvedRecord, in catalog: ResolvedCatalog) -> [WireField] {
    let style = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
    return record.fieldsInOrder.map { RowField($0, self, style).wire }
  }
}

extension RunEntries {
  func isFamily(_ member: String) -> Bool { families.contains(member) }

  func contains(_ type: ResolvedType) -> Bool { used.contains(type.name) }

  func records(of database: ResolvedDatabase) -> [ResolvedRecord] { byDatabase[database.member] ?? [] }

  /// Returns the record with a name.
  func record(_ name: String) -> ResolvedRecord? { byDatabase.values.lazy.joined().first { $0.name == name } }

  /// The member of the record with a name.
  func member(of record: String) -> String? {
    byDatabase.values.lazy.joined().first { $0.name == record }?.member
  }
}
