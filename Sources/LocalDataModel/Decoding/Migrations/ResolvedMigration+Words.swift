import LocalDataAudit
import LocalDataVocabulary

extension ResolvedMigration {
  /// The migration in words, for audits: from where to the key, what becomes of sources that differ, what is weakened.
  func inWords(to key: StorageKeyDescriptor) -> String {
    steps.map { $0.inWords(to: key) }.joined(separator: "; then ")
  }
}

extension ResolvedMigration.Step {
  func inWords(to key: StorageKeyDescriptor) -> String {
    var words =
      switch action {
      case .move(let source): "from \(source.inWords)"
      case .transform(let source, let function): "from \(source.inWords) by \(function.text)"
      case .aggregate(let sources, let function):
        "from \(sources.map(\.inWords).joined(separator: ", ")) by \(function.text)"
      case .secureInPlace(let domain, let policy):
        (key.isLegacy ? "also read as it was secured before" : "secured in place, where it was")
          + " (\(domain.auditText); \(policy.auditText))"
      case .custom(let name): "by \(name.text)"
      }
    if let condition { words += ", when the app's version is \(condition.text)" }
    if let conflict { words += ", \(conflict) where both exist" }
    // Nothing is written to a legacy key.
    let downgrades = key.isLegacy ? [] : downgrades(to: key)
    if !downgrades.isEmpty { words += ", weaker than before: " + downgrades.map(\.words).joined(separator: ", ") }
    return words
  }

  /// The policy for a source that differs from the key's value, or nil for migrations without sources.
  private var conflict: String? {
    let sources: String
    switch action {
    case .move, .transform: sources = "the source"
    case .aggregate: sources = "the sources"
    case .secureInPlace, .custom: return nil
    }
    return switch onConflict {
    case .keep: "\(sources) kept"
    case .remove: "\(sources) removed"
    }
  }
}

extension ResolvedMigration.Step {
  /// In what the value is protected less at the key than at any of its sources.
  private func downgrades(to key: StorageKeyDescriptor) -> [ProtectionDowngrade] {
    let sources: [Protection] =
      switch action {
      case .move(let source), .transform(let source, _): [source.protection(as: key)]
      case .aggregate(let sources, _): sources.map { $0.protection(as: key) }
      case .secureInPlace(let domain, let policy): [Protection(domain, policy, isBackedUp: key.backup)]
      case .custom: []
      }
    let protection = Protection(key.domain, key.security, isBackedUp: key.backup)
    let downgrades = Set(sources.flatMap { protection.downgrades(from: $0) })
    return ProtectionDowngrade.allCases.filter(downgrades.contains)
  }
}

extension ResolvedMigration.Source {
  fileprivate func protection(as key: StorageKeyDescriptor) -> Protection {
    switch self {
    case .declared(let source): Protection(source.domain, source.security, isBackedUp: source.isBackedUp)
    case .inline(let source): Protection(source.domain, source.security, isBackedUp: key.backup)
    }
  }

  var inWords: String {
    switch self {
    case .declared(let source):
      (source.field.map { "the field '\($0.text ?? $0.texts.joined(separator: "' in '"))' of " } ?? "")
        + "\(source.member) (\(source.domain.auditText); \(source.security.auditText))"
    case .inline(let source):
      "'\(source.name)' \(source.encoding.map { "with \($0.rawValue) parameters " } ?? "")"
        + "(\(source.domain.auditText); \(source.security.auditText))"
    }
  }
}

extension ResolvedMigration {
  static let example = Language.migration.example
}
