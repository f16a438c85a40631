import Foundation

/// Integers and Boolean values as the JSON that Foundation's coders write. Most preferences are one of them, and to set up a
/// coder takes longer than to read a preference.
enum PlainJSON {
  /// The most digits whose number always fits.
  private static let mostDigits = 18

  /// Returns the bytes of a value, or `nil` if it is neither an integer nor a Boolean value.
  static func bytes<Value>(of value: Value) -> Data? {
    if Value.self == Bool.self, let value = value as? Bool { return Data((value ? "true" : "false").utf8) }
    if Value.self == Int.self, let value = value as? Int { return Data(String(value).utf8) }
    return nil
  }

  /// Returns the value of bytes, or `nil` if they have to be decoded by Foundation, which accepts more than it writes.
  static func value<Value>(of bytes: Data, _ type: Value.Type) -> Value? {
    if type == Bool.self { return bool(bytes) as? Value }
    if type == Int.self { return int(bytes) as? Value }
    return nil
  }

  private static func bool(_ bytes: Data) -> Bool? {
    if bytes.elementsEqual("true".utf8) { return true }
    return bytes.elementsEqual("false".utf8) ? false : nil
  }

  private static func int(_ bytes: Data) -> Int? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes
    guard (1...mostDigits).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var number = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -number : number
  }
}
