import LocalDataModel

/// Signatures of the code that reads and writes records.
enum RecordCode {
  static let rowInitializer = "init(_ row: borrowing \(RuntimeName.recordRow)) \(fault)"
  static let rowFunction = "func write(to row: inout \(RuntimeName.recordWriter)) \(fault)"
  static let structInitializer = "init(_ reader: inout \(RuntimeName.wireReader)) \(fault)"
  static let structFunction = "func write(to writer: inout \(RuntimeName.wireWriter))"

  /// The fields that a later release has written.
  static let unknownFields = "var unknownFields = \(RuntimeName.recordUnknownFields)()"

  /// The head of a closure that reads the wire format.
  static let reading = "{ (reader) \(fault) in"

  /// The closure that reads a struct.
  static func readingStruct(_ type: ValueType) -> String { "\(reading) try \(type.swiftText)(&reader) }" }

  private static let fault = "throws(\(RuntimeName.problem))"
}
