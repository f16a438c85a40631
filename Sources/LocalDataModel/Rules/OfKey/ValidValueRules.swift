import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let validValue = Rule(
    "valid-value", .values,
    "`valid` has a `range` for a number, or a `count` for text, data or a collection, and the default is valid.",
    why:
      "A value of another type has neither a size nor a number of elements, and a default that is not valid cannot be set.",
    bad: .keys(
      "speed: {type: Double, default: 5, valid: {range: 0.5...3}, description: How fast episodes are played.}"),
    good: .keys(
      "speed: {type: Double, default: 1, valid: {range: 0.5...3}, description: How fast episodes are played.}"))
}

/// Checks that `valid` fits the type and the default of a key.
struct ValidValueRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard let valid = key.resolved.valid, key.isSound(KeyFieldSet(.valid, .type, .default)) else { return }
    guard let (problem, help) = valid.problem(of: key.resolved.type, key.resolved.defaultValue) else { return }
    findings.report(
      .validValue, "'\(key.resolved.descriptor.member)' \(problem)", at: key.node(of: .valid, defaults: defaults),
      help: help)
  }
}

/// Checks that `valid` fits the types and the defaults of fields.
struct RecordValidValueRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields {
      guard let valid = field.draft.valid, let type = field.plainType else { continue }
      var value: DefaultValue?
      if case .value(let literal)? = field.defaultValue { value = literal }
      guard let (problem, help) = valid.problem(of: type, value) else { continue }
      findings.report(
        .validValue, "'\(field.name)' of '\(record.name)' \(problem)", at: field.place(of: "valid"), help: help)
    }
  }
}

extension ValidValues {
  /// Returns the reason for which a type cannot have these values, or a default is none of them.
  fileprivate func problem(of type: ValueType, _ value: DefaultValue?) -> (String, help: String)? {
    if range != nil, let problem = rangeProblem(of: type) { return problem }
    if count != nil, !type.hasCount {
      return (
        "is of the type '\(type.swiftText)', which has no count", "remove `count`, or use text, data or a collection"
      )
    }
    if let count, count.numbers.contains(where: { Int($0).map { $0 < 0 } ?? true }) {
      return ("has the count \(count.text)", "write whole numbers from 0, for example `count: 0...50`")
    }
    guard let value, !allows(value) else { return nil }
    return ("has a default that is not valid: \(text)", "write another default, or other bounds")
  }

  private func rangeProblem(of type: ValueType) -> (String, help: String)? {
    guard case .scalar(let scalar) = type, let isWhole = scalar.isWholeNumber else {
      if type == .scalar(.double) || type == .scalar(.float) { return nil }
      return ("is of the type '\(type.swiftText)', which has no range", "remove `range`, or use a number")
    }
    return range?.numbers.allSatisfy(isWhole) == true
      ? nil
      : ("cannot have the range \(range?.text ?? "")", "write whole numbers that the type '\(type.swiftText)' has")
  }
}

extension ValueType {
  fileprivate var hasCount: Bool {
    switch self {
    case .scalar(.string), .scalar(.data), .list, .set, .map: true
    case .scalar, .declared, .swift, .optional: false
    }
  }
}

extension ScalarType {
  /// Returns true for the text of a whole number of the type; nil if it is another type.
  fileprivate var isWholeNumber: (@Sendable (String) -> Bool)? {
    switch self {
    case .int, .int64: { Int64($0) != nil }
    case .int8: { Int8($0) != nil }
    case .int16: { Int16($0) != nil }
    case .int32: { Int32($0) != nil }
    case .uint, .uint64: { UInt64($0) != nil }
    case .uint8: { UInt8($0) != nil }
    case .uint16: { UInt16($0) != nil }
    case .uint32: { UInt32($0) != nil }
    // A literal with a fraction is not exact.
    case .decimal: { Int64($0) != nil }
    default: nil
    }
  }
}
