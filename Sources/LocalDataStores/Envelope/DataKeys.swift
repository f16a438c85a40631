internal import LocalDataFoundation
import LocalDataSystem
internal import LocalDataVocabulary

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// The keys of the values that one key has sealed or opened last. A value that is read again needs no derivation, which takes
/// longer than to decrypt a small value.
///
/// They are forgotten with the key that they are derived from.
final class DataKeys: Sendable {
  /// The inputs of a derivation, except for the key that all data keys are derived from.
  struct Name: Hashable, Sendable {
    let salt: Data
    let purpose: SealPurpose
    let algorithm: EncryptionAlgorithm
  }

  private static let most = 64

  private let known = Lock<[Name: SymmetricKey]>([:])

  /// Returns the key with a name, which `derive` returns if it is not known.
  func key(_ name: Name, derive: () -> SymmetricKey) -> SymmetricKey {
    if let key = known.withLock({ $0[name] }) { return key }
    let key = derive()
    known.withLock { known in
      // The keys of values that are still used are derived again, once each.
      if known.count >= Self.most { known = [:] }
      known[name] = key
    }
    return key
  }
}
