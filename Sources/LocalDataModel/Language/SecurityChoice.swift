import LocalDataSyntax
import LocalDataVocabulary

/// A security policy on its way from nodes.
struct SecurityDraft: CaseDraft {
  var kind: SecurityPolicy.Kind
  var accessibility = KeychainAccessibility.whenUnlocked
  var accessControl: KeychainAccessControl?
  var algorithm: EncryptionAlgorithm?
  var keyDerivation: DerivationDraft?
  var keySource: KeySourceDraft?

  init(_ kind: SecurityPolicy.Kind) { self.kind = kind }

  var policy: SecurityPolicy {
    switch kind {
    case .none: return .none
    case .recommended: return .recommended
    case .keychain: return .keychain(accessibility: accessibility, accessControl: accessControl)
    case .encrypted:
      var policy = SecurityPolicy.EncryptionPolicy()
      if let algorithm { policy.algorithm = algorithm }
      if let derivation = keyDerivation?.derivation { policy.keyDerivation = derivation }
      if let source = keySource?.source { policy.keySource = source }
      return .encrypted(policy)
    }
  }
}

/// A key derivation on its way from nodes.
struct DerivationDraft: CaseDraft {
  var kind: KeyDerivation.Kind
  var iterations: Int?

  init(_ kind: KeyDerivation.Kind) { self.kind = kind }

  var derivation: KeyDerivation? {
    switch kind {
    case .hkdf: .hkdf
    case .pbkdf2: iterations.map { .pbkdf2(iterations: $0) }
    }
  }
}

/// The source of a key on its way from nodes.
struct KeySourceDraft: CaseDraft {
  var kind: KeySource.Kind
  var id: String?

  init(_ kind: KeySource.Kind) { self.kind = kind }

  var source: KeySource? {
    switch kind {
    case .masterKey: .masterKey
    case .external: id.map { .external(KeyMaterialSource(id: $0)) }
    }
  }
}

extension Language {
  /// The protection of a value.
  static let security = Choice<SecurityDraft>(
    "a security policy", example: "security: recommended",
    fields: securityFields,
    [
      .init(kind: .none, summary: "The value is stored as it is.", payload: .none),
      .init(
        kind: .recommended,
        summary: "The value is sealed with ChaCha20-Poly1305 under a key that HKDF derives from the master key.",
        payload: .none),
      .init(
        kind: .keychain, summary: "The keychain protects the item.",
        payload: .fields(["accessibility", "accessControl"])),
      .init(
        kind: .encrypted, summary: "The value is sealed as the fields say.",
        payload: .fields(["algorithm", "keyDerivation", "keySource"])),
    ])

  static let securityFields: [Field<SecurityDraft>] = [
    Field(
      "accessibility", .word("an accessibility"), .optional("whenUnlocked"),
      "When the keychain gives out the item.", example: "afterFirstUnlock"
    ) { $0.accessibility = $1 },
    Field(
      "accessControl", .word("an access control"), .optional("no access control"),
      "What the user must confirm before the item is read.", example: "userPresence",
      unset: { $0.accessControl = nil }
    ) { $0.accessControl = $1 },
    Field(
      "algorithm", .word("an algorithm"), .optional("chaCha20Poly1305"), "The algorithm that seals the value.",
      example: "aes256GCM"
    ) { $0.algorithm = $1 },
    Field(
      "keyDerivation", "a key derivation", keyDerivation.shape, .optional("hkdf"),
      "How the value's key is derived from its source.", example: "hkdf"
    ) { node, draft, context in
      guard let derivation = keyDerivation.decode(node, over: draft.keyDerivation, &context) else { return false }
      guard derivation.derivation != nil else {
        context.findings.report(
          .missingField, "'pbkdf2' needs its number of iterations", at: node,
          help: "write {pbkdf2: {iterations: \(KeyDerivation.iterations.lowerBound)}}")
        return false
      }
      draft.keyDerivation = derivation
      return true
    },
    Field(
      "keySource", "a key source", keySource.shape, .optional("masterKey"), "Where the key comes from.",
      example: "masterKey"
    ) { node, draft, context in
      guard let source = keySource.decode(node, over: draft.keySource, &context) else { return false }
      guard source.source != nil else {
        context.findings.report(
          .missingField, "'external' needs the id of its source", at: node, help: "write {external: remote.key}")
        return false
      }
      draft.keySource = source
      return true
    },
  ]

  private static let keyDerivation = Choice<DerivationDraft>(
    "a key derivation", example: "keyDerivation: hkdf",
    fields: [
      Field(
        "iterations", .integer("a number of iterations", KeyDerivation.iterations), .required,
        "How often PBKDF2 repeats its work.", example: "600000"
      ) { $0.iterations = $1 }
    ],
    [
      .init(kind: .hkdf, summary: "HKDF, for keys that are random.", payload: .none),
      .init(kind: .pbkdf2, summary: "PBKDF2, for passphrases.", payload: .fields(["iterations"])),
    ])

  private static let keySource = Choice<KeySourceDraft>(
    "a key source", example: "keySource: masterKey",
    [
      .init(kind: .masterKey, summary: "The master key of the device.", payload: .none),
      .init(
        kind: .external, summary: "Bytes that the app provides under an id.",
        payload: .value(
          Field("external", .sourceID, .required, "The id of the source.", example: "remote.key") { $0.id = $1 },
          isRequired: true)),
    ])
}

extension ValueShape where Value == String {
  fileprivate static var sourceID: Self {
    Self(what: "the id of a source", shape: .text) { node, _, context in
      guard let id = context.scalar(node, "the id of a source", example: "keySource: {external: remote.key}") else {
        return nil
      }
      let limit = DecodingContext.maxNameLength
      if !id.isEmpty, id.unicodeScalars.count <= limit, !ControlCharacters.occur(in: id) { return id }
      context.findings.report(
        .invalidContainer, "the id of a source has 1 to \(limit) characters and no control characters", at: node,
        help: "write {external: remote.key}")
      return nil
    }
  }
}
