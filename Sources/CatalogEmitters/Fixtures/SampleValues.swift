import CatalogModel
import StorageVocabulary

/// A value for each type that a catalog can describe, as Swift writes it.
///
/// They are small, so that most `maxSize` hold them, and seldom a key's default.
struct SampleValues: Sendable {
  private let types: [String: ResolvedType.Form]

  init(_ catalogs: [ResolvedCatalog]) {
    types = Dictionary(
      catalogs.flatMap(\.types).map { ($0.name, $0.form) }, uniquingKeysWith: { first, _ in first })
  }

  /// `var theme: Theme { .dark }`.
  func declaration(of key: ResolvedKey) -> String {
    var value = OutputBuffer()
    let isKnown = write(key.type, of: key, to: &value)
    let bytes = OutputBuffer.collect { output in
      if !isKnown { output.write("// The app's own type: ") }
      output.write("var ")
      output.writeIdentifier(key.descriptor.member)
      output.write(": ")
      output.writeType(key.type)
      output.write(" { ")
      if isKnown { output.write(0..<value.count, of: value) } else { output.write("…") }
      output.write(" }")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A value of a family's parameter, which is part of its stored name.
  func write(_ type: ResolvedKey.ParameterType, to output: inout OutputBuffer) {
    switch type {
    case .string: output.writeValue(Self.value(of: .string))
    case .int: output.writeValue(Self.value(of: .int))
    case .uuid: output.writeValue(Self.value(of: .uuid))
    case .enumeration(let name): output.writeValue(.enumCase(cases(of: name).first ?? ""))
    }
  }

  private func write(_ type: ValueType, of key: ResolvedKey, to output: inout OutputBuffer) -> Bool {
    if write(type, [], to: &output) { return true }
    guard let value = key.defaultValue else { return false }
    output.removeAll()
    output.writeValue(value)
    return true
  }

  /// Whether there is a value of the type; where there is none, what was written is not to be used.
  ///
  /// - Parameter outer: The structs that the value stands in: one that holds itself ends.
  private func write(_ type: ValueType, _ outer: Set<String>, to output: inout OutputBuffer) -> Bool {
    switch type {
    case .scalar(let scalar): output.writeValue(Self.value(of: scalar))
    case .declared(let name): return writeDeclared(name, outer, to: &output)
    case .swift: return false
    case .optional(let wrapped):
      if !tryWrite(wrapped, outer, to: &output) { output.write("nil") }
    case .list(let element), .set(let element):
      output.write("[")
      // Inside a struct an empty list is better than no struct at all.
      guard tryWrite(element, outer, to: &output) || !outer.isEmpty else { return false }
      output.write("]")
    case .map(let key, let value):
      output.write("[")
      let start = output.count
      _ = tryWrite(key, outer, to: &output)
      output.write(": ")
      if !tryWrite(value, outer, to: &output) {
        if outer.isEmpty { return false }
        output.removeLast(output.count - start)
        output.write(":")
      }
      output.write("]")
    }
    return true
  }

  /// Writes nothing where there is no value.
  private func tryWrite(_ type: ValueType, _ outer: Set<String>, to output: inout OutputBuffer) -> Bool {
    let start = output.count
    if write(type, outer, to: &output) { return true }
    output.removeLast(output.count - start)
    return false
  }

  private func writeDeclared(_ name: String, _ outer: Set<String>, to output: inout OutputBuffer) -> Bool {
    guard !outer.contains(name), let form = types[name] else { return false }
    switch form {
    case .stringEnum, .intEnum:
      // The first case is most often the default.
      output.writeValue(.enumCase(cases(of: name).last ?? ""))
      return true
    case .swift: return false
    case .structure(let fields):
      output.write(name)
      output.write("(")
      for (index, field) in fields.enumerated() {
        if index > 0 { output.write(", ") }
        output.write(field.name)
        output.write(": ")
        guard write(field.type, outer.union([name]), to: &output) else { return false }
      }
      output.write(")")
      return true
    }
  }

  private func cases(of name: String) -> [String] {
    switch types[name] {
    case .stringEnum(let cases): cases.map(\.name)
    case .intEnum(let cases): cases.map(\.name)
    case .structure, .swift, nil: []
    }
  }

  private static func value(of scalar: ScalarType) -> DefaultValue {
    switch scalar {
    case .string: .string("a")
    case .bool: .bool(true)
    case .int, .int8, .int16, .int32, .int64: .integer("-5")
    case .uint, .uint8, .uint16, .uint32, .uint64: .integer("5")
    case .double, .float: .floating("0.25")
    case .data: .data([1, 2, 3])
    case .date: .date(seconds: 1_000_000_000.5, text: "")
    case .url: .url("https://example.com/")
    case .uuid: .uuid("01020304-0506-4708-890A-0B0C0D0E0F10")
    case .decimal: .decimal("12.75")
    }
  }
}
