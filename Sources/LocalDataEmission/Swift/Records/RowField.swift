import LocalDataModel

/// A field of a record, as a column and as a field of the sealed part.
struct RowField {
  let declaration: ResolvedRecord.Field
  let wire: WireField
  /// The default as Swift, if SQL has no literal for it: rows that are older than the field have no value.
  let fallback: String?

  init(_ field: ResolvedRecord.Field, _ run: RunEntries, _ style: SwiftValueStyle) {
    declaration = field
    wire = field.wire(run, style)
    fallback = field.isOptional || field.sqlDefault(run.types) != nil ? nil : wire.defaultText
  }

  var name: String { declaration.name }
  var kind: RecordValueKind { wire.kind }
  var mayBeNull: Bool { declaration.isOptional || fallback != nil }

  /// The expression that reads the column, or nil if its elements are fields.
  func readText(_ position: Int) -> String? {
    let isNull = mayBeNull ? "row.isNull(\(position)) ? \(fallback ?? "nil") : " : ""
    let body = RecordCode.readingStruct(wire.plainType.elementType)
    switch kind {
    case .single(let kind):
      let call = "\(isNull)try row.\(kind.columnName)(\(position))"
      // An optional value could be read from JSON too.
      let type = declaration.isOptional ? " as \(wire.plainType.swiftText)" : ""
      return switch kind {
      case .message: "\(call) \(body)"
      case .json: call + type
      default: call
      }
    case .list(.message): return "\(isNull)try row.list(\(position), \(wire.number)) \(body)"
    case .list, .set, .map: return nil
    }
  }
}

extension ResolvedRecord.Field {
  /// The default as a literal of SQL, or nil if the field has none, or SQL has no literal for it.
  func sqlDefault(_ types: [String: ResolvedType]) -> String? {
    guard case .value(let value)? = defaultValue else { return nil }
    return SQLLiteral.text(value, of: type, types)
  }

  /// The default as Swift, or nil if the field has none.
  func defaultText(_ style: SwiftValueStyle) -> String? {
    switch defaultValue {
    case .new: "UUID()"
    case .value(let value): OutputBuffer.text { $0.writeValue(value, of: type, style) }
    case nil: nil
    }
  }

  fileprivate func wire(_ run: RunEntries, _ style: SwiftValueStyle) -> WireField {
    WireField(
      name, number, type, RecordValueKind(type, run.types, isInSeconds: isInSeconds),
      // A new UUID at each reading would be no value.
      defaultText: defaultValue == .new ? nil : defaultText(style))
  }
}
