import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let signingKeyLeavesDevice = Rule(
    "signing-key-leaves-device", .combinations,
    "A pair that may be in the Secure Enclave is of this device alone, and is not exportable.",
    why: "A private key in the Secure Enclave cannot leave it. On another device, the restored item would have no key.",
    bad: .catalog(
      "\(Example.defaults)signingKeys:\n  binding:\n    exportable: true\n"
        + "    description: The key that credentials are bound to."),
    good: .catalog(
      "\(Example.defaults)signingKeys:\n  binding:\n    secureEnclave: never\n    exportable: true\n"
        + "    description: The key that credentials are bound to."))

  static let signingKeyTag = Rule(
    "signing-key-tag", .combinations, "A pair with an application tag is neither a family nor exportable.",
    why: "The tag names one key of Keychain Services, which may be in the Secure Enclave.",
    bad: .catalog(
      "\(Example.defaults)signingKeys:\n  pairwise:\n    parameters: {rp: String}\n    applicationTag: bindingKey\n"
        + "    description: The identity towards one party."),
    good: .catalog(
      "\(Example.defaults)signingKeys:\n  binding:\n    applicationTag: bindingKey\n"
        + "    description: The key that credentials are bound to."))
}

/// Checks that a pair that may be in the Secure Enclave is declared for this device alone.
struct SigningKeyRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard let signing = descriptor.signing, signing.secureEnclave != .never,
      key.isSound(KeyFieldSet(.security, .domain))
    else { return }
    if case .keychain(let accessibility, _) = descriptor.security, !accessibility.isThisDeviceOnly {
      findings.report(
        .signingKeyLeavesDevice,
        "the private key stays in the Secure Enclave, and with '\(accessibility.rawValue)' its item leaves the device",
        at: key.node(of: .security, defaults: nil),
        help: "use an accessibility that ends with ThisDeviceOnly, or write `secureEnclave: never`")
    } else if descriptor.domain.fields.synchronizable == true {
      findings.report(
        .signingKeyLeavesDevice, "the private key stays in the Secure Enclave, and iCloud Keychain copies its item",
        at: key.node(of: .domain, defaults: nil), help: "remove `synchronizable`, or write `secureEnclave: never`")
    }
    if signing.isExportable {
      findings.report(
        .signingKeyLeavesDevice, "a private key in the Secure Enclave cannot be exported",
        at: key.body.key(of: "exportable") ?? key.member,
        help: "write `secureEnclave: never`, or remove `exportable`")
    }
  }
}
