extension ScalarType {
  /// The value of a text, or why it has none.
  func value(of text: String) throws(NumberText.Problem) -> DefaultValue {
    switch self {
    case .string: return .string(text)
    case .bool:
      guard text == "true" || text == "false" else { throw .notANumber }
      return .bool(text == "true")
    // On Apple Watch an Int has 32 bits.
    case .int: return .integer(try NumberText.integer(text, Int32.self))
    case .int64: return .integer(try NumberText.integer(text, Int64.self))
    case .int8: return .integer(try NumberText.integer(text, Int8.self))
    case .int16: return .integer(try NumberText.integer(text, Int16.self))
    case .int32: return .integer(try NumberText.integer(text, Int32.self))
    case .uint: return .integer(try NumberText.integer(text, UInt32.self))
    case .uint64: return .integer(try NumberText.integer(text, UInt64.self))
    case .uint8: return .integer(try NumberText.integer(text, UInt8.self))
    case .uint16: return .integer(try NumberText.integer(text, UInt16.self))
    case .uint32: return .integer(try NumberText.integer(text, UInt32.self))
    case .double: return .floating(try NumberText.floating(text, Double.self))
    case .float: return .floating(try NumberText.floating(text, Float.self))
    case .decimal: return .decimal(try NumberText.decimal(text))
    case .data:
      guard let bytes = Base64Text.bytes(text) else { throw .notANumber }
      return .data(bytes)
    case .date:
      guard let seconds = DateText.seconds(text) else { throw .notANumber }
      return .date(seconds: seconds, text: text.uppercased())
    case .url:
      guard AddressText.isURL(text) else { throw .notANumber }
      return .url(text)
    case .uuid:
      guard let uuid = AddressText.uuid(text) else { throw .notANumber }
      return .uuid(uuid)
    }
  }

  /// The form of a default of the type, in words.
  var takes: String {
    switch self {
    case .string: "text"
    case .bool: "true or false"
    case .int: Self.range(Int32.self) + ", because Int has 32 bits on Apple Watch"
    case .int64: Self.range(Int64.self)
    case .int8: Self.range(Int8.self)
    case .int16: Self.range(Int16.self)
    case .int32: Self.range(Int32.self)
    case .uint: Self.range(UInt32.self) + ", because UInt has 32 bits on Apple Watch"
    case .uint64: Self.range(UInt64.self)
    case .uint8: Self.range(UInt8.self)
    case .uint16: Self.range(UInt16.self)
    case .uint32: Self.range(UInt32.self)
    case .double, .float: "a finite decimal number"
    case .decimal: "a decimal number of at most 38 digits"
    case .data: "base64 with padding"
    case .date: "a date and time of RFC 3339 that the calendar has"
    case .url: "an absolute URL"
    case .uuid: "a UUID"
    }
  }

  private static func range<Number: FixedWidthInteger>(_ type: Number.Type) -> String {
    "a whole number from \(type.min) to \(type.max)"
  }

  /// A value, for help lines.
  var example: String {
    switch self {
    case .string: "\"text\""
    case .bool: "true"
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: "1"
    case .double, .float: "1.5"
    case .decimal: "3.10"
    case .data: "AAEC"
    case .date: "2024-02-29T12:00:00Z"
    case .url: "https://example.com/"
    case .uuid: "01234567-89AB-CDEF-0123-456789ABCDEF"
    }
  }
}

extension ValueType {
  /// A value, for help lines.
  var example: String {
    switch self {
    case .scalar(let scalar): scalar.example
    case .declared: "name"
    case .swift(let name): "{swift: \(name.text).empty}"
    case .list(let element), .set(let element): "[\(element.example)]"
    case .map(let key, let value): "{\(key.example): \(value.example)}"
    case .optional(let wrapped): wrapped.example
    }
  }
}
