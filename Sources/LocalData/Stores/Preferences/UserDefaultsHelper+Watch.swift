import Foundation

#if os(Linux)
  extension UserDefaultsHelper {
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageFault) -> (any Sendable)? {
      try database(container).watch(onChange)
    }
  }
#elseif canImport(ObjectiveC)
  extension UserDefaultsHelper {
    /// Observes one name. UserDefaults tells of no other changes by other processes.
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageFault) -> (any Sendable)? {
      // Key-value observing reads a dot as a path, and a commercial at as an operator.
      guard let name, !name.contains("."), !name.contains("@") else { return nil }
      return DefaultsObserver(try defaults(of: container), name, onChange)
    }
  }

  /// Observes one name of UserDefaults until it is released.
  ///
  /// `@unchecked Sendable`: nothing of it changes, and Apple documents UserDefaults as thread-safe.
  private final class DefaultsObserver: NSObject, @unchecked Sendable {
    private let defaults: UserDefaults
    private let name: String
    private let onChange: @Sendable () -> Void

    init(_ defaults: UserDefaults, _ name: String, _ onChange: @escaping @Sendable () -> Void) {
      (self.defaults, self.name, self.onChange) = (defaults, name, onChange)
      super.init()
      defaults.addObserver(self, forKeyPath: name, options: [], context: nil)
    }

    deinit { defaults.removeObserver(self, forKeyPath: name) }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      onChange()
    }
  }
#endif
