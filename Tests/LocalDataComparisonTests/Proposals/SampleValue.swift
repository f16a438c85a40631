import LocalDataModel

/// A stored value as a tree, which shows whether a type can decode it and whether it then means the same.
///
/// The trees are written and read by the types alone, so that they decide independently of the comparison of types.
indirect enum SampleValue: Hashable {
  case number(Int)
  case fraction
  case flag
  case text(String)
  case list([SampleValue])
  case map([String: SampleValue])
  /// A raw value with the name of its case when it was written.
  case raw(SampleValue, name: String)
}

/// The types of one catalog.
struct SampleTypes {
  private var forms: [String: ResolvedType.Form] = [:]

  init(_ catalogs: [ResolvedCatalog]) {
    for type in catalogs.flatMap(\.types) { forms[type.name] = type.form }
  }

  /// Returns the sample of a type with a number. Different numbers reach every case and both ends of an integer's range.
  func sample(_ type: ValueType, _ number: Int) -> SampleValue? {
    switch type {
    case .scalar(let scalar): Self.sample(scalar, number)
    case .list(let element), .set(let element):
      .list([sample(element, number), sample(element, number + 1)].compactMap(\.self))
    case .map(_, let value): sample(value, number).map { .map(["k": $0]) }
    case .optional(let wrapped): number.isMultiple(of: 2) ? nil : sample(wrapped, number)
    case .swift: nil
    case .declared(let name):
      switch forms[name] {
      case .stringEnum(let cases): cases.at(number).map { .raw(.text($0.raw), name: $0.name) }
      case .intEnum(let cases): cases.at(number).map { .raw(.number($0.raw), name: $0.name) }
      case .structure(let fields):
        .map(Dictionary(fields.compactMap { field in sample(field.type, number).map { (field.name, $0) } }) { $1 })
      case .swift, nil: nil
      }
    }
  }

  private static func sample(_ scalar: ScalarType, _ number: Int) -> SampleValue {
    switch scalar {
    case .bool: .flag
    case .double, .float, .decimal: .fraction
    case .string, .data, .date, .url, .uuid: .text("text")
    case .int8: .number(number.isMultiple(of: 2) ? -128 : 127)
    default: .number(number.isMultiple(of: 2) ? .min : .max)
    }
  }

  /// Returns true if a type decodes a value, and each raw value is still that of its case.
  func decodes(_ value: SampleValue, as type: ValueType) -> Bool {
    switch (type, value) {
    case (.optional(let wrapped), _): decodes(value, as: wrapped)
    case (.list(let element), .list(let values)), (.set(let element), .list(let values)):
      values.allSatisfy { decodes($0, as: element) }
    case (.map(_, let element), .map(let values)): values.values.allSatisfy { decodes($0, as: element) }
    case (.scalar(let scalar), .raw(let raw, _)): decodes(raw, as: .scalar(scalar))
    case (.scalar(.bool), .flag), (.scalar(.double), .fraction), (.scalar(.float), .fraction): true
    case (.scalar(.string), .text): true
    case (.scalar(.int8), .number(let number)): Int8(exactly: number) != nil
    case (.scalar(.int), .number), (.scalar(.int64), .number): true
    case (.declared(let name), _): decodes(value, as: forms[name])
    default: false
    }
  }

  private func decodes(_ value: SampleValue, as form: ResolvedType.Form?) -> Bool {
    switch (form, value) {
    case (.stringEnum(let cases), .raw(.text(let raw), let name)):
      Self.means(cases.map { ($0.name, $0.raw) }, raw, name)
    case (.intEnum(let cases), .raw(.number(let raw), let name)): Self.means(cases.map { ($0.name, $0.raw) }, raw, name)
    case (.structure(let fields), .map(let values)):
      fields.allSatisfy { field in
        guard let value = values[field.name] else {
          if case .optional = field.type { return true }
          return field.defaultValue != nil
        }
        return decodes(value, as: field.type)
      }
    default: false
    }
  }

  private static func means<Raw: Equatable>(_ cases: [(name: String, raw: Raw)], _ raw: Raw, _ name: String) -> Bool {
    guard let owner = cases.first(where: { $0.raw == raw }) else { return false }
    return owner.name == name || !cases.contains { $0.name == name }
  }
}

extension Array {
  fileprivate func at(_ number: Int) -> Element? { isEmpty ? nil : self[number % count] }
}
