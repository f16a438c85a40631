import LocalDataModel

/// A value that Foundation makes of text by an initializer that returns an optional, for example `URL(string:)`.
///
/// The generator checks the text when it reads the catalog. The emitted catalog has one function for each form that its
/// defaults use, and the function stops the program if Foundation refuses the text after all. A call of a function that
/// is not overloaded also compiles faster than `??`.
enum CheckedLiteral: CaseIterable {
  case url, decimal, data

  init?(_ value: DefaultValue) {
    switch value {
    case .url: self = .url
    case .decimal: self = .decimal
    case .data(let bytes) where Self.isBase64(bytes): self = .data
    case .string, .bool, .integer, .floating, .data, .date, .uuid, .enumCase, .list, .map, .swift: return nil
    }
  }

  var function: StaticString {
    switch self {
    case .url: "url"
    case .decimal: "decimal"
    case .data: "base64"
    }
  }

  var type: StaticString {
    switch self {
    case .url: "URL"
    case .decimal: "Decimal"
    case .data: "Data"
    }
  }

  /// The initializer with its label, up to the text.
  var initializer: StaticString {
    switch self {
    case .url: "URL(string: "
    case .decimal: "Decimal(string: "
    case .data: "Data(base64Encoded: "
    }
  }

  /// Returns true if bytes are written in Base64: too many to list, and not text.
  static func isBase64(_ bytes: [UInt8]) -> Bool { bytes.count > 32 && !isPrintable(bytes) }

  static func isPrintable(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }
}

/// The functions of checked literals that a catalog needs.
struct SwiftCheckedLiterals {
  let catalog: ResolvedCatalog
  private var used: Set<CheckedLiteral> = []
  /// The literals in default arguments of public initializers, which need functions that other modules may call.
  private var exported: Set<CheckedLiteral> = []

  init(_ catalog: ResolvedCatalog) {
    self.catalog = catalog
    for key in catalog.keys {
      if let value = key.defaultValue { Self.add(value, to: &used) }
    }
    var inFields: Set<CheckedLiteral> = []
    for type in catalog.types {
      guard case .structure(let fields) = type.form else { continue }
      for field in fields {
        if let value = field.defaultValue { Self.add(value, to: &inFields) }
      }
    }
    used.formUnion(inFields)
    if catalog.access == .public { exported = inFields }
    for record in catalog.records {
      var literals: Set<CheckedLiteral> = []
      for case .value(let value)? in record.fields.map(\.defaultValue) { Self.add(value, to: &literals) }
      used.formUnion(literals)
      if record.access == .public { exported.formUnion(literals) }
    }
  }

  private static func add(_ value: DefaultValue, to literals: inout Set<CheckedLiteral>) {
    switch value {
    case .list(let elements): for element in elements { add(element, to: &literals) }
    case .map(let entries):
      for entry in entries {
        add(entry.key, to: &literals)
        add(entry.value, to: &literals)
      }
    default: if let literal = CheckedLiteral(value) { literals.insert(literal) }
    }
  }

  func write(to output: inout OutputBuffer) {
    guard !used.isEmpty else { return }
    output.write("\nnonisolated extension ")
    output.write(catalog.swiftName)
    output.write(" {\n")
    var isFirst = true
    for literal in CheckedLiteral.allCases where used.contains(literal) {
      if !isFirst { output.write("\n") }
      isFirst = false
      write(literal, to: &output)
    }
    output.write("}\n")
  }

  private func write(_ literal: CheckedLiteral, to output: inout OutputBuffer) {
    output.write("  /// Returns the value of a literal that local-data checked when it wrote this file.\n")
    output.write(exported.contains(literal) ? "  @usableFromInline static func " : "  fileprivate static func ")
    output.write(literal.function)
    output.write("(_ literal: StaticString) -> ")
    output.write(literal.type)
    output.write(" {\n    guard let value = ")
    output.write(literal.initializer)
    output.write("\"\\(literal)\") else { fatalError(\"'\\(literal)' cannot be read as a ")
    output.write(literal.type)
    output.write("\") }\n    return value\n  }\n")
  }
}
