extension String {
  /// The text of bytes that are UTF-8 throughout; `nil` where any of them is not.
  ///
  /// `init(validating:as:)` says the same, and needs iOS 18. Decoding repairs: what was repaired does not come out as it
  /// went in.
  init?(utf8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
