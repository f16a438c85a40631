import LocalDataModel
import LocalDataVocabulary

/// Emits key pairs as static members of the type of the product for signatures, and their part of the catalog.
struct SwiftSigningEmitter {
  let catalog: ResolvedCatalog
  let source: String

  func writeKeys(to output: inout OutputBuffer) {
    var arguments = ArgumentList()
    var isFirst = true
    for key in catalog.keys {
      guard let signing = key.descriptor.signing else { continue }
      output.write(isFirst ? "\nnonisolated extension \(RuntimeName.signingKey) {\n" : "\n")
      isFirst = false
      output.writeHeader(key, source: source)
      output.write(key.isFamily ? "static func " : "static var ")
      output.writeIdentifier(key.descriptor.member)
      if key.isFamily {
        output.write("(")
        SwiftParameters(key).writeDeclarations(to: &output)
        output.write(") -> Self {\n")
      } else {
        output.write(": Self {\n")
      }
      arguments.removeAll()
      addPlace(of: key, to: &arguments)
      addOptions(signing, accessControl: key.descriptor.security.accessControl, isFamily: key.isFamily, to: &arguments)
      arguments.write(to: &output, callee: "Self", indent: 2)
      output.write("\n  }\n")
    }
    if !isFirst { output.write("}\n") }
  }

  private func addPlace(of key: ResolvedKey, to arguments: inout ArgumentList) {
    if key.isFamily {
      arguments.add { $0.write(".\(key.descriptor.member)") }
      arguments.add { SwiftParameters(key).writeName(key.nameParts, to: &$0) }
    } else {
      arguments.add { $0.writeLiteral(key.descriptor.name) }
      arguments.add { $0.writeDomain(key.descriptor.domain) }
      arguments.add { $0.writeSecurity(key.itemSecurity) }
    }
  }

  private func addOptions(
    _ signing: StorageSigningDescriptor, accessControl: KeychainAccessControl?, isFamily: Bool,
    to arguments: inout ArgumentList
  ) {
    if let accessControl { arguments.add { $0.write("accessControl: .\(accessControl.rawValue)") } }
    if signing.secureEnclave != .preferred {
      arguments.add { $0.write("secureEnclave: .\(signing.secureEnclave.rawValue)") }
    }
    if let tag = signing.applicationTag {
      arguments.add { output in
        output.write("applicationTag: ")
        output.writeLiteral(tag)
      }
    }
    if signing.isKeptAtSignOut, !isFamily { arguments.add { $0.write("isKeptAtSignOut: true") } }
  }

  /// Writes the family of the private keys that only the user can read, as an element of a list.
  static func writePrivateParts(of key: ResolvedKey, to output: inout OutputBuffer) {
    output.write(".privateParts(of: ")
    output.writeLiteral(key.descriptor.name)
    output.write(", ")
    output.writeDomain(key.descriptor.domain)
    output.write(", ")
    output.writeSecurity(key.descriptor.security)
    if key.descriptor.signing?.isKeptAtSignOut == true { output.write(", isKeptAtSignOut: true") }
    output.write(")")
  }
}

extension ResolvedKey {
  /// A Boolean value that indicates whether the key is a key pair.
  package var isSigningKey: Bool { descriptor.signing != nil }

  /// The protection of the item. The access control of a pair protects only its private key.
  var itemSecurity: SecurityPolicy {
    guard isSigningKey, case .keychain(let accessibility, _) = descriptor.security else { return descriptor.security }
    return .keychain(accessibility: accessibility)
  }

  /// A Boolean value that indicates whether the private key can be in a separate item.
  var hasPrivateParts: Bool {
    guard let signing = descriptor.signing else { return false }
    return signing.secureEnclave != .required && descriptor.security.accessControl != nil
  }
}

extension ResolvedCatalog {
  /// The pairs whose keys of Keychain Services a sign-out deletes.
  var adoptingKeys: [ResolvedKey] {
    keys.filter { $0.descriptor.signing?.applicationTag != nil }
  }
}

extension SecurityPolicy {
  fileprivate var accessControl: KeychainAccessControl? {
    if case .keychain(_, let accessControl) = self { accessControl } else { nil }
  }
}
