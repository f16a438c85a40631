import LocalDataFoundation
import LocalDataStores

extension Serializer where Value: Codable {
  /// A binary property list.
  ///
  /// The top level of a property list is a list or a dictionary. So a scalar is stored in a list of one element: `5` as `[5]`.
  /// A list of exactly one element is stored in another list, so that it differs from a scalar: `[5]` as `[[5]]`. Everything
  /// else is stored as it is.
  ///
  /// Foundation's coders write `nil` in a list as the text `$null`, and read that text as `nil`. A value that contains the
  /// text cannot be encoded, unless its type is `String`, `[String]` or `[String: String]`.
  public static var propertyList: Self {
    Self(kind: .propertyList, encode: PropertyListForm.encode, decode: PropertyListForm.decode)
  }
}

extension Serializer where Value: Codable {
  /// JSON as a text, for plain preferences.
  ///
  /// Some libraries store each value in UserDefaults as the text of its JSON: `"dark"` with its quotation marks, `true`, `[1,2]`.
  /// The text is stored as ``propertyList`` stores a `String`, so in plain preferences it is the value itself.
  ///
  /// ```swift
  /// extension StorageKey where Value == Bool {
  ///   static let usesDarkIcon = StorageKey(
  ///     name: "usesDarkIcon", domain: .userDefaults(), security: .none, serializer: .jsonText, default: false,
  ///     owner: "AppTeam", description: "True if the icon is dark.")
  /// }
  /// ```
  public static var jsonText: Self { text(of: .json) }

  static func text(of json: Self) -> Self {
    Self(kind: .jsonText, dates: json.dates) { value in
      try PropertyListForm.encode(String(decoding: try json.encode(value), as: UTF8.self))
    } decode: { bytes in
      try json.decode(try PropertyListForm.json(ofText: bytes))
    }
  }
}

enum PropertyListForm {
  fileprivate static func encode<Value: Codable>(_ value: Value) throws -> Data {
    let bytes = try bytes(of: value)
    if bytes.contains("$null"), !TextOfNil.isKept(in: Value.self), try TextOfNil.isIn(value) {
      throw SerializationFault.textOfNil
    }
    return bytes
  }

  private static func bytes<Value: Codable>(of value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let wrapped = try encoder.encode([value])
    // A list that is not read is not written.
    try PropertyListLimits.check(wrapped)
    // Only the encoder knows which shape a type has: it shows in the list.
    if try mustBeWrapped(in: wrapped) { return wrapped }
    return try encoder.encode(value)
  }

  static func decode<Value: Decodable>(_ data: Data) throws -> Value {
    try PropertyListLimits.check(data)
    do { return try PropertyListDecoder().decode(ValueForm<Value>.self, from: data).value } catch {
      guard TextOfNil.isKept(in: Value.self), let value = try texts(in: data, Value.self) else { throw error }
      return value
    }
  }

  #if os(Linux)
    /// Returns a text or a collection of texts, which the decoder reads with another text in place of the one it takes for nil.
    private static func texts<Value: Decodable>(in data: Data, _ type: Value.Type) throws -> Value? {
      let (list, mask) = TextOfNil.masked(in: data)
      func text(_ found: String) -> String { found == mask ? TextOfNil.text : found }
      switch try PropertyListDecoder().decode(ValueForm<Value>.self, from: list).value {
      case let found as String: return text(found) as? Value
      case let list as [String]: return list.map(text) as? Value
      case let texts as [String: String]:
        return Dictionary(uniqueKeysWithValues: texts.map { (text($0), text($1)) }) as? Value
      default: return nil
      }
    }
  #else
    /// Returns a text or a collection of texts without the decoder, which may read one of them as nil.
    private static func texts<Value>(in data: Data, _ type: Value.Type) throws -> Value? {
      let object = try PropertyListSerialization.propertyList(from: data, format: nil)
      if let list = object as? [Any], list.count == 1 { return list[0] as? Value }
      return object as? Value
    }
  #endif

  /// Returns the JSON that a stored text contains.
  static func json(ofText bytes: Data) throws -> Data {
    let text: String = try decode(bytes)
    return Data(text.utf8)
  }

  // MARK: Files of other code

  /// Returns the bytes of a value in a file that other code reads: a list of one element without the list around it.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the value in the form of ``Serializer/propertyList``.
  ///   - value: The value.
  ///   - type: The type that a read decodes.
  /// - Throws: An error if the file would be read as another value.
  static func inFile<Value>(_ bytes: Data, of value: Value, _ type: Any.Type) throws -> Data {
    guard let form = ListOfOne.form(of: bytes) else { return bytes }
    if form.containsListOfOne, let value = value as? any Encodable {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      let bare = try encoder.encode(value)
      // The text that the coders read as nil is read back only in the list.
      guard try list(in: bare, type) != nil else { throw SerializationFault.textOfNil }
      return bare
    }
    // A scalar of a type that also has lists.
    if try list(in: bytes, type) != nil { throw SerializationFault.scalarInFile }
    return bytes
  }

  /// Returns the value of a list of one element, or nil if the bytes or the type are others.
  ///
  /// - Throws: An error if the bytes are beyond the limits of a property list.
  static func list(in bytes: Data, _ type: Any.Type) throws -> Any? {
    try PropertyListLimits.check(bytes)
    guard let type = type as? any Decodable.Type, ListOfOne.form(of: bytes) != nil else { return nil }
    do { return try PropertyListDecoder().decode(type, from: bytes) } catch {
      // The serializer decodes a scalar in the list, and reports the error of other bytes.
      return nil
    }
  }

  private static func mustBeWrapped(in list: Data) throws -> Bool {
    try PropertyListDecoder().decode(ElementForm.self, from: list).isWrapped
  }
}

/// The text that Foundation's property list coders read as nil.
private enum TextOfNil {
  /// Returns true if the text can be read in values of a type without the decoder.
  static func isKept(in type: Any.Type) -> Bool {
    type == String.self || type == [String].self || type == [String: String].self
  }

  /// Returns true if a value contains the text itself, and not only nil. The JSON of the value shows the difference.
  static func isIn(_ value: some Encodable) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "", negativeInfinity: "", nan: "")
    return try encoder.encode(value).contains("\"$null\"")
  }
}

#if os(Linux)
  extension TextOfNil {
    static let text = "$null"

    /// Returns a binary property list in which every `text` is replaced by `mask`, which is none of the texts in the list.
    static func masked(in list: Data) -> (list: Data, mask: String) {
      var bytes = [UInt8](list)
      let starts = startsOfTexts(in: bytes)
      let texts = Set(starts.map { String(decoding: bytes[$0..<$0 + 5], as: UTF8.self) })
      // The first number of five digits to the base 36.
      var number = 36 * 36 * 36 * 36
      while texts.contains(String(number, radix: 36)) { number += 1 }
      let mask = String(number, radix: 36)
      for start in starts where bytes[start..<start + 5].elementsEqual(text.utf8) {
        bytes.replaceSubrange(start..<start + 5, with: mask.utf8)
      }
      return (Data(bytes), mask)
    }

    /// Returns where the ASCII texts of five characters begin.
    private static func startsOfTexts(in list: [UInt8]) -> [Int] {
      list.withUnsafeBytes { bytes in
        guard let objects = BinaryPropertyList(bytes) else { return [] }
        return (0..<objects.count).compactMap(objects.start).filter { bytes[$0] == 0x55 }.map { $0 + 1 }
      }
    }
  }
#endif

/// A value that is decoded from a list of one element, or from a property list that is the value itself.
private struct ValueForm<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    // A decoder answers a question about a shape with an error, which is no failure here.
    if var list = try? decoder.unkeyedContainer(), list.count == 1 {
      value = try list.decode(Value.self)
    } else {
      value = try decoder.singleValueContainer().decode(Value.self)
    }
  }
}

/// The shape of a property list that is a list of one element.
private struct ListOfOne: Decodable {
  let containsListOfOne: Bool

  /// Returns the shape of a list of one element, or nil if the bytes are another property list.
  static func form(of bytes: Data) -> Self? {
    // A decoder answers a question about a shape with an error. The caller decodes the bytes, and reports what is wrong with them.
    do { return try PropertyListDecoder().decode(Self.self, from: bytes) } catch { return nil }
  }

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    guard list.count == 1 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The list has another count."))
    }
    // A decoder answers a question about a shape with an error, which is no failure here.
    containsListOfOne = (try? list.nestedUnkeyedContainer())?.count == 1
  }
}

/// The shape of the first element of a list. A scalar and a list of exactly one element are stored in a list of one.
private struct ElementForm: Decodable {
  private enum NoKey: CodingKey {}

  let isWrapped: Bool

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    // A decoder answers a question about a shape with an error, which is no failure here.
    if let element = try? list.nestedUnkeyedContainer() {
      isWrapped = element.count == 1
    } else {
      isWrapped = (try? list.nestedContainer(keyedBy: NoKey.self)) == nil
    }
  }
}

extension Data {
  /// Returns true if the bytes contain a text of ASCII characters.
  func contains(_ text: StaticString) -> Bool {
    let first = text.utf8Start
    let count = text.utf8CodeUnitCount
    return withUnsafeBytes { bytes in
      guard var rest = bytes.baseAddress else { return false }
      let end = rest + bytes.count
      while let found = memchr(rest, Int32(first.pointee), end - rest).map({ UnsafeRawPointer($0) }) {
        if end - found >= count, memcmp(found, first, count) == 0 { return true }
        rest = found + 1
      }
      return false
    }
  }
}
