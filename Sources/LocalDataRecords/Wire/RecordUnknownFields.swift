public import LocalDataSystem

/// The fields of a message that this release does not know. They are written again with the message.
public struct RecordUnknownFields: Hashable, Sendable {
  /// The fields in the order in which they were read.
  package private(set) var bytes: [UInt8] = []

  public init() {}

  /// Keeps a field, whose value is read next.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the message ends within the value.
  @_spi(Generated) public mutating func keep(_ field: WireField, _ reader: inout WireReader) throws(StorageProblem) {
    let value = try reader.skippedBytes(of: field)
    var writer = WireWriter()
    writer.raw(field.tag, value)
    bytes += writer.bytes
  }
}

extension RecordUnknownFields: CustomStringConvertible, CustomReflectable {
  public var description: String { "RecordUnknownFields(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
