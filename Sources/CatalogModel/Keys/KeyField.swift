/// The fields of a key.
enum KeyField: UInt8, FieldName {
  case name, type, `default`, domain, security, serializer, owner, description, availability, syncPolicy, sensitivity
  case retention, maxSize, backup, migration, legacy, parameters, deprecated, privacy, access
  case schema, upgrade, sync, watch

  static let names = NameTable<Self>()

  /// Whether `defaults` may say it for every key of a file. What tells one key from another stays with the key.
  var isInheritable: Bool {
    switch self {
    case .type, .domain, .security, .serializer, .owner, .availability, .syncPolicy, .sensitivity, .retention,
      .maxSize, .backup, .parameters, .privacy, .access:
      true
    case .name, .default, .description, .migration, .legacy, .deprecated, .schema, .upgrade, .sync, .watch: false
    }
  }
}

/// Fields of a key that later versions of the tool take.
enum LaterField: UInt8, FieldName {
  case allow, onCorruption

  static let names = NameTable<Self>()
}

/// A set of fields, one bit each.
struct KeyFieldSet: OptionSet, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ field: KeyField) { rawValue = 1 << UInt32(field.rawValue) }

  init(_ fields: KeyField...) { self.init(fields) }

  init(_ fields: [KeyField]) {
    rawValue = fields.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }

  static func |= (set: inout KeyFieldSet, field: KeyField) { set.formUnion(KeyFieldSet(field)) }

  func contains(_ field: KeyField) -> Bool { rawValue & 1 << UInt32(field.rawValue) != 0 }
}
