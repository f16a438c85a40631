/// The fields of a message that this release does not know. They are written again with the message.
public struct RecordUnknownFields: Hashable, Sendable {
  /// The fields in the order in which they were read.
  private(set) var bytes: [UInt8] = []

  public init() {}

  /// Keeps a field, whose value is read next.
  @_spi(Generated) public mutating func keep(_ field: WireField, _ reader: inout WireReader) throws(RecordFault) {
    let value = try reader.skippedBytes(of: field)
    var writer = WireWriter()
    writer.raw(field.tag, value)
    bytes += writer.bytes
  }

  /// Returns true if a field with a number was kept.
  func contains(_ number: Int) throws(RecordFault) -> Bool {
    // The function of the standard library throws errors of any type.
    let found: Result<Bool, RecordFault> = bytes.withUnsafeBytes { bytes in
      var reader = WireReader(bytes)
      do throws(RecordFault) {
        while let field = try reader.next() {
          if field.tag >> 3 == number { return .success(true) }
          try reader.skip(field)
        }
      } catch { return .failure(error) }
      return .success(false)
    }
    return try found.get()
  }
}

extension RecordUnknownFields: CustomStringConvertible, CustomReflectable {
  public var description: String { "RecordUnknownFields(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
