import StorageVocabulary

/// A key prints as an error names it: a member of a family by its declaration, without its parameters.
extension StorageKey: CustomDebugStringConvertible, CustomReflectable {
  /// The name and kind of domain: `'user_token' in keychain`.
  public var debugDescription: String { AnyStorageKey(self).description }

  /// An empty mirror: the stored name of a member contains its parameters, and a default is a value.
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
