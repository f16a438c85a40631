import LocalDataVocabulary

/// The reason for which values cannot have a form of dates.
struct DateFormProblem {
  var message: String
  var help: String

  /// Returns why dates in values of a type cannot have another form than the serializer's, or nil if they can.
  static func of(_ type: ValueType, _ serializer: SerializerKind, schema: Int = 1, _ types: TypeTable) -> Self? {
    switch serializer {
    case .data, .keyedArchive, .custom:
      return Self(
        message: "the serializer '\(serializer.kind.text)' has no form of dates", help: "remove `dates`")
    case .json, .jsonText, .propertyList: break
    }
    guard types.mayContainDates(type) else {
      return Self(message: "'\(type.swiftText)' contains no date", help: "remove `dates`")
    }
    guard serializer == .propertyList else { return nil }
    if schema > 1 {
      return Self(
        message: "a property list of schema \(schema) has the form of dates that Foundation writes",
        help: "write `serializer: json`, or remove `dates`")
    }
    if type.consistsOfDates { return nil }
    return Self(
      message: "in a property list, only values that are dates alone have another form, and not '\(type.swiftText)'",
      help: "write `serializer: json`, or remove `dates`")
  }
}

extension TypeTable {
  /// Returns false if values of a type certainly contain no date. Types of the app are not known.
  fileprivate func mayContainDates(_ type: ValueType, inside seen: Set<String> = []) -> Bool {
    switch type {
    case .scalar(let scalar): return scalar == .date
    case .swift: return true
    case .list(let inner), .set(let inner), .optional(let inner): return mayContainDates(inner, inside: seen)
    case .map(let key, let value): return mayContainDates(key, inside: seen) || mayContainDates(value, inside: seen)
    case .declared(let name):
      guard !seen.contains(name), let form = self[name]?.form else { return false }
      switch form {
      case .stringEnum, .intEnum: return false
      case .swift, .unknown: return true
      case .structure(let fields): return fields.contains { mayContainDates($0.type, inside: seen.union([name])) }
      }
    }
  }
}

extension ValueType {
  /// A Boolean value that indicates whether every number and text in the values of the type is a date.
  fileprivate var consistsOfDates: Bool {
    switch self {
    case .scalar(let scalar): scalar == .date
    case .list(let inner), .set(let inner), .optional(let inner): inner.consistsOfDates
    case .map(let key, let value): key == .scalar(.string) && value.consistsOfDates
    case .declared, .swift: false
    }
  }
}
