import LocalDataFoundation

/// Encodes and decodes `Int` and `Bool` as the JSON that Foundation's coders write. Most preferences have one of these types,
/// and a coder takes time to set up, especially at the launch of an app.
enum PlainJSON {
  /// Returns the bytes of a value, or `nil` if it is neither an `Int` nor a `Bool`.
  static func bytes<Value>(of value: Value) -> Data? {
    if Value.self == Bool.self, let value = value as? Bool { return Data((value ? "true" : "false").utf8) }
    if Value.self == Int.self, let value = value as? Int { return Data(String(value).utf8) }
    return nil
  }

  /// Returns the value of bytes, or `nil` if Foundation has to decode them. Foundation accepts more forms than it writes.
  static func value<Value>(of bytes: Data, _ type: Value.Type) -> Value? {
    if type == Bool.self { return bool(of: bytes) as? Value }
    if type == Int.self { return number(of: bytes, Int.self) as? Value }
    return nil
  }

  private static func bool(of bytes: Data) -> Bool? {
    if bytes.elementsEqual("true".utf8) { return true }
    return bytes.elementsEqual("false".utf8) ? false : nil
  }

  /// Returns the number that decimal digits represent, or `nil` if its absolute value does not fit the type.
  static func number<Number: FixedWidthInteger & SignedInteger>(of bytes: Data, _ type: Number.Type) -> Number? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var number: Number = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isSumTooLarge) = tens.addingReportingOverflow(Number(byte - UInt8(ascii: "0")))
      guard !isTooLarge, !isSumTooLarge else { return nil }
      number = sum
    }
    return isNegative ? -number : number
  }
}
