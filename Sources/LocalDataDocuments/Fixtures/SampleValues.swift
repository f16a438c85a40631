import LocalDataEmission
import LocalDataModel
import LocalDataVocabulary

/// A value for each type that a catalog can describe, as Swift source.
///
/// The values are small, so that they fit into most `maxSize`, and rarely equal to a key's default.
struct SampleValues: Sendable {
  private let types: [String: ResolvedType.Form]

  init(_ catalogs: [ResolvedCatalog]) {
    types = Dictionary(
      catalogs.flatMap(\.types).map { ($0.name, $0.form) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a declaration, for example `var theme: Theme { Theme.dark }`, and the types of catalogs that it names. If
  /// only the app can make a value, the declaration is a comment that asks for one.
  func declaration(of key: ResolvedKey) -> (text: String, types: Set<String>) {
    var sample = SampleWriter(types: types)
    var value = sample.value(of: key.type, key.valid).map { (text: $0, types: sample.names) }
    if value == nil, let defaultValue = key.defaultValue, !defaultValue.isEmptyCollection {
      let text = OutputBuffer.collect { $0.writeValue(defaultValue, of: key.type, SampleWriter.style) }
      value = (text, key.type.declaredNames)
    }
    let bytes = OutputBuffer.collect { output in
      if value == nil { output.write("// The app's own type: ") }
      output.write("var ")
      output.writeIdentifier(key.descriptor.member)
      output.write(": ")
      output.writeType(key.type)
      output.write(" { ")
      if let value { output.write(value.text[...]) } else { output.write("…") }
      output.write(" }")
    }
    return (String(decoding: bytes, as: UTF8.self), (value?.types ?? []).union(key.type.declaredNames))
  }

  /// Returns a declaration of a record, as ``declaration(of:)`` does.
  func declaration(of record: FixtureRecords.Record) -> (text: String, types: Set<String>) {
    var sample = SampleWriter(types: types)
    let value = sample.value(of: record)
    let property = "var \(record.member.swiftIdentifier): \(record.record.name)"
    return (
      value.map { "\(property) { \(String(decoding: $0, as: UTF8.self)) }" }
        ?? "// The app's own type: \(property) { … }", sample.names
    )
  }

  /// Writes a value of a family's parameter, which becomes part of the stored name.
  func write(_ type: ResolvedKey.ParameterType, to output: inout OutputBuffer) {
    let scalar: ScalarType
    switch type {
    case .string: scalar = .string
    case .int: scalar = .int
    case .uuid: scalar = .uuid
    case .enumeration(let name):
      return output.writeValue(
        .enumCase(types[name]?.firstCase ?? ""), of: .declared(name), SwiftValueStyle())
    }
    output.writeValue(scalar.sample(nil), of: .scalar(scalar), SwiftValueStyle())
  }

  /// Returns the keyword of a catalog's type in a scoped import: `enum` or `struct`.
  func importKind(of type: String) -> StaticString? {
    switch types[type] {
    case .stringEnum, .intEnum: "enum"
    case .structure: "struct"
    case .swift, nil: nil
    }
  }
}

/// Writes one value. Its work is limited: structs that hold each other twice would double it with each struct.
private struct SampleWriter: ~Copyable {
  let types: [String: ResolvedType.Form]
  /// The types of catalogs that the value names.
  private(set) var names: Set<String> = []
  private var output = OutputBuffer()
  /// The structs around the value that is being written. A struct that contains itself has no value.
  private var outer: [String] = []
  /// The parts of the value that may still be written. Every level takes one, so this limits the depth as well.
  private var budget = 250

  init(types: [String: ResolvedType.Form]) { self.types = types }

  /// A test may unwrap by force, and a case is written with its type because an optional may be expected.
  static var style: SwiftValueStyle { SwiftValueStyle(checker: nil, namesTypeOfCases: true) }

  /// Returns a value of the type, or nil if only the app can make one or if it would be too large.
  mutating func value(of type: ValueType, _ valid: ValidValues?) -> [UInt8]? {
    write(type, valid) ? output.bytes(from: 0) : nil
  }

  /// Returns a record with a value in each field, or nil if only the app can make one. A record to which it refers has the
  /// same key.
  mutating func value(of record: FixtureRecords.Record) -> [UInt8]? {
    output.write(record.record.name)
    output.write("(")
    var isFirst = true
    for field in record.record.fields {
      let start = output.count
      output.write(isFirst ? "" : ", ")
      output.write(field.name)
      output.write(": ")
      if let reference = field.reference, field.isOptional, !record.earlier.contains(reference.record) {
        output.write("nil")
      } else if field.isInSeconds {
        output.writeValue(.date(seconds: 1_000_000_000, text: ""), of: .scalar(.date), Self.style)
      } else if !write(field.type, field.valid) {
        guard field.defaultValue != nil else { return nil }
        output.removeLast(output.count - start)
        continue
      }
      isFirst = false
    }
    output.write(")")
    return output.bytes(from: 0)
  }

  /// Returns false if there is no value. The text that was written so far is then useless.
  private mutating func write(_ type: ValueType, _ valid: ValidValues? = nil) -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    if valid?.count?.upper == "0", type.isCollection {
      output.write(type.isMap ? "[:]" : "[]")
      return true
    }
    // The elements of a set and the keys of a map differ, and each type has one sample.
    if valid?.fewest ?? 0 > (type.isCollection && !type.isList ? 1 : 250) { return false }
    switch type {
    case .scalar(let scalar): output.writeValue(scalar.sample(valid), of: type, Self.style)
    case .declared(let name): return writeDeclared(name)
    case .swift(let name):
      guard name.text == "\(RuntimeName.anyValue)" else { return false }
      output.write(RuntimeName.anyValueSample)
    case .optional(let wrapped):
      if !tryWrite(wrapped, valid) { output.write("nil") }
    case .list(let element), .set(let element):
      output.write("[")
      // Inside a struct, an empty list is better than no struct at all.
      guard tryWrite(element) || !outer.isEmpty else { return false }
      for _ in 1..<max(valid?.fewest ?? 1, 1) {
        output.write(", ")
        guard write(element) else { return false }
      }
      output.write("]")
    case .map(let key, let value):
      output.write("[")
      let start = output.count
      _ = tryWrite(key)
      output.write(": ")
      if !tryWrite(value) {
        if outer.isEmpty { return false }
        output.removeLast(output.count - start)
        output.write(":")
      }
      output.write("]")
    }
    return true
  }

  /// Writes a value, or nothing if there is none.
  private mutating func tryWrite(_ type: ValueType, _ valid: ValidValues? = nil) -> Bool {
    let start = output.count
    if write(type, valid) { return true }
    output.removeLast(output.count - start)
    return false
  }

  private mutating func writeDeclared(_ name: String) -> Bool {
    guard let form = types[name] else { return false }
    switch form {
    case .stringEnum, .intEnum:
      names.insert(name)
      // The first case is the default of most keys.
      output.writeValue(.enumCase(form.lastCase ?? ""), of: .declared(name), Self.style)
      return true
    case .swift: return false
    case .structure(let fields):
      guard !outer.contains(name), fields.count <= budget else { return false }
      names.insert(name)
      outer.append(name)
      defer { outer.removeLast() }
      output.write(name)
      output.write("(")
      for (index, field) in fields.enumerated() {
        if index > 0 { output.write(", ") }
        output.write(field.name)
        output.write(": ")
        guard write(field.type) else { return false }
      }
      output.write(")")
      return true
    }
  }
}

extension ResolvedType.Form {
  fileprivate var firstCase: String? {
    switch self {
    case .stringEnum(let cases): cases.first?.name
    case .intEnum(let cases): cases.first?.name
    case .structure, .swift: nil
    }
  }

  fileprivate var lastCase: String? {
    switch self {
    case .stringEnum(let cases): cases.last?.name
    case .intEnum(let cases): cases.last?.name
    case .structure, .swift: nil
    }
  }
}

extension DefaultValue {
  /// A Boolean value that indicates whether the value is an empty list or map, which shows nothing of the elements' form.
  fileprivate var isEmptyCollection: Bool {
    switch self {
    case .list(let elements): elements.isEmpty
    case .map(let entries): entries.isEmpty
    case .string, .bool, .integer, .floating, .data, .date, .url, .uuid, .decimal, .enumCase, .swift: false
    }
  }
}

extension ValueType {
  fileprivate var isMap: Bool { if case .map = self { true } else { false } }

  fileprivate var isList: Bool { if case .list = self { true } else { false } }

  fileprivate var isCollection: Bool {
    switch self {
    case .list, .set, .map: true
    case .scalar, .declared, .swift, .optional: false
    }
  }

  /// The types of catalogs in it, without the types of their fields.
  var declaredNames: Set<String> {
    switch self {
    case .scalar, .swift: []
    case .declared(let name): [name]
    case .list(let inner), .set(let inner), .optional(let inner): inner.declaredNames
    case .map(let key, let value): key.declaredNames.union(value.declaredNames)
    }
  }
}

extension ScalarType {
  /// Returns a value that can be set: the sample of the type, or one at the bounds.
  fileprivate func sample(_ valid: ValidValues?) -> DefaultValue {
    guard let valid, !valid.allows(sample) else { return sample }
    let number = valid.range?.numbers.first ?? "0"
    let count = valid.fewest > 0 ? valid.fewest : valid.count?.upper.flatMap { Int($0) } ?? 0
    return switch sample {
    case .integer: .integer(number)
    case .floating: .floating(number)
    case .decimal: .decimal(number)
    case .string: .string(String(repeating: "a", count: count))
    case .data: .data(Array(repeating: 1, count: count))
    default: sample
    }
  }

  private var sample: DefaultValue {
    switch self {
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
