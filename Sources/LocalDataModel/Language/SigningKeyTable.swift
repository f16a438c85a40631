import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

extension SecureEnclaveUse: CaseName {
  static let names = NameTable<Self>()
}

extension SignOutPolicy: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of a key pair, in the order in which `fmt` writes them. A pair is a key whose value only the product for
  /// signatures reads.
  static let signingKey = FieldTable<KeyDraft>(
    "a key pair", what: "a map of the fields of a key pair", example: "binding: {secureEnclave: required, …}",
    [
      Field(
        "name", "a stored name", .storedName, .optional("the member"),
        "The stored name: 1 to 200 characters, no control characters.", example: "binding_key"
      ) { $0.nameNode = $1 },
      Field(
        "domain", "the domain of a key pair", signingDomain.shape, .optional("keychain"),
        "The service and the access group of the keychain's items.",
        example: "{keychain: {service: com.example.wallet}}"
      ) { node, draft, context in
        guard let domain = signingDomain.decode(node, over: draft.domain, &context) else { return false }
        draft.domain = domain
        return true
      },
      Field(
        "parameters", "a map of parameters", .map(of: .type), .optional("none"),
        "Names and types of the parameters that make the pair a family.", example: "{rp: String}"
      ) { node, draft, context in
        guard let parameters = context.parameters(node, mayBeEmpty: false) else { return false }
        draft.parameters = parameters
        return true
      },
      Field(
        "security", "the security of a key pair", signingSecurity.shape,
        .optional("{keychain: {accessibility: whenUnlockedThisDeviceOnly}}"),
        "When the private key can be used, and what the user confirms before each signature.",
        example: "{keychain: {accessControl: biometryAny}}"
      ) { node, draft, context in
        guard let security = signingSecurity.decode(node, over: draft.security, &context) else { return false }
        draft.security = security
        return true
      },
      Field(
        "secureEnclave", .word("a use of the Secure Enclave"), .optional("preferred"),
        "The place of a new private key. With `preferred`, it is in the Secure Enclave if the device has one. With "
          + "`required`, the pair cannot be created without one. With `never`, it is an item of the keychain.",
        example: "required"
      ) { $0.descriptor.signing?.secureEnclave = $1 },
      Field(
        "applicationTag", .applicationTag, .optional("none"),
        "The application tag of a `SecKey` that earlier releases of the app have created. If there is one and no pair, it "
          + "becomes the pair.", example: "bindingKey"
      ) { $0.descriptor.signing?.applicationTag = $1 },
      Field(
        "exportable", .flag, .optional("false"),
        "True if a backup by the app may contain the private key.", example: "true"
      ) { $0.descriptor.signing?.isExportable = $1 },
      Field(
        "signOut", .word("a policy for the sign-out"), .optional("the pair is removed"),
        "With `keep`, `removeAll(in:)` and `removeAll(where:)` leave the pair.", example: "keep"
      ) { (draft, _: SignOutPolicy) in draft.descriptor.signing?.isKeptAtSignOut = true },
      Field(
        "owner", .owner, .required, "The team or person that answers for the pair.", example: "WalletTeam",
        isInheritable: true
      ) { $0.descriptor.owner = $1 },
      Field(
        "access", .word("a level of access"), .optional("the catalog's"), "The access of the member in Swift.",
        example: "internal", isInheritable: true
      ) { $0.access = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the pair accepts, with a reason.",
        example: "[{rule: terse-description, reason: The name says everything.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required, "What the pair is for, in a sentence of two words or more.",
        example: "The key that credentials are bound to."
      ) { $0.descriptor.description = $1 },
    ])

  /// The fields of a pair that keys have too, as fields of keys.
  static func keyFields(ofSigning set: FieldSet) -> KeyFieldSet {
    key.set(signingKey.names(of: set).filter { key.position(of: $0) != nil })
  }

  private static let signingDomain = Choice<DomainDraft>(
    "the domain of a key pair", .unknownDomain, example: "domain: keychain", fields: domainFields,
    [
      .init(
        kind: .keychain, summary: "Items of the keychain.",
        payload: .fields(["service", "accessGroup", "synchronizable"]))
    ])

  private static let signingSecurity = Choice<SecurityDraft>(
    "the security of a key pair", example: "security: {keychain: {accessControl: biometryAny}}",
    fields: [
      Field(
        "accessibility", .word("an accessibility"), .optional("whenUnlockedThisDeviceOnly"),
        "When the private key can be used.", example: "afterFirstUnlockThisDeviceOnly"
      ) { $0.accessibility = $1 }
    ] + securityFields.filter { $0.entry.name == "accessControl" },
    [
      .init(
        kind: .keychain, summary: "The keychain protects the private key.",
        payload: .fields(["accessibility", "accessControl"]))
    ])
}

extension ValueShape where Value == String {
  /// The tag of a key of Keychain Services.
  fileprivate static var applicationTag: Self {
    Self(what: "an application tag", shape: .text) { node, entry, context in
      guard let text = context.scalar(node, "an application tag", example: entry.written) else { return nil }
      let limit = DecodingContext.maxNameLength
      if !text.isEmpty, text.unicodeScalars.count <= limit, !ControlCharacters.occur(in: text) { return text }
      context.findings.report(
        .invalidContainer, "an application tag has 1 to \(limit) characters and no control characters", at: node,
        help: "write `\(entry.written)`")
      return nil
    }
  }
}
