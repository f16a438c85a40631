import StorageVocabulary

/// As an error names it: a member of a family by its declaration, whose parameters are nobody's business.
extension StorageKey: CustomStringConvertible, CustomReflectable {
  /// `'user_token' in keychain`.
  public var description: String { AnyStorageKey(self).description }

  /// Empty: the stored name of a member holds its parameters, and a default is a value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AnyStorageKey: CustomStringConvertible, CustomReflectable {
  /// `'user_token' in keychain`.
  public var description: String { "\(subject)" }

  /// Empty: the stored name of a member holds its parameters.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// What an error about the key is about.
  var subject: StorageError.Subject {
    StorageError.Subject(key: traits.declaredName ?? name, domain: domain.kind)
  }
}

extension StorageRouter: CustomReflectable {
  /// Empty: a mirror would read what the actor guards, and what it guards holds values and names.
  public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
