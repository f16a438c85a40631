import StorageVocabulary

/// The bytes at which a scan of text stops: asked once a byte.
///
/// `@unchecked Sendable`: the table is filled by the initializer, never changed and never freed. Sets are static.
struct ASCIISet: @unchecked Sendable {
  private let table: UnsafePointer<Bool>

  /// The characters of `members`, the control characters, and what may begin a character that nobody sees.
  init(_ members: StaticString) {
    let table = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      let isControl = byte < 0x20 || byte == 0x7F
      table.advanced(by: Int(byte)).initialize(to: isControl || InvisibleCharacter.mayStart(with: byte))
    }
    members.withUTF8Buffer { for byte in $0 { table[Int(byte)] = true } }
    self.table = UnsafePointer(table)
  }

  func contains(_ byte: UInt8) -> Bool { table[Int(byte)] }
}
