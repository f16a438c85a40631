import LocalDataModel
import LocalDataVocabulary

/// The databases of a catalog with their records, in an order in which the records can be inserted.
struct FixtureRecords: Sendable {
  struct Record: Sendable {
    var record: ResolvedRecord
    /// The name of the value.
    var member: String
    /// The records that are inserted before it.
    var earlier: Set<String>
  }

  /// The databases that have records.
  let databases: [ResolvedDatabase]
  let records: [Record]

  /// - Parameter all: The records of the run. Those of other catalogs can be in a database of this one.
  init(of catalog: ResolvedCatalog, _ all: [ResolvedRecord]) {
    let own = all.filter { record in catalog.databases.contains { $0.member == record.database } }
    databases = catalog.databases.filter { database in own.contains { $0.database == database.member } }
    var names = Set(catalog.keys.map(\.descriptor.member))
    var records: [Record] = []
    var rest = own
    while !rest.isEmpty {
      let earlier = Set(records.map(\.record.name))
      let index = rest.firstIndex { $0.references.isSubset(of: earlier) } ?? 0
      let record = rest.remove(at: index)
      var member = record.propertyName
      while !names.insert(member).inserted { member += "Record" }
      records.append(Record(record: record, member: member, earlier: earlier.union([record.name])))
    }
    self.records = records
  }
}

extension ResolvedRecord {
  /// The other records to which it refers.
  fileprivate var references: Set<String> { Set(fields.compactMap(\.reference?.record)).subtracting([name]) }
}
