import LocalDataModel
import LocalDataVocabulary

/// The parameters of a family, as the emitted code declares, passes and interpolates them.
///
/// The label of a parameter is its name in the catalog. Its local name is the same, unless the emitted code needs that
/// name for something else: the `key` of a migration, or the first part of a Swift path that the key names. It then gets
/// underscores in front, which no name in a catalog has: `func draft(key _key: String)`.
struct SwiftParameters {
  private let parameters: [(label: String, local: String, type: String)]

  init(_ key: ResolvedKey) {
    // Most families name nothing that could collide: a path in Swift mostly begins with an upper-case letter.
    var taken: Set<String> = [Self.destination]
    if key.isFamily { key.forEachSwiftName { taken.insert($0.root) } }
    parameters = key.parameters.map { parameter in
      var local = parameter.name
      while taken.contains(local) { local = "_" + local }
      return (parameter.name, local, parameter.type.swiftText)
    }
  }

  /// The parameter of a migration function that takes the destination key.
  static let destination = "key"

  /// Writes `documentID: UUID, page: Int`.
  func writeDeclarations(to output: inout OutputBuffer) {
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { output.write(", ") }
      if parameter.local != parameter.label {
        output.write(parameter.label)
        output.write(" ")
      }
      output.writeIdentifier(parameter.local)
      output.write(": ")
      output.write(parameter.type)
    }
  }

  /// Writes `let documentID: UUID = try $0.value(of: "documentID")`, one line for each parameter.
  func writeConstants(indent: Int, to output: inout OutputBuffer) {
    for parameter in parameters {
      output.writeIndent(indent)
      output.write("let ")
      output.writeIdentifier(parameter.local)
      output.write(": ")
      output.write(parameter.type)
      output.write(" = ")
      output.write(RuntimeName.parameterValue)
      output.writeLiteral(parameter.label)
      output.write(")\n")
    }
  }

  /// Writes `documentID: documentID, page: page`. A keyword needs no backticks before a colon.
  func writeArguments(to output: inout OutputBuffer) {
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { output.write(", ") }
      output.write(parameter.label)
      output.write(": ")
      output.writeIdentifier(parameter.local)
    }
  }

  /// Writes the type of all parameters: `UUID`, or `(documentID: UUID, page: Int)` if there are several.
  func writeType(to output: inout OutputBuffer) {
    guard parameters.count > 1 else { return output.write(parameters.first?.type ?? "Void") }
    output.write("(")
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { output.write(", ") }
      output.write(parameter.label)
      output.write(": ")
      output.write(parameter.type)
    }
    output.write(")")
  }

  /// Writes the values of all parameters: `documentID`, or `(documentID: documentID, page: page)` if there are several.
  func writeValue(to output: inout OutputBuffer) {
    guard parameters.count > 1 else { return output.writeIdentifier(parameters.first?.local ?? "") }
    output.write("(")
    writeArguments(to: &output)
    output.write(")")
  }

  /// Writes `"draft_\(documentID)"`, or `"draft_\(verbatim: documentID)"`. The runtime escapes the values that are not verbatim.
  ///
  /// - Parameter declared: The parameters with their encodings; empty if all are escaped.
  func writeName(
    _ parts: [ResolvedKey.NamePart], _ declared: [ResolvedKey.Parameter] = [], to output: inout OutputBuffer
  ) {
    output.write("\"")
    for part in parts {
      switch part {
      case .text(let text): output.writeLiteralPart(text)
      case .parameter(let name):
        let parameter = declared.first { $0.name == name && $0.encoding == .verbatim }
        output.write(parameter == nil ? "\\(" : "\\(verbatim: ")
        output.writeIdentifier(parameters.first { $0.label == name }?.local ?? name)
        if case .enumeration? = parameter?.type { output.write(".rawValue") }
        output.write(")")
      }
    }
    output.write("\"")
  }
}

extension SwiftName {
  /// The part before the first dot.
  var root: String { String(text.prefix { $0 != "." }) }
}

extension ResolvedKey {
  /// Calls `body` with every path in Swift that the catalog names for this key.
  fileprivate func forEachSwiftName(_ body: (SwiftName) -> Void) {
    type.forEachSwiftName(body)
    defaultValue?.forEachSwiftName(body)
    if let customSerializer { body(customSerializer) }
    for step in migration?.steps ?? [] { step.action.forEachSwiftName(body) }
    for upgrade in upgrades { body(upgrade.transform) }
    for form in reads {
      form.type.forEachSwiftName(body)
      if let transform = form.transform { body(transform) }
      if case .custom(let name) = form.serializer { body(SwiftName(name)) }
    }
    if let watchRepresentation {
      watchRepresentation.type.forEachSwiftName(body)
      body(watchRepresentation.transform)
      if case .custom(let name)? = watchRepresentation.serializer { body(SwiftName(name)) }
    }
  }
}

extension ResolvedMigration.Action {
  fileprivate func forEachSwiftName(_ body: (SwiftName) -> Void) {
    switch self {
    case .move(let source): source.forEachSwiftName(body)
    case .transform(let source, let function):
      source.forEachSwiftName(body)
      body(function)
    case .aggregate(let sources, let function):
      for source in sources { source.forEachSwiftName(body) }
      body(function)
    case .secureInPlace: break
    case .custom(let name): body(name)
    }
  }
}

extension ResolvedMigration.Source {
  fileprivate func forEachSwiftName(_ body: (SwiftName) -> Void) {
    type.forEachSwiftName(body)
    if case .inline(let inline) = self, case .custom(let name) = inline.serializer { body(SwiftName(name)) }
  }
}

extension ValueType {
  fileprivate func forEachSwiftName(_ body: (SwiftName) -> Void) {
    switch self {
    case .scalar, .declared: break
    case .swift(let name): body(name)
    case .list(let inner), .set(let inner), .optional(let inner): inner.forEachSwiftName(body)
    case .map(let key, let value):
      key.forEachSwiftName(body)
      value.forEachSwiftName(body)
    }
  }
}

extension DefaultValue {
  fileprivate func forEachSwiftName(_ body: (SwiftName) -> Void) {
    switch self {
    case .swift(let name): body(name)
    case .list(let elements): for element in elements { element.forEachSwiftName(body) }
    case .map(let entries): for entry in entries { entry.value.forEachSwiftName(body) }
    case .string, .bool, .integer, .floating, .data, .date, .url, .uuid, .decimal, .enumCase: break
    }
  }
}
