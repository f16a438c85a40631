package import Foundation

/// What the keychain keeps of a keyset: its keys, which of them seals, and the salts of PBKDF2.
///
/// A source outside has a record too, with the salts and without a key.
package struct KeysetRecord: Sendable {
  /// Counts the changes of the set of keys, so that whoever holds an older one can tell.
  package var epoch: UInt64
  /// The key that seals; `nil` where the keys are a source's outside.
  package var primary: KeyID?
  package var keys: [Key]
  package var stretches: [Stretch]

  package init(epoch: UInt64 = 1, primary: KeyID? = nil, keys: [Key] = [], stretches: [Stretch] = []) {
    self.epoch = epoch
    self.primary = primary
    self.keys = keys
    self.stretches = stretches
  }

  /// A keyset of one key.
  package init(newKey secret: SecretBytes) {
    let key = Key(secret: secret)
    self.init(primary: key.id, keys: [key])
  }

  /// A key that seals or has sealed.
  package struct Key: Sendable {
    package static let count = 32
    package let id: KeyID
    package let secret: SecretBytes

    package init(secret: SecretBytes) {
      id = KeyID(of: secret)
      self.secret = secret
    }
  }

  /// Parameters of PBKDF2, fixed once for what they stretch and a number of iterations.
  package struct Stretch: Hashable, Sendable {
    /// What is stretched: the id of a key of this record, or the name that a source outside was asked for.
    package var label: Data
    package var parameters: StretchParameters
    /// The id of what comes out.
    package var id: KeyID

    package init(label: Data, parameters: StretchParameters, id: KeyID) {
      self.label = label
      self.parameters = parameters
      self.id = id
    }
  }

  package func key(_ id: KeyID?) -> Key? { keys.first { $0.id == id } }

  package func stretch(of label: Data, iterations: Int) -> Stretch? {
    stretches.first { $0.label == label && $0.parameters.iterations == iterations }
  }

  package func stretch(_ id: KeyID) -> Stretch? { stretches.first { $0.id == id } }
}

extension KeysetRecord: CustomStringConvertible {
  package var description: String { "KeysetRecord(redacted)" }
}
