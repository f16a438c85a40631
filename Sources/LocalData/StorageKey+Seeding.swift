/// Keys of earlier releases, for tests that store what those releases have stored.
extension StorageKey {
  /// A copy that can be stored: as the release had it in which it was no legacy key.
  package var seedable: Self {
    with(migration: nil).with {
      $0.isLegacy = false
      $0.isFoundation = false
    }
  }

  /// A Boolean value that indicates whether Foundation's own UserDefaults wrote the value, apart from the library.
  package var isWrittenByFoundation: Bool {
    #if os(Linux)
      options.isFoundation
    #else
      false
    #endif
  }
}
