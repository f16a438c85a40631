import LocalDataModel
import LocalDataVocabulary

/// Fields of every type, as columns, as encrypted fields and as fields of a struct. Each is required, optional and with a
/// default.
extension RecordSamples {
  static let everyField: ResolvedCatalog = {
    var catalog = Samples.catalog("EveryField", types: everyTypes)
    catalog.databases = [
      database("every", name: "every_field", domain: .appGroupFileSystem(identifier: "group.a", directory: .caches)) {
        $0.movedFrom = [
          .init(name: "every", domain: .fileSystem(directory: .documents)),
          .init(name: "every_field", domain: .fileSystem(directory: .applicationSupport)),
        ]
        $0.protection = .completeUnlessOpen
        $0.sealing = .encrypted(.aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000)))
        $0.isInBackup = false
      }
    ]
    var backup = ResolvedBackupFile(member: "everything", line: 9, description: "Everything that a test stores.")
    backup.records = ["EveryColumn", "EverySealed"]
    catalog.backupFiles = [backup]
    let columns = fields(as: .none)
    let seconds = fields(of: "seconds", .scalar(.date), .date(seconds: 0, text: "1970-01-01T00:00:00Z"), from: 401)
    catalog.records = [
      record(
        "EveryColumn", member: "everyColumns", database: "every",
        [field("id", 1, .scalar(.int64))] + columns
          + [field("whole", 500, .declared("EveryStruct")), field("maybe", 501, .optional(.declared("EveryStruct")))]
          + withoutSQL
      ) {
        $0.unique = [[columns[0].number], [1, columns[1].number]]
        $0.maxSize = 16_777_216
      },
      record(
        "EverySealed", member: "everySealed", database: "every",
        [field("id", 1, .scalar(.uuid)) { $0.defaultValue = .new }] + wireFields(as: .sealed)
          + seconds.map { field in
            var field = field
            (field.encryption, field.isInSeconds) = (.sealed, true)
            return field
          }
          + [
            sealed("whole", 500, .declared("EveryStruct")), sealed("maybe", 501, .optional(.declared("EveryStruct"))),
            sealed("blindText", 502, .optional(.scalar(.string)), .blind),
          ]),
    ]
    return catalog
  }()

  /// The types of fields, with a name, and a default that is not the zero value.
  private static let all: [(name: String, type: ValueType, value: DefaultValue)] = [
    ("text", .scalar(.string), .string("it's \"ü\"")),
    ("flag", .scalar(.bool), .bool(true)),
    ("int", .scalar(.int), .integer("-100000")),
    ("int8", .scalar(.int8), .integer("-8")),
    ("int16", .scalar(.int16), .integer("16")),
    ("int32", .scalar(.int32), .integer("0")),
    ("int64", .scalar(.int64), .integer("-9223372036854775808")),
    ("uint8", .scalar(.uint8), .integer("255")),
    ("uint16", .scalar(.uint16), .integer("65535")),
    ("uint32", .scalar(.uint32), .integer("4294967295")),
    ("double", .scalar(.double), .floating("1e+20")),
    ("float", .scalar(.float), .floating("0.1")),
    ("date", .scalar(.date), .date(seconds: 1_709_208_000.5, text: "2024-02-29T12:00:00.5Z")),
    ("data", .scalar(.data), .data([0, 1, 254])),
    ("uuid", .scalar(.uuid), .uuid("01234567-89AB-CDEF-0123-456789ABCDEF")),
    ("url", .scalar(.url), .url("https://example.com/a?b=c")),
    ("decimal", .scalar(.decimal), .decimal("3.10")),
    ("word", .declared("EveryWord"), .enumCase("none")),
    ("level", .declared("EveryLevel"), .enumCase("some")),
    ("note", .swift(SwiftName("EveryNote")), .swift(SwiftName("EveryNote.first"))),
    ("texts", .list(.scalar(.string)), .list([])),
    ("numbers", .list(.scalar(.int32)), .list([])),
    ("flags", .list(.scalar(.bool)), .list([])),
    ("doubles", .list(.scalar(.double)), .list([])),
    ("floats", .list(.scalar(.float)), .list([])),
    ("dates", .list(.scalar(.date)), .list([])),
    ("words", .list(.declared("EveryWord")), .list([])),
    ("levels", .set(.declared("EveryLevel")), .list([])),
    ("notes", .list(.swift(SwiftName("EveryNote"))), .list([])),
    ("parts", .list(.declared("EveryPart")), .list([])),
    ("names", .set(.scalar(.string)), .list([])),
    ("bytes", .set(.scalar(.uint8)), .list([])),
    ("ids", .set(.scalar(.uuid)), .list([])),
    ("counts", .map(key: .scalar(.string), value: .scalar(.int)), .map([])),
    ("titles", .map(key: .declared("EveryWord"), value: .scalar(.url)), .map([])),
    ("partsByID", .map(key: .scalar(.uuid), value: .declared("EveryPart")), .map([])),
  ]

  private static func fields(
    of name: String, _ type: ValueType, _ value: DefaultValue, from number: Int
  ) -> [ResolvedRecord.Field] {
    [
      field(name, number, type), field(name + "Maybe", number + 1, .optional(type)),
      field(name + "Default", number + 2, type) { $0.defaultValue = .value(value) },
    ]
  }

  /// Defaults that SQL has no literal for.
  private static let withoutSQL: [ResolvedRecord.Field] = [
    with(.list([.string("a")]), "tags", 510, .list(.scalar(.string))),
    with(.list([.integer("1"), .integer("2")]), "sizes", 511, .set(.scalar(.int))),
    with(
      .map([.init(key: .string("a"), value: .integer("1"))]), "ranks", 512,
      .map(key: .scalar(.string), value: .scalar(.int))),
    with(.swift(SwiftName("EveryNote.first.text")), "swiftText", 513, .scalar(.string)),
    with(.swift(SwiftName("EveryNote.part")), "swiftPart", 514, .declared("EveryPart")),
    with(.swift(SwiftName("EveryNote.parts")), "swiftParts", 515, .list(.declared("EveryPart"))),
  ]

  private static func with(
    _ value: DefaultValue, _ name: String, _ number: Int, _ type: ValueType
  ) -> ResolvedRecord.Field {
    field(name, number, type) { $0.defaultValue = .value(value) }
  }

  private static func fields(as encryption: ResolvedRecord.Encryption) -> [ResolvedRecord.Field] {
    all.enumerated().flatMap { index, each in
      fields(of: each.name, each.type, each.value, from: 2 + 3 * index).map { field in
        var field = field
        field.encryption = encryption
        return field
      }
    }
  }

  /// The fields that a message can have: the wire format has one form for nil and for an empty collection.
  private static func wireFields(as encryption: ResolvedRecord.Encryption) -> [ResolvedRecord.Field] {
    fields(as: encryption).filter { field in
      guard case .optional(let wrapped) = field.type else { return true }
      switch wrapped {
      case .list, .set, .map: return false
      case .scalar, .declared, .swift, .optional: return true
      }
    }
  }

  private static let everyTypes = [
    ResolvedType(
      name: "EveryWord", description: "Words.", line: 3,
      form: .stringEnum([
        .init(name: "none", raw: "", description: nil), .init(name: "some", raw: "it's", description: nil),
      ])),
    ResolvedType(
      name: "EveryLevel", description: "Levels.", line: 4,
      form: .intEnum([
        .init(name: "none", raw: 0, description: nil), .init(name: "some", raw: -1, description: nil),
      ])),
    ResolvedType(
      name: "EveryPart", description: "A part.", line: 5,
      form: .structure([
        .init(name: "name", type: .scalar(.string), defaultValue: nil, description: nil, number: 1),
        .init(
          name: "parts", type: .list(.declared("EveryPart")), defaultValue: .list([]), description: nil, number: 2),
      ])),
    ResolvedType(
      name: "EveryStruct", description: "A field of every type.", line: 6,
      form: .structure(
        wireFields(as: .none).map {
          var value: DefaultValue?
          if case .value(let each)? = $0.defaultValue { value = each }
          return .init(name: $0.name, type: $0.type, defaultValue: value, description: nil, number: $0.number)
        })),
    ResolvedType(name: "EveryUnused", description: "A type that no record uses.", line: 7, form: .structure([])),
  ]
}
