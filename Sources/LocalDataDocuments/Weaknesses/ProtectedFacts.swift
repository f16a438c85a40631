import LocalDataModel
package import LocalDataAudit
package import LocalDataVocabulary

/// The facts from which a declaration answers weaknesses. Many keys have the same.
package struct ProtectedFacts: Sendable, Hashable {
  package var sensitivity: Sensitivity
  /// The place and the protection. What happens at the end of the value, and to its copies, does not count.
  package var stored: StoredFacts
  package var derivation: KeyDerivation.Kind?
  package var constant = Constant.none
  package var isLegacy = false
  package var isCollected = false
  /// A Boolean value that indicates whether the value is a field of a record.
  package var isField = false
  /// A Boolean value that indicates whether other code of the app stores the value.
  package var isUnmanaged = false

  /// The default, by what the app's package contains of it.
  package enum Constant: String, Sendable {
    case none
    /// A text or a number that may be a secret.
    case readable
    /// A value that is declared in Swift.
    case ofApp

    fileprivate var code: Int {
      switch self {
      case .none: 0
      case .readable: 1
      case .ofApp: 2
      }
    }
  }

  init(_ sensitivity: Sensitivity, _ stored: StoredFacts, _ security: SecurityPolicy) {
    self.sensitivity = sensitivity
    self.stored = stored
    self.stored.end = nil
    self.stored.isMoved = false
    self.stored.isUpgraded = false
    self.stored.isSent = false
    self.stored.availability = .all
    if case .encrypted(let policy) = security { derivation = policy.keyDerivation.kind }
  }

  package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// A number that only these facts have. Their parts are compared by it, as those of ``StoredFacts``.
  private var code: Int {
    var code = FactCode()
    code.add(stored.code, bits: 0)
    code.add(sensitivity.code, bits: 3)
    code.add(derivation.map { $0 == .hkdf ? 1 : 2 } ?? 0, bits: 2)
    code.add(constant.code, bits: 2)
    code.add(isLegacy)
    code.add(isCollected)
    code.add(isField)
    code.add(isUnmanaged)
    return code.value
  }

  /// The name of these facts in documents. Other facts have another name.
  package var name: String {
    var parts = [sensitivity.rawValue, stored.name]
    if let derivation { parts.append(derivation.rawValue) }
    if constant != .none { parts.append("default-\(constant.rawValue)") }
    if isLegacy { parts.append("legacy") }
    if isCollected { parts.append("collected") }
    if isField { parts.append("field") }
    if isUnmanaged { parts.append(ResolvedUnmanaged.section) }
    return parts.joined(separator: "-")
  }

  /// A Boolean value that indicates whether the weaknesses of sensitive data apply.
  var isSensitive: Bool {
    switch sensitivity {
    case .public, .internal: false
    case .personal, .health, .financial, .credential: true
    }
  }

  /// A Boolean value that indicates whether the value is neither encrypted nor in the keychain.
  var isPlain: Bool { stored.seal == .none && stored.accessibility == nil }
}

extension ResolvedKey {
  package var protectedFacts: ProtectedFacts {
    var facts = ProtectedFacts(descriptor.sensitivity, storedFacts, descriptor.security)
    facts.isLegacy = descriptor.isLegacy
    facts.isCollected = privacy?.isCollected ?? false
    // Only credentials are asked, so that other keys with other defaults have the same facts.
    if descriptor.sensitivity == .credential, let value = defaultValue {
      if case .swift = value { facts.constant = .ofApp } else if value.canBeSecret { facts.constant = .readable }
    }
    return facts
  }
}

extension ResolvedUnmanaged {
  package var protectedFacts: ProtectedFacts {
    var facts = ProtectedFacts(descriptor.sensitivity, storedFacts, descriptor.security)
    facts.isUnmanaged = true
    facts.isCollected = key.privacy?.isCollected ?? false
    return facts
  }
}

extension Sensitivity {
  fileprivate var code: Int {
    switch self {
    case .public: 0
    case .internal: 1
    case .personal: 2
    case .health: 3
    case .financial: 4
    case .credential: 5
    }
  }
}
