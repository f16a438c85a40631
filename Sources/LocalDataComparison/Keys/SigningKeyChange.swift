import LocalDataModel
import LocalDataVocabulary

/// A change of a key pair after which the app no longer finds the pairs of a release.
struct SigningKeyChange {
  private let key: DeclaredKey
  private let now: DeclaredKey

  /// Returns nil if neither declaration is one of a pair.
  init?(of key: DeclaredKey, _ now: DeclaredKey) {
    guard key.isSigningKey || now.isSigningKey else { return nil }
    self.key = key
    self.now = now
  }

  /// The finding about the change, or nil if pairs are found.
  var finding: Finding? {
    guard key.isSigningKey, now.isSigningKey else {
      let (before, after) = key.isSigningKey ? ("key pairs", "key") : ("values", "key pair")
      return finding(
        "stored \(before) as \(key.form.place), and it is a \(after) now", help: "declare it under another name")
    }
    guard let field = Self.fields.first(where: isLost) else { return nil }
    let old = key[field]
    let new = now[field]
    return finding(
      "stored key pairs with \(Self.text(field, old)), and they are looked for with \(Self.text(field, new)) now",
      help: "go back to \(Self.text(field, old)), or declare another pair for what is created from now on")
  }

  private func finding(_ message: String, help: String) -> Finding {
    Finding(
      rule: .signingKeyChanged, subject: .key(now.member), message: message, help: help, remedy: Remedy(),
      keys: [key.member])
  }

  private func isLost(_ field: ResolvedField) -> Bool {
    guard key[field] != now[field] else { return false }
    return switch field {
    // A key that is looked for in addition takes nothing away.
    case .applicationTag: key[field] != .absent
    // The private keys outside of the Secure Enclave are no longer found.
    case .secureEnclave: now[field] == .text(SecureEnclaveUse.required.rawValue)
    default: true
    }
  }

  private static func text(_ field: ResolvedField, _ value: FieldValue) -> String {
    value == .absent ? "no `\(field.path)`" : "`\(field.path): \(value)`"
  }

  private static let fields: [ResolvedField] = [
    .name, .parameters, .domainService, .domainAccessGroup, .domainSynchronizable, .accessControl, .secureEnclave,
    .applicationTag,
  ]
}

extension DeclaredKey {
  /// A Boolean value that indicates whether the key is a key pair.
  package var isSigningKey: Bool { self[.secureEnclave] != .absent }
}
