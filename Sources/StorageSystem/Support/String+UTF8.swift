extension String {
  /// Creates the text of bytes that are UTF-8, or returns `nil` if any of them is not.
  ///
  /// `init(validating:as:)` does the same and needs iOS 18. `init(decoding:as:)` repairs bytes, so the result is compared
  /// with them.
  package init?(utf8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
