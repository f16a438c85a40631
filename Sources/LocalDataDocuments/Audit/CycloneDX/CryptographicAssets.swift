import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// The algorithms and keys that protect what catalogs declare, each once, in the order of their first use.
///
/// The algorithms are those of EncryptedFormat.md: a value is sealed under a data key, which HKDF derives from a secret.
struct CryptographicAssets {
  private(set) var components: [String] = []
  private(set) var dependencies: [(ref: String, on: [String])] = []
  private var known: Set<String> = []

  /// Returns the assets that a value depends on, and adds those that are new.
  mutating func protecting(_ security: SecurityPolicy, in domain: StorageDomain.Kind) -> [String] {
    switch security {
    case .none: return []
    case .keychain(let accessibility, let accessControl):
      let control = accessControl.map { ", access control \($0.rawValue)" } ?? ""
      let name = "Key of the system keychain, \(accessibility.rawValue)\(control)"
      let ref = "secret/keychain/\(accessibility.rawValue)\(accessControl.map { "/\($0.rawValue)" } ?? "")"
      return [secret(ref, name, securedBy: "system keychain", size: nil, algorithm: nil, [])]
    case .encrypted(let policy):
      return [cipher(policy.algorithm), dataKey(policy, in: domain)]
    }
  }

  /// Returns the asset of a blind index.
  mutating func blindIndex() -> String {
    algorithm("HMAC-SHA256", primitive: "mac", parameter: "256", mode: nil, ["tag"])
  }

  // MARK: Algorithms

  private mutating func cipher(_ cipher: EncryptionAlgorithm) -> String {
    switch cipher {
    case .aes256GCM: algorithm("AES-256-GCM", primitive: "ae", parameter: "256", mode: "gcm", ["encrypt", "decrypt"])
    case .chaCha20Poly1305:
      algorithm("ChaCha20-Poly1305", primitive: "ae", parameter: "256", mode: nil, ["encrypt", "decrypt"])
    }
  }

  private mutating func algorithm(
    _ name: String, primitive: String, parameter: String, mode: String?, _ functions: [String]
  ) -> String {
    let ref = "algorithm/\(name)"
    var fields: [JSONText.Field] = [
      ("primitive", JSONText.quoted(primitive)), ("parameterSetIdentifier", JSONText.quoted(parameter)),
    ]
    if let mode { fields.append(("mode", JSONText.quoted(mode))) }
    fields.append(("cryptoFunctions", "[\(functions.map(JSONText.quoted).joined(separator: ", "))]"))
    add(ref, name, [("assetType", "\"algorithm\""), ("algorithmProperties", JSONText.object(fields))], [])
    return ref
  }

  // MARK: Keys

  private mutating func dataKey(_ policy: SecurityPolicy.EncryptionPolicy, in domain: StorageDomain.Kind) -> String {
    let source: String
    switch policy.keySource {
    case .masterKey:
      let group = domain.isAppGroup ? " of the app group" : ""
      source = secret(
        "secret/masterKey\(domain.isAppGroup ? "/appGroup" : "")", "Master key\(group)", securedBy: "system keychain",
        size: 256, algorithm: nil, [])
    case .external(let external):
      source = secret(
        "secret/external/\(external.id)", "Key material \(external.id) of the app", securedBy: "the app", size: nil,
        algorithm: nil, [])
    }
    let hkdf = algorithm("HKDF-SHA256", primitive: "kdf", parameter: "256", mode: nil, ["keyderive"])
    var derivation = "hkdf"
    var name = "HKDF-SHA256"
    var on = [hkdf]
    if case .pbkdf2(let iterations) = policy.keyDerivation {
      derivation = "pbkdf2/\(iterations)"
      name = "PBKDF2 (\(iterations) iterations) and HKDF-SHA256"
      on.append(algorithm("PBKDF2-HMAC-SHA256", primitive: "kdf", parameter: "256", mode: nil, ["keyderive"]))
    }
    // The algorithm is part of what HKDF derives a data key from.
    return secret(
      "dataKey/\(policy.algorithm.rawValue)/\(derivation)/\(source)",
      "Data keys for \(policy.algorithm.rawValue), derived by \(name)", securedBy: nil, size: 256, algorithm: hkdf,
      on + [source])
  }

  private mutating func secret(
    _ ref: String, _ name: String, securedBy mechanism: String?, size: Int?, algorithm: String?, _ on: [String]
  ) -> String {
    var fields: [JSONText.Field] = [("type", "\"secret-key\"")]
    if let algorithm { fields.append(("algorithmRef", JSONText.quoted(algorithm))) }
    if let size { fields.append(("size", "\(size)")) }
    if let mechanism {
      fields.append(("securedBy", JSONText.object([("mechanism", JSONText.quoted(mechanism))])))
    }
    add(
      ref, name,
      [("assetType", "\"related-crypto-material\""), ("relatedCryptoMaterialProperties", JSONText.object(fields))], on)
    return ref
  }

  private mutating func add(_ ref: String, _ name: String, _ properties: [JSONText.Field], _ on: [String]) {
    guard known.insert(ref).inserted else { return }
    components.append(
      JSONText.object([
        ("type", "\"cryptographic-asset\""), ("bom-ref", JSONText.quoted(ref)), ("name", JSONText.quoted(name)),
        ("cryptoProperties", JSONText.object(properties)),
      ]))
    dependencies.append((ref, on))
  }
}
