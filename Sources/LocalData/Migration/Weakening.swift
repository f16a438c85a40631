import StorageVocabulary

extension [MigrationPlan.Weakening] {
  /// What a value loses that goes from one key to another.
  init(from source: AnyStorageKey, to key: AnyStorageKey) {
    let losses = Protection(key).losses(from: Protection(source))
    self = MigrationPlan.Weakening.allCases.filter { losses.contains($0.loss) }
  }
}

extension MigrationPlan.Weakening {
  /// The same in the words of an audit.
  var words: String { loss.words }

  fileprivate var loss: ProtectionLoss {
    switch self {
    case .storedPlain: .storedPlain
    case .accessControlDropped: .accessControlDropped
    case .accessibleMoreOften: .accessibleMoreOften
    case .leavesDevice: .leavesDevice
    case .backedUp: .backedUp
    case .sharedWithGroup: .sharedWithGroup
    }
  }
}

extension Protection {
  fileprivate init(_ key: AnyStorageKey) { self.init(key.domain, key.security, isBackedUp: key.traits.isBackedUp) }
}
