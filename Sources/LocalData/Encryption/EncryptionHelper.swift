package import Foundation
package import StorageVocabulary

/// Which keys seal a value: the app's own, or an app group's.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)
}

package final class EncryptionHelper: Sendable {
  package init() {}
  func sealer(for policy: SecurityPolicy.EncryptionPolicy, keyset: KeysetID) async throws(StorageFault) -> Sealer {
    Sealer()
  }
  func opener(for policy: SecurityPolicy.EncryptionPolicy, keyset: KeysetID, header: EnvelopeHeader)
    async throws(StorageFault) -> Opener
  { Opener() }
}
struct EnvelopeMetadata { var schema: UInt32 = 1; var writtenAt: Int64 = 0 }
struct EnvelopeHeader { static func parse(_ d: Data) throws(StorageFault) -> EnvelopeHeader { EnvelopeHeader() } }
struct Sealer: Sendable {
  func seal(_ p: Data, _ m: EnvelopeMetadata, _ i: ValueIdentity) throws(StorageFault) -> Data { p }
}
struct Opener: Sendable {
  func canOpen(_ h: EnvelopeHeader) -> Bool { true }
  func open(_ p: Data, _ i: ValueIdentity) throws(StorageFault) -> (plaintext: Data, metadata: EnvelopeMetadata) {
    (p, .init())
  }
}
enum PlainForm {
  static func wrap(_ d: Data, _ m: EnvelopeMetadata?) -> Data { d }
  static func unwrap(_ d: Data) throws(StorageFault) -> Data { d }
}
