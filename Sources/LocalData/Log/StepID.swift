import LocalDataFoundation
package import LocalDataStores

/// An address in the log of migrations. It contains no name, because the names of a family contain its parameters.
///
/// It is the first 16 bytes of SHA-256 over the fields of the address, as 32 lower-case hexadecimal digits. The fields are
/// `place`, the fields of the container, and the stored name.
package struct AddressID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let description: String

  private static let size = 16

  /// Creates the identity of an address.
  package init(_ address: StorageAddress) {
    var writer = ByteWriter(capacity: 128)
    writer.appendField("place")
    writer.append(container: address.container)
    writer.appendField(address.name)
    description = writer.bytes.sha256.prefix(Self.size).hexadecimal
  }

  package static func < (first: AddressID, second: AddressID) -> Bool { first.description < second.description }
}

extension AddressID: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard text.isHexadecimal(ofBytes: Self.size) else { throw StorageProblem.corrupted }
    description = text
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The form in which a value is stored at an address: plain, plain under the conditions of a keychain, or encrypted.
///
/// The log names forms, so the text of a form never changes: `plain`, `keychain whenUnlocked userPresence`,
/// `aes256GCM hkdf masterKey`, `chaCha20Poly1305 pbkdf2 external remote.key`. An encrypted form also names the kind of
/// domain, because the value is bound to it.
package struct StoredForm: Sendable, Hashable, Codable, CustomStringConvertible {
  package let description: String

  /// The form that a key with this policy writes.
  package init(_ security: SecurityPolicy, in domain: StorageDomain.Kind) {
    switch security {
    case .none: description = "plain"
    case .keychain(let accessibility, let accessControl):
      description = "keychain \(accessibility.rawValue)" + (accessControl.map { " \($0.rawValue)" } ?? "")
    case .encrypted(let policy):
      let source =
        switch policy.keySource {
        case .masterKey: "masterKey"
        case .external(let source): "external \(source.id)"
        }
      description = "\(policy.algorithm.rawValue) \(policy.keyDerivation.kind.rawValue) \(source) in \(domain.rawValue)"
    }
  }

  /// A Boolean value that indicates whether the value is neither encrypted nor in the keychain.
  var isPlain: Bool { description == "plain" }

  package init(from decoder: any Decoder) throws {
    description = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The identity of a migration step in the log: the sources of the step. Two releases that declare the same source for a key
/// declare the same step, also if they use the value differently.
package struct StepID: Sendable, Hashable, Codable {
  package var kind: Kind
  /// The addresses of the sources in the order of the declaration. Empty unless `kind` is `move`.
  package var sources: [AddressID]
  /// The form that an in-place step accepts.
  package var form: StoredForm?
  /// The name of the type of a custom migration.
  package var type: String?

  package enum Kind: String, Sendable, Hashable, Codable {
    /// Values of other addresses become the key's value.
    case move
    /// A stored form of the key's own address is replaced by the key's form.
    case inPlace
    /// Code of the app.
    case custom
    /// No step of a migration: the key's own value was written although its address is noted as emptied.
    case write
  }

  package static func move(_ sources: [AddressID]) -> StepID { StepID(kind: .move, sources: sources) }

  package static func inPlace(_ form: StoredForm) -> StepID { StepID(kind: .inPlace, sources: [], form: form) }

  package static func custom(_ type: String) -> StepID { StepID(kind: .custom, sources: [], type: type) }

  package static let write = StepID(kind: .write, sources: [])
}
