import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let recordFieldType = Rule(
    "record-field-type", .records,
    "A field of a record, or of a struct that a record uses, has a type that the file and the wire format can store.",
    why: "SQLite would sort the largest UInt64 as a negative number, and protobuf has no lists of lists.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    length: {type: UInt64, number: 2}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    length: {type: Int64, number: 2}"))
}

/// Checks the types of the fields of a record.
struct RecordFieldTypeRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields {
      guard let type = field.type else { continue }
      let isSealed = field.draft.encryption != .none
      if let problem = RecordType.problem(type, isInWireFormat: isSealed) {
        findings.report(
          .recordFieldType, "a field of a record cannot be \(problem.what)",
          at: field.body.kind == .mapping ? field.place(of: "type") : field.body, help: problem.help)
      } else if field.draft.encryption == .blind, !RecordType.canHaveBlindIndex(field, run.context.types) {
        findings.report(
          .recordFieldType, "'\(field.name)' is of the type '\(type.swiftText)' and cannot have a blind index",
          at: field.place(of: Language.encryptedField),
          help: "write `encrypted: true`; a blind index is for String, UUID, whole numbers, Bool and enums")
      }
    }
  }
}

/// The types that records can store.
enum RecordType {
  /// Returns why a field cannot have a type, with the end of a sentence that begins "a field of a record cannot be".
  ///
  /// - Parameter isInWireFormat: True for a field in a sealed part or in a struct. The wire format has no nil for a list.
  static func problem(_ type: ValueType, isInWireFormat: Bool) -> (what: String, help: String)? {
    var type = type
    if case .optional(let wrapped) = type {
      if isInWireFormat, wrapped.isCollection {
        return (
          "'\(type.swiftText)' where it is stored in the wire format, which has one form for nil and for empty",
          "write '\(wrapped.swiftText)', and use the empty value instead of nil"
        )
      }
      type = wrapped
    }
    switch type {
    case .scalar(let scalar): return problem(scalar)
    case .list(let element), .set(let element), .map(_, let element): return problem(ofElement: element, in: type)
    case .declared, .swift: return nil
    // Two levels of '?' are no type.
    case .optional: return nil
    }
  }

  private static func problem(_ scalar: ScalarType) -> (what: String, help: String)? {
    switch scalar {
    case .uint, .uint64: ("\(scalar.rawValue)", "write Int64")
    default: nil
    }
  }

  private static func problem(ofElement element: ValueType, in type: ValueType) -> (what: String, help: String)? {
    switch element {
    case .scalar(let scalar): return problem(scalar).map { ("'\(type.swiftText)'", $0.help) }
    case .declared, .swift: return nil
    case .list, .set, .map, .optional:
      return (
        "'\(type.swiftText)', whose elements are '\(element.swiftText)'",
        "declare a struct in 'types' that contains the element, and use it instead"
      )
    }
  }

  static func canHaveBlindIndex(_ field: DecodedRecordField, _ types: TypeTable) -> Bool {
    switch field.plainType {
    case .scalar(let scalar)?:
      switch scalar {
      case .string, .uuid, .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: true
      case .double, .float, .data, .date, .url, .decimal: false
      }
    case .declared(let name)?: types[name]?.form.isEnum ?? true
    default: false
    }
  }

  /// Returns true if values of a type are stored in a column that queries can compare.
  static func isComparable(_ field: DecodedRecordField, _ types: TypeTable) -> Bool {
    switch field.plainType {
    case nil, .scalar?: true
    case .declared(let name)?: types[name]?.form.isEnum ?? true
    default: false
    }
  }
}

extension ValueType {
  fileprivate var isCollection: Bool {
    switch self {
    case .list, .set, .map: true
    case .scalar, .declared, .swift, .optional: false
    }
  }
}

/// Checks the earlier fields that the fields of a record are made from.
struct RecordSourceRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields where !field.draft.transforms.isEmpty {
      if field.name == record.keyName {
        findings.report(
          .recordSource, "the key of '\(record.name)' cannot be made from another field", at: field.place(of: "from"),
          help: "declare another record beside '\(record.name)'")
      }
      var seen: Set<[Int]> = []
      for transform in field.draft.transforms {
        let numbers = transform.sources.compactMap(\.number)
        if Set(numbers).count < numbers.count || !seen.insert(numbers).inserted {
          findings.report(
            .recordSource, "'\(field.name)' is made from \(numbers.map(String.init).listing) twice", at: transform.node,
            help: "remove one of the two")
        }
        for source in transform.sources { check(source, of: transform, field, record, &findings) }
      }
    }
  }

  private func check(
    _ source: RecordSourceDraft, of transform: RecordTransformDraft, _ field: DecodedRecordField,
    _ record: DecodedRecord,
    _ findings: inout Findings
  ) {
    guard let number = source.number, let type = source.type else { return }
    let place = source.node ?? transform.node.value(of: "number") ?? transform.node
    if let user = record.fields.first(where: { $0.draft.number == number }) {
      findings.report(
        .recordSource, "'\(field.name)' is made from the number \(number), which '\(user.name)' has", at: place,
        help: user.name == field.name
          ? "give '\(field.name)' a new number, and reserve \(number)"
          : "remove '\(user.name)' and reserve its number, or copy the value in the app")
    } else if !record.draft.reserved.contains(where: { $0.numbers.contains(number) }) {
      findings.report(
        .recordSource, "'\(field.name)' is made from the number \(number), which '\(record.name)' does not reserve",
        at: place, help: "write `reserved: {numbers: [\(number)]}` in '\(record.name)'")
    }
    let typePlace = source.node ?? transform.node.value(of: "type") ?? transform.node
    if let problem = RecordType.problem(type, isInWireFormat: source.encryption != .none) {
      findings.report(
        .recordFieldType, "a field of a record cannot be \(problem.what)", at: typePlace, help: problem.help)
    }
    if source.wire == .seconds, type != .scalar(.date), type != .optional(.scalar(.date)) {
      findings.report(
        .wireForm, "'wire: seconds' is for Date, and the number \(number) is of the type '\(type.swiftText)'",
        at: typePlace, help: "remove it, or write `type: Date`")
    }
  }
}
