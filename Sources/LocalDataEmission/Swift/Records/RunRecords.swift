import CatalogModel

/// The records of all catalogs of a run, and the types that they use.
struct RunRecords: Sendable {
  /// The types of the run by name. It is empty if the run has no records.
  private(set) var types: [String: ResolvedType] = [:]
  /// The names of the types that records use, directly or in a struct.
  private var used: Set<String> = []
  /// The records by the member of their database. The order of the catalogs of the run does not matter.
  private var byDatabase: [String: [ResolvedRecord]] = [:]

  init(_ catalogs: [ResolvedCatalog]) {
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

extension RunRecords {
  func contains(_ type: ResolvedType) -> Bool { used.contains(type.name) }

  func records(of database: ResolvedDatabase) -> [ResolvedRecord] { byDatabase[database.member] ?? [] }

  /// The member of the record with a name.
  func member(of record: String) -> String? {
    byDatabase.values.lazy.joined().first { $0.name == record }?.member
  }
}
