import LocalDataAudit
import LocalDataVocabulary

/// The bytes at which a scan of text stops. A lookup is one read of a table, because it is made for each byte.
///
/// `@unchecked Sendable`: the initializer fills the table, which is never changed and never freed. All sets are static.
package struct ASCIISet: @unchecked Sendable {
  private let table: UnsafePointer<Bool>

  /// Creates a set of the characters of `members`, the control characters, and the first bytes of invisible characters.
  package init(_ members: StaticString) {
    let table = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      let isControl = byte < 0x20 || byte == 0x7F
      table.advanced(by: Int(byte)).initialize(to: isControl || InvisibleCharacter.mayStart(with: byte))
    }
    members.withUTF8Buffer { for byte in $0 { table[Int(byte)] = true } }
    self.table = UnsafePointer(table)
  }

  package func contains(_ byte: UInt8) -> Bool { table[Int(byte)] }
}
