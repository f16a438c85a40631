import LocalDataModel
import LocalDataVocabulary

/// Internal records in two catalogs: names that emitted code needs, a key that is not called `id`, no index.
extension RecordSamples {
  static let internalRecords: [ResolvedCatalog] = {
    var shared = Samples.catalog("Shared", access: .internal)
    shared.databases = [database("notes", access: .internal)]
    shared.types = [
      ResolvedType(
        name: "SharedState", description: "A state.", line: 2,
        form: .stringEnum([.init(name: "open", raw: "open", description: nil)]))
    ]
    var notes = Samples.catalog("Notes", access: .internal)
    notes.records = [
      record(
        "Memo", member: "repeat", access: .internal, database: "notes", key: "urn",
        description: "Ends */ a `comment` | \n a cell \"\"\"# and <b>a tag</b>.",
        [
          field("default", 1, .scalar(.string), storedName: "order") {
            $0.description = "A keyword."
            $0.valid = ValidValues(count: .init("1...3"))
          },
          field("urn", 2, .scalar(.string)),
          field("row", 3, .optional(.scalar(.int))) { $0.valid = ValidValues(range: .init("-1...")) },
          field("state", 4, .declared("SharedState")),
        ]),
      record(
        "Secret", member: "secrets", access: .internal, database: "notes", key: "key",
        [
          field("key", 1, .scalar(.int)), sealed("reader", 2, .scalar(.uuid)), sealed("field", 3, .scalar(.string)),
          sealed("value", 4, .map(key: .scalar(.string), value: .scalar(.string))),
          sealed("writer", 5, .optional(.scalar(.int))), sealed("in", 6, .scalar(.date)),
          sealed("entry", 8, .list(.scalar(.string))),
        ]
      ) {
        $0.deprecation = .init(reason: "Use memos.", renamedTo: "Memo")
      },
    ]
    return [shared, notes]
  }()
}

/// A package record, and an internal one that uses a struct of a public catalog.
extension RecordSamples {
  static let packageRecords: [ResolvedCatalog] = {
    var types = Samples.catalog("PackageTypes")
    types.types = [
      ResolvedType(
        name: "PackagePlace", description: "A place.", line: 2,
        form: .structure([
          .init(name: "name", type: .scalar(.string), defaultValue: .string("here"), description: nil, number: 1),
          .init(name: "seen", type: .scalar(.date), defaultValue: nil, description: nil, number: 2),
        ]))
    ]
    var records = Samples.catalog("PackageRecords", access: .package)
    records.databases = [database("places", access: .package)]
    records.records = [
      record(
        "PackageVisit", member: "packageVisits", access: .package, database: "places",
        [
          field("id", 1, .scalar(.string)), sealed("link", 2, .scalar(.url), default: .url("https://example.com/")),
          sealed("code", 3, .scalar(.int), .blind),
        ]),
      record(
        "PackageStay", member: "packageStays", access: .internal, database: "places",
        [
          field("id", 1, .scalar(.uuid)) { $0.defaultValue = .new }, field("place", 2, .declared("PackagePlace")),
          field("visitID", 3, .optional(.scalar(.string))) {
            $0.reference = .init(record: "PackageVisit", storedName: "PackageVisit", onDelete: .setNull)
          },
        ]),
    ]
    records.reservedRecords = [
      .init(record: "PackageTrip", database: "places"),
      .init(record: "package_tour", database: "places", note: "Dropped | in \"1.4\"."),
    ]
    return [types, records]
  }()
}
