internal import LocalDataFoundation

extension String {
  /// Creates the text of bytes that are UTF-8, or returns `nil` if any of them is not.
  ///
  /// `init(validating:as:)` does the same and needs iOS 18. `init(decoding:as:)` repairs bytes, so the result is compared
  /// with them.
  package init?(utf8 bytes: some Collection<UInt8>) {
    let text =
      bytes.withContiguousStorageIfAvailable { String(utf8: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { String(utf8: $0) }
    guard let text else { return nil }
    self = text
  }

  /// Creates the text of a buffer in UTF-8, or returns `nil` if any of its bytes is not.
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    self.init(decoding: bytes, as: UTF8.self)
    let isEqual = withUTF8 { text in
      guard text.count == bytes.count, let first = text.baseAddress, let second = bytes.baseAddress else {
        return bytes.isEmpty
      }
      return memcmp(first, second, text.count) == 0
    }
    guard isEqual else { return nil }
  }
}
